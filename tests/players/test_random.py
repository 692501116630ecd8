"""The random player, and the same games in compiled code."""

from __future__ import annotations

import pytest

from coatl.options import Options
from coatl.simulate import play_game, random_results
from tests.players.small_network import MODES


@pytest.mark.parametrize("options", MODES, ids=str)
def test_the_compiled_path_plays_the_very_same_games(options: Options) -> None:
    names = ["random"] * options.players
    slow = [play_game(options, names, "same", game) for game in range(4)]
    assert random_results(options, "same", 4) == slow
    assert random_results(options, "same", 2, first=2) == slow[2:]


def test_another_seed_gives_other_games() -> None:
    assert random_results(MODES[0], "one", 5) != random_results(MODES[0], "two", 5)
