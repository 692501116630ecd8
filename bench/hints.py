"""`make bench-hints`: how long a hint takes through the server, from the request to the answer.

Games of a strong bot are stopped early, in the middle and late; each position becomes a practice
table, at which the person whose turn it is asks. The first hint, for which code is loaded, does not
count.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench.light_socket import connect
from bench.measure import save
from bench.server import UNLIMITED, ServerProcess
from coatl.compiler import jit
from coatl.game import Game
from coatl.hints.packages import NEEDED_FOR_HINTS
from coatl.players import make_player
from coatl.rules.chance import new_chance
from coatl.server.protocol import PROTOCOL

KINDS: dict[str, dict[str, Any]] = {
    "solo": {"solo": [2, 3]},
    "2 players": {"players": 2},
    "4 players": {"players": 4},
}
STAGES = {"early": 0.15, "middle": 0.5, "late": 0.9}  # how much of the game is over
GAMES = 8  # of each kind
BOT = "artisan"
NO_LIMITS = {**UNLIMITED, "COATL_HINTS_PER_MINUTE": "0"}


@dataclass(frozen=True)
class Asked:
    """A hint, and how long it took."""

    kind: str
    stage: str
    position: str
    seconds: float
    cpu: float  # seconds, of the whole server
    hint: Any


def positions(options: dict[str, Any], seed: int) -> Iterator[tuple[str, str]]:
    """The stages of a game, each with a position at the beginning of an action."""
    game = Game.new(seed=seed, **options)
    players = [make_player(BOT, new_chance(f"{seed} {seat}")) for seat in range(4)]
    found: list[str] = []
    while (seat := game.seat) is not None:
        view = game.view(seat)
        if game.phase == "main" and len(view.moves) > 1:
            found.append(game.position)
        alone = len(view.moves) == 1  # as in A.D.A.M.'s turn
        game.play(view.moves[0] if alone else players[seat].choose(view, view.moves))
    for stage, part in STAGES.items():
        yield stage, found[int(part * len(found))]


def open_table(server: ServerProcess, position: str) -> tuple[str, str]:
    """A practice table in which it is the person's turn, and the token of their seat."""
    game = Game.from_position(position, 0)
    seat = game.seat
    assert seat is not None
    places: list[Any] = [{"kind": "bot", "bot": "random"}] * game.options.players
    places[seat] = {"kind": "person"}
    opened = server.post("/api/tables", {"places": places, "practice": {"position": position}})
    table, token = opened["table"], opened["seats"][seat]
    asyncio.run(_join(f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket", token))
    return table, token


async def _join(url: str, token: str) -> None:
    socket = await connect(url)
    for message in (
        {"type": "hello", "token": token, "protocol": PROTOCOL},
        {"type": "join", "id": "join", "nonce": secrets.token_hex(32)},
    ):
        socket.send(json.dumps(message).encode())
    while json.loads(await socket.receive()).get("reply") != "join":
        pass
    socket.close()


def ask(server: ServerProcess, position: str) -> tuple[float, float, Any]:
    """Seconds, seconds of CPU time, and the hint."""
    table, token = open_table(server, position)
    address = f"http://127.0.0.1:{server.port}/api/tables/{table}/hint"
    headers = {"Authorization": f"Bearer {token}"}
    request = urllib.request.Request(address, b"", headers, method="POST")
    cpu, begin = server.cpu_seconds, time.perf_counter()
    with urllib.request.urlopen(request, timeout=60) as answer:
        found = json.load(answer)["hint"]
    return time.perf_counter() - begin, server.cpu_seconds - cpu, found


def measure(games: int) -> list[Asked]:
    found: list[Asked] = []
    made = [
        (kind, stage, position)
        for kind, options in KINDS.items()
        for seed in range(games)
        for stage, position in positions(options, seed)
    ]
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), None, NO_LIMITS)
        try:
            ask(server, made[0][2])
            for kind, stage, position in made:
                found.append(Asked(kind, stage, position, *ask(server, position)))
        finally:
            server.stop()
    return found


def report(asked: Sequence[Asked]) -> None:
    print("| table | stage | hints | median s | slowest s | CPU s, most | moves, most |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for kind in [*KINDS, "all"]:
        for stage in STAGES if kind != "all" else ["all"]:
            these = [a for a in asked if kind == "all" or (a.kind, a.stage) == (kind, stage)]
            times = [a.seconds for a in these]
            moves = max(len(a.hint["best"]["moves"]) for a in these)
            cpu = max(a.cpu for a in these)
            print(
                f"| {kind} | {stage} | {len(these)} | {median(times):.2f} | {max(times):.2f} "
                f"| {cpu:.2f} | {moves} |"
            )
    slow = sum(a.seconds > 1.0 for a in asked)
    silent = sum(not a.hint["best"].get("facts") for a in asked)
    print(f"{slow} of {len(asked)} took more than a second; {silent} give no reason.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.hints", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="of each kind of table")
    parser.add_argument("--keep", type=Path, help="a file for positions and hints, as JSON")
    arguments = parser.parse_args()
    jit.load_all()
    jit.load_packages(*NEEDED_FOR_HINTS)
    asked = measure(arguments.games)
    report(asked)
    if arguments.keep:
        arguments.keep.write_text(json.dumps([vars(a) for a in asked]))
    save("hints", {"seconds": [(a.kind, a.stage, a.seconds) for a in asked]})


if __name__ == "__main__":
    main()
