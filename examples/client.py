"""Play a game against a bot at a running server (`coatl serve`), in 30 lines.

python examples/client.py http://127.0.0.1:8642
"""

import asyncio
import json
import random
import secrets
import sys
import urllib.request

from websockets.asyncio.client import connect


async def play(server: str) -> list[dict[str, int]]:
    wish = {"places": [{"kind": "person", "name": "Ana"}, {"kind": "bot", "bot": "greedy"}]}
    request = urllib.request.Request(f"{server}/api/tables", json.dumps(wish).encode())
    table = json.load(await asyncio.to_thread(urllib.request.urlopen, request))
    url = f"{server.replace('http', 'ws', 1)}/api/tables/{table['table']}/socket"
    async with connect(url) as socket:
        await socket.send(json.dumps({"type": "hello", "token": table["seats"][0]}))
        join = {"type": "join", "id": "join", "nonce": secrets.token_hex(32)}
        await socket.send(json.dumps(join))
        async for message in socket:
            state = json.loads(message)
            if state.get("status") == "over":
                return list(state["standing"])
            if (state.get("view") or {}).get("moves"):  # it is our turn
                move = random.choice(state["view"]["moves"])
                decision = {"type": "decide", "id": secrets.token_hex(8), "move": move["text"]}
                await socket.send(json.dumps({**decision, "version": state["version"]}))
    raise ConnectionError("the server has gone")


if __name__ == "__main__":
    print(asyncio.run(play(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8642")))
