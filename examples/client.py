"""Play a game against a bot at a running server (`coatl serve`); docs/protocol.md explains it.

python examples/client.py http://127.0.0.1:8642 random
"""

import argparse
import asyncio
import json
import random
import secrets
import urllib.request
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

Json = dict[str, Any]
PROTOCOL = 2  # a server that speaks another one refuses us and says so
# Refusals after which a state or a new connection follows: look at that, and go on.
HARMLESS = {"stale", "ahead", "not_your_turn", "taken", "storage", "shutting_down"}


def open_table(server: str, bot: str) -> Json:
    opening = {"places": [{"kind": "person", "name": "Ana"}, {"kind": "bot", "bot": bot}]}
    request = urllib.request.Request(f"{server}/api/tables", json.dumps(opening).encode())
    with urllib.request.urlopen(request) as answer:
        return dict(json.load(answer))


class Seat:
    """Plays at random; remembers across connections what it has to send again."""

    def __init__(self, token: str) -> None:
        self.hello = {"type": "hello", "token": token, "protocol": PROTOCOL}
        self.join = {"type": "join", "id": "join", "nonce": secrets.token_hex(32)}
        self.decision: Json | None = None  # until it is answered

    async def play(self, socket: ClientConnection) -> list[Json] | None:
        """The standing when the game is over; None if the connection ends before."""
        await socket.send(json.dumps(self.hello))
        if self.decision is not None:  # with the same id, so it is not played twice
            await socket.send(json.dumps(self.decision))
        async for text in socket:
            message = json.loads(text)
            if self.decision is not None and message.get("reply") == self.decision["id"]:
                self.decision = None
            if message["type"] == "refused" and message["code"] not in HARMLESS:
                raise RuntimeError(f"{message['code']}: {message['text']}")
            if message["type"] == "state":
                if message["status"] == "over":
                    return list(message["standing"])
                await self.act(socket, message)
        return None

    async def act(self, socket: ClientConnection, state: Json) -> None:
        if not state["places"][state["place"]]["ready"]:
            await socket.send(json.dumps(self.join))
        elif self.decision is None and state["view"] and state["view"]["moves"]:  # our turn
            move = random.choice(state["view"]["moves"])
            id = secrets.token_hex(8)
            decision = {"type": "decide", "id": id, "version": state["version"]}
            self.decision = decision | {"move": move["text"]}
            await socket.send(json.dumps(self.decision))


async def play(server: str, bot: str) -> list[Json]:
    """A whole game; whenever the connection breaks, a new one is made."""
    table = await asyncio.to_thread(open_table, server, bot)
    seat = Seat(table["seats"][0])
    address = f"{server.replace('http', 'ws', 1)}/api/tables/{table['table']}/socket"
    async for socket in connect(address):
        try:
            standing = await seat.play(socket)
        except ConnectionClosed:
            continue
        if standing is not None:
            return standing
    raise ConnectionError("the server is gone")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Play a game against a bot.")
    parser.add_argument("server", nargs="?", default="http://127.0.0.1:8642")
    parser.add_argument("bot", nargs="?", default="greedy")
    chosen = parser.parse_args()
    print(asyncio.run(play(chosen.server, chosen.bot)))
