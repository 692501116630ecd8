"""The digests of whole games in digests.json: made, and compared."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from tests.play import MULTIPLAYER, Mode, RandomGame

DIGESTS = Path(__file__).with_name("digests.json")

COMPARED = [
    *(mode for mode in MULTIPLAYER if not (mode.promo and mode.fewer)),
    *(Mode(1, levels=levels) for levels in (0, 1, 2, 4, 8, 16, 21, 31)),
    Mode(1, promo=True, levels=31),
]


def digest(mode: Mode, seed: int) -> str:
    """A short hash of every state and decision of a game."""
    game = RandomGame(mode, seed)
    whole = hashlib.sha256()
    for decision in game.decisions():
        whole.update(decision.to_bytes(2, "little") + game.states.tobytes())
    whole.update(game.states.tobytes())
    return whole.hexdigest()[:16]


def write_digests() -> None:
    """Write the digests anew (`make golden`), after the games have changed on purpose."""
    games = {str(mode): [digest(mode, seed) for seed in range(12)] for mode in COMPARED}
    DIGESTS.write_text(json.dumps(games, indent=1) + "\n")
