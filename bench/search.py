"""`make bench-search`: how fast the bots search, and how long their turns take.

Each bot plays games against itself; other weights, such as an earlier edition's, play the same
deals in the same run. Times are CPU times of the thread that searches, so that other work on the
machine matters less. A turn is all decisions of a seat in one turn of the game.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, cast

from bench.measure import save
from coatl.game import Game
from coatl.players import make_player
from coatl.players.search import SearchPlayer
from coatl.rules.chance import new_chance

BOTS = ("priest", "high-priest")
KINDS: dict[str, dict[str, Any]] = {
    "2 players": {"players": 2},
    "4 players": {"players": 4},
    "solo 12345": {"solo": [1, 2, 3, 4, 5]},
}
GAMES = 4


@dataclass
class Times:
    """What a bot's searches took."""

    simulations: int = 0
    turns: list[float] = field(default_factory=list)  # CPU seconds, of turns with any search

    @property
    def rate(self) -> float:
        return self.simulations / sum(self.turns)

    def share_within(self, share: float) -> float:
        """The time within which so many of the turns were decided."""
        return sorted(self.turns)[min(len(self.turns) - 1, int(share * len(self.turns)))]


def measure(bot: str, options: dict[str, Any], games: int) -> Times:
    """A bot's searches in games against itself."""
    times = Times()
    for number in range(games):
        game = Game.new(seed=number, **options)
        players = [make_player(bot, new_chance(f"{number} {seat}")) for seat in range(4)]
        turn, spent = game.turn, 0.0
        while (seat := game.seat) is not None:
            if game.turn != turn:
                times.turns += [spent] if spent else []
                turn, spent = game.turn, 0.0
            view = game.view(seat)
            if len(view.moves) == 1:
                game.play(view.moves[0])
                continue
            player = cast("SearchPlayer", players[seat])
            began = time.thread_time()
            move = player.choose(view, view.moves)
            spent += time.thread_time() - began
            times.simulations += player.simulations
            game.play(move)
        times.turns += [spent] if spent else []
    return times


def row_of(bot: str, kind: str, times: Times) -> list[str]:
    return [
        bot,
        kind,
        f"{times.rate:,.0f}",
        f"{len(times.turns)}",
        f"{median(times.turns):.2f}",
        f"{times.share_within(0.95):.2f}",
    ]


def print_row(row: Sequence[str]) -> None:
    print("| " + " | ".join(row) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.search", description=__doc__)
    parser.add_argument("--beside", type=Path, help="other weights, such as the first edition's")
    parser.add_argument("--games", type=int, default=GAMES, help="of each kind")
    parser.add_argument("--bots", nargs="+", default=BOTS)
    arguments = parser.parse_args()
    measure("priest:2", {"players": 2}, 1)  # loads and compiles what is needed
    print_row(["bot", "game", "simulations/s", "turns", "median s", "95 % within s"])
    print_row(["---", "---", "---:", "---:", "---:", "---:"])
    rows: list[list[str]] = []
    for kind, options in KINDS.items():
        for bot in arguments.bots:
            names = [bot] + ([f"{bot}@{arguments.beside}"] if arguments.beside else [])
            for name in names:
                rows.append(row_of(name, kind, measure(name, options, arguments.games)))
                print_row(rows[-1])
    print(platform.processor() or platform.machine())
    save("search", {"rows": rows})


if __name__ == "__main__":
    main()
