"""Events in words: what belongs together is told in one line."""

from __future__ import annotations

from coatl.cli.terminal.narration import Narrator
from coatl.game import Game


def test_cards_taken_one_after_another_are_one_line() -> None:
    game = Game.from_position("2p row=YG,RK,YB,GB,KG,YK", 1)
    for move in ("pick YG", "pick YK"):
        game.play(move)
    lines = list(Narrator(["Ana", "Ben"]).describe(game.events(0)))
    assert len(lines) == 1
    assert "YG" in lines[0]
    assert "YK" in lines[0]
