"""The numbered list of moves: a long group is folded, unless all of it is asked for."""

from __future__ import annotations

from coatl.cli.terminal.choices import MOST_OF_A_GROUP, list_choices
from coatl.game import Game


def test_a_long_group_is_folded_until_everything_is_asked_for() -> None:
    view = Game.from_position("2p tokens", 1).view(0)
    tokens = [move.text for move in view.moves if move.text.startswith("token")]
    assert len(tokens) > MOST_OF_A_GROUP
    folded = "\n".join(str(block) for block in list_choices(view.data, view.moves, False))
    assert "(moves lists them all)" in folded
    assert tokens[1] not in folded
    listed = "\n".join(str(block) for block in list_choices(view.data, view.moves, True))
    assert "(moves lists them all)" not in listed
    assert [text for text in tokens if text not in listed] == []
