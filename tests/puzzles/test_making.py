"""Making puzzles: the same seed gives the same ones, each from a game and proven."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from coatl.compiler.functions import DISABLED
from coatl.players.registry import make_player
from coatl.puzzles import PuzzleKind, follow, measuring, shipped, solution
from coatl.puzzles.attempt import completed
from coatl.puzzles.checking import why_unproven
from coatl.puzzles.harvest import is_last_action
from coatl.puzzles.making import make_puzzles
from coatl.puzzles.measuring import ASSEMBLING, finds, position_for_bots
from coatl.rules.chance import new_chance
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


def test_puzzles_that_are_kept_come_first_and_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "BOTS", ("artisan",))
    (first,) = make_puzzles("small", {PuzzleKind.CLOSE: 1})
    old = replace(first, found=("novice",))
    kept, added = make_puzzles("small", {PuzzleKind.CLOSE: 2}, kept=[old])
    assert kept == first  # how hard it is was measured anew
    assert added.kind is PuzzleKind.CLOSE
    assert added.position != first.position  # the same games, but not the same puzzle
    assert make_puzzles("small", {PuzzleKind.CLOSE: 0}, kept=[old]) == [first]


@pytest.mark.parametrize("bot", ["artisan", "priest"])
def test_bots_have_to_find_it_without_the_solver(bot: str) -> None:
    """In a game they work out their last action, and would find every answer."""
    puzzles = [one for one in shipped().puzzles if one.kind is PuzzleKind.WIN]
    missed = next(one for one in puzzles if bot not in one.found)
    assert not finds(bot, missed, missed.position, "more " + bot)
    state = State.from_position(missed.position, "seed")
    player = make_player(bot, new_chance("seed"))
    while state.seat == 0 and state.phase in ASSEMBLING:
        view = state.view(0)
        state.apply(player.choose(view, view.moves).decision)
    coatls = [
        completed(coatl).text for coatl in state.view(0).data.seats[0].coatls if coatl.complete
    ]
    assert missed.answer in coatls


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
