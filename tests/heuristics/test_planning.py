"""What the planner and flat Monte Carlo decide."""

from __future__ import annotations

import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.heuristics.planning import BEAM, WIDTH, new_planning_workspace
from coatl.options import Options
from coatl.players.planner import PlannerPlayer
from coatl.rules.chance import new_chance
from coatl.rules.decisions import N_DECISIONS
from coatl.simulate import play_game

compiled_only = pytest.mark.skipif(DISABLED, reason="too slow in plain Python")

COMPLETE = "coatl=<YYYBBBGG>:{Y},YYBBB coatl=<KKGGGRK>:KKGGG"


def planned(position: str) -> str:
    view = Game.from_position(position, 1).view(0)
    return PlannerPlayer(new_chance(1)).choose(view, view.moves).text


def test_a_workspace_has_room_for_every_decision_and_both_halves_of_the_beam() -> None:
    workspace = new_planning_workspace()
    assert len(workspace.estimates) == N_DECISIONS
    assert len(workspace.beam_values) == len(workspace.beam_first_steps) == 2 * WIDTH
    assert len(workspace.states) == BEAM + 2 * WIDTH


@compiled_only
def test_the_planner_closes_the_coatl_that_wins() -> None:
    assert planned(f"2p | hand=RRR board=K> {COMPLETE} coatl=<RRRB | hand=YK") == "3+K>"


@compiled_only
def test_the_planner_attaches_what_its_cards_need_before_it_closes() -> None:
    words = "2p | hand=RRR,RRRGG board=K>{} coatl=<KRRR | hand=YK"
    assert planned(words.format(",2G")) == "1+G"
    assert planned(words.format("")).startswith("take b"), "it collects them first"


# Any change of what the planner or flat Monte Carlo decides changes these games: points, turns and
# decisions. One that is meant to puts the new numbers here, and the new ratings in the docs.
GAMES: list[tuple[Options, list[str], tuple[tuple[int, ...], int, int]]] = [
    (Options(2), ["planner", "planner"], ((22, 23), 32, 97)),
    (Options(1, False, solo=(1, 3, 4)), ["planner"], ((16, 75), 65, 80)),
    (Options(3), ["montecarlo:20", "planner", "montecarlo:20"], ((0, 28, 6), 49, 128)),
]


@compiled_only
@pytest.mark.parametrize(("options", "names", "expected"), GAMES)
def test_games_are_played_as_before(
    options: Options, names: list[str], expected: tuple[tuple[int, ...], int, int]
) -> None:
    result = play_game(options, names, "heuristics", 0)
    assert (result.points, result.turns, result.decisions) == expected
