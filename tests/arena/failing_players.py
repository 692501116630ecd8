"""Players that fail in one way each."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

from coatl.moves import Move
from coatl.rules.chance import Chances
from coatl.view import View


class Raising:
    def __init__(self, chances: Chances) -> None:
        pass

    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        if view.data.turn > 2:
            raise SystemExit("I have had\nenough")
        return moves[0]


class Illegal(Raising):
    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        return "take everything"


class Stillborn(Raising):
    def __init__(self, chances: Chances) -> None:
        raise OSError("no model")


class Silent(Raising):
    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        while True:
            time.sleep(0.01)


class LastMoveOfAll(Raising):
    """Does not fail, but its name is too long for a seat of a record."""

    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        return moves[-1]


class Dying(Raising):
    """Ends the process that it plays in."""

    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        os._exit(3)
