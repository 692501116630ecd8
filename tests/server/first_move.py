"""An adviser that needs no network: it advises the first legal move."""

from __future__ import annotations

from coatl.hints.hint import Advice, Hint
from coatl.view import View


class FirstMove:
    def __init__(self) -> None:
        self.stops = 0

    def hint(self, view: View) -> Hint:
        assert view.seat is not None
        return Hint(view.seat, Advice((view.moves[0],), chance=0.5), chance=0.4)

    def stop(self) -> None:
        self.stops += 1
