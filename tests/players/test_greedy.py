"""What the greedy player thinks of positions, with all weights but one at nothing."""

from __future__ import annotations

from dataclasses import fields

import pytest

from coatl.game import Game, states_of
from coatl.players.greedy import GreedyPlayer, GreedyWeights
from coatl.rules.chance import new_chance

TWO = "coatl=<KKK>:{K} coatl=<RRR>:{R}"


def evaluated(position: str, **weights: float) -> float:
    game = Game.from_position(position, 1)
    nothing = {field.name: 0 for field in fields(GreedyWeights)}
    player = GreedyPlayer(new_chance(1), GreedyWeights(**(nothing | weights)))  # type: ignore[arg-type]
    return player.evaluate(game.view(0), states_of(game))


@pytest.mark.parametrize(
    ("position", "bonus"),
    [
        (f"2p | {TWO} |", 2 * 3.0),
        (f"2p | {TWO} | coatl=<BBB>:{{B}}", 2 * 3.0),
        ("2p | coatl=<BBB>:{B} | " + TWO, 12.0),
    ],
)
def test_it_hurries_once_somebody_else_has_completed_two(position: str, bonus: float) -> None:
    points = evaluated(position)
    assert evaluated(position, complete=3.0, rush=12.0) - points == pytest.approx(bonus)
