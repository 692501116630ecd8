"""Writes web/tests/data/*.json: real games, step by step, for the page's tests.

`python -m tools.web_recordings` runs it. Each file has the first view of seat 0, then for each
decision its events and the view after it, as the server would send them (without the moves).
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from coatl import Game
from coatl.moves import MoveKind

FOLDER = Path(__file__).parent.parent / "web" / "tests" / "data"
BUILDING = (MoveKind.BEGIN, MoveKind.ADD, MoveKind.FULFIL, MoveKind.TEMPLE)


def view_of(game: Game) -> dict[str, Any]:
    view: dict[str, Any] = msgspec.to_builtins(game.view(0).data)
    view["moves"] = []
    view.pop("final", None)
    for seat in view["seats"]:
        for coatl in seat["coatls"]:
            coatl.pop("hand", None)
            coatl.pop("closing", None)
    return view


def record(game: Game, steps: int, seed: int) -> dict[str, Any]:
    """Random play, with a liking for what builds Cóatl, so that all kinds of events come up."""
    random = Random(seed)
    found: list[dict[str, Any]] = []
    first = view_of(game)
    while not game.over and len(found) < steps:
        moves = list(game.legal_moves())
        best = [move for move in moves if move.kind in BUILDING]
        since = len(game.events(0))
        game.play(random.choice(best or moves))
        events = game.events(0, since)
        found.append({"events": msgspec.to_builtins(events), "view": view_of(game)})
    return {"first": first, "steps": found}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    games = {
        "solo": (Game.new(solo=(1, 5), seed=5), 70, 4),
        "three": (Game.new(players=3, seed=8), 110, 4),
    }
    for name, (game, steps, seed) in games.items():
        text = json.dumps(record(game, steps, seed), ensure_ascii=False, separators=(",", ":"))
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
