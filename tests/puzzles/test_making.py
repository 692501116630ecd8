"""Making puzzles: the same seed gives the same ones, each from a game and proven."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from coatl.compiler.functions import DISABLED
from coatl.puzzles import PuzzleKind, follow, measuring, solution
from coatl.puzzles.checking import why_unproven
from coatl.puzzles.harvest import is_last_action
from coatl.puzzles.making import make_puzzles
from coatl.puzzles.measuring import finds, position_for_bots
from coatl.state import State
from tests.puzzles.examples import CLOSE, WIN

pytestmark = pytest.mark.skipif(DISABLED, reason="whole games of the network")


def test_a_seed_gives_the_same_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "BOTS", ("novice", "artisan"))  # those that answer at once
    counts = {PuzzleKind.CLOSE: 1, PuzzleKind.CARDS: 1}
    made = make_puzzles("small", counts)
    assert make_puzzles("small", counts) == made
    assert sorted(puzzle.kind for puzzle in made) == ["cards", "close"]
    assert [why_unproven(puzzle) for puzzle in made] == [None] * 2


def test_bots_get_a_game_that_only_the_best_answer_wins() -> None:
    position = position_for_bots(CLOSE)
    mine, theirs = State.from_position(position).scores()
    assert mine + CLOSE.points == theirs
    best = follow(replace(CLOSE, kind=PuzzleKind.WIN, position=position), solution(CLOSE))
    assert best.judge().wins  # by more cards
    assert position_for_bots(WIN) == WIN.position
    assert finds("artisan", CLOSE, position, "seed")
    assert not finds("random", CLOSE, position, "seed")


@pytest.mark.parametrize(
    ("words", "is_last"),
    [
        ("end=third trigger=2", True),
        ("end=third trigger=2 left=1", False),  # the other one moves after it
        ("end=third trigger=2 actions=2", False),
    ],
)
def test_E2_what_the_last_action_is(words: str, is_last: bool) -> None:
    complete = "coatl=<YKKKY>:{K} coatl=<RKB>:RK coatl=<GYG>:YG"
    state = State.from_position(f"2p {words} piles=noK/8,noG/9 | coatl=<KRR | {complete}")
    assert is_last_action(state.records[0]) is is_last
