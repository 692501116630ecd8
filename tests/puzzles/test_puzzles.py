"""Puzzles: proven, whatever the order of the moves, judged by the rules, one for each day."""

from __future__ import annotations

from datetime import date
from itertools import permutations

import pytest
from msgspec.structs import replace

from coatl import puzzles
from coatl.compiler.functions import DISABLED
from coatl.errors import IllegalMove, NotationError
from coatl.puzzles import (
    BOTS,
    BadPuzzles,
    Puzzle,
    PuzzleKind,
    UnknownPuzzle,
    Verdict,
    follow,
)
from coatl.puzzles.attempt import completed
from coatl.puzzles.checking import why_unproven
from coatl.state import State
from tests.puzzles.clock import InAuckland
from tests.puzzles.examples import ADAM, CARDS, CLOSE, WIN
from tests.solver.brute_force import BruteForce

BY_HAND = (CLOSE, CARDS, WIN, ADAM)
SHIPPED = puzzles.shipped().puzzles
SAMPLE = range(0, len(SHIPPED), 100 if DISABLED else 8)  # `coatl puzzles check` proves all


class Everything(BruteForce):
    """Every way to complete one Cóatl, found by the rules alone."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.values: dict[str, int] = {}
        attempt = follow(puzzle, ())
        self.target = attempt.target
        super().__init__(State.from_position(puzzle.position, "x"), puzzles.SOLVER_SEAT)

    def score(self, state: State) -> None:
        coatls = state.view(self.seat).data.seats[self.seat].coatls
        if coatls[self.target].complete:
            found = coatls[self.target]
            self.values[completed(found).text] = found.value


# ---------------------------------------------------------------- the answer


@pytest.mark.parametrize("puzzle", BY_HAND, ids=lambda puzzle: str(puzzle.kind))
def test_brute_force_finds_the_same_one_best_answer(puzzle: Puzzle) -> None:
    values = Everything(puzzle).values
    assert max(values.values()) == puzzle.points
    assert [text for text, value in values.items() if value == puzzle.points] == [puzzle.answer]
    assert why_unproven(puzzle) is None


@pytest.mark.skipif(DISABLED, reason="thousands of positions")
def test_brute_force_finds_the_answers_of_shipped_puzzles() -> None:
    """Those with few pieces: their positions can be visited one by one."""
    small = [p for p in SHIPPED if p.kind is not PuzzleKind.CARDS and n_pieces(p) <= 4][:6]
    assert len(small) >= 3
    for puzzle in small:
        values = Everything(puzzle).values
        best = [text for text, value in values.items() if value == puzzle.points]
        assert (max(values.values()), best) == (puzzle.points, [puzzle.answer]), puzzle


def n_pieces(puzzle: Puzzle) -> int:
    return len(follow(puzzle, ()).view.seats[puzzles.SOLVER_SEAT].board)


@pytest.mark.parametrize("number", SAMPLE)
def test_shipped_puzzles_are_proven(number: int) -> None:
    assert why_unproven(SHIPPED[number]) is None


def test_a_second_best_answer_is_noticed() -> None:
    """A green tail and no Temple card about green: with either tail it is worth the same."""
    double = CLOSE.position.replace("board=K>", "board=K>,B>")
    assert why_unproven(replace(CLOSE, position=double)) == "it does not have one best answer"
    assert why_unproven(replace(CLOSE, points=9)) is not None


def test_a_card_that_could_be_laid_and_broken_is_a_second_answer() -> None:
    """R2: !RR! is met as long as there are two red pieces, and lies there for nothing later."""
    position = CLOSE.position.replace("RRR,YG", "RRR,!RR!")
    broken = replace(CLOSE, position=position)
    assert why_unproven(broken) == "it does not have one best answer"
    with_it = follow(broken, ["1:!RR!", "1+R", "1+K>", "1:RRR", "1:noG/9"]).judge()
    assert with_it.points == CLOSE.points


@pytest.mark.parametrize("puzzle", BY_HAND, ids=lambda puzzle: str(puzzle.kind))
def test_the_order_of_the_moves_does_not_matter(puzzle: Puzzle) -> None:
    """Every order that is legal leads to the same answer, and there are several."""
    solved = 0
    for path in permutations(puzzles.solution(puzzle)):
        try:
            solved += follow(puzzle, path).judge().solved
        except IllegalMove:
            continue
    assert solved > 1


def test_a_worse_answer_is_refused_with_its_difference() -> None:
    worse = follow(CLOSE, ["1+R", "1+G", "1+K>", "1:RRR"]).judge()
    assert worse == Verdict(False, wins=False, points=3, short=3)
    assert follow(CLOSE, ["1+R", "1:RRR"]).judge() == Verdict(False)  # not complete
    best = follow(CLOSE, puzzles.solution(CLOSE)).judge()
    assert best == Verdict(True, wins=False, points=6, short=0)


@pytest.mark.parametrize("puzzle", [WIN, ADAM], ids=["win", "adam"])
def test_the_rules_say_who_wins(puzzle: Puzzle) -> None:
    assert follow(puzzle, puzzles.solution(puzzle)).judge().wins


def test_D9_a_tie_is_not_won() -> None:
    """BB+… of A.D.A.M. is worth one point more than YB: as many as the answer makes."""
    level = replace(ADAM, position=ADAM.position.replace("fulfilled=YB", "fulfilled=YB,RB"))
    view = follow(level, ()).view
    assert view.adam is not None
    assert view.adam.points >= view.seats[0].points + ADAM.points
    assert not follow(level, puzzles.solution(level)).judge().wins
    assert why_unproven(level) == "its answer does not do what is asked"


def test_E2_where_somebody_moves_afterwards_nothing_is_won() -> None:
    for more in ("left=1", "actions=2"):
        earlier = replace(WIN, position=WIN.position.replace("trigger=2", f"trigger=2 {more}"))
        assert not follow(earlier, puzzles.solution(earlier)).judge().wins
        assert why_unproven(earlier) == "its answer does not do what is asked"


def test_a_second_coatl_that_might_be_closed_is_noticed() -> None:
    """Its points would count, too, and the answer is one Cóatl."""
    green = WIN.position.replace("board=K>", "board=K>,<G,G>").replace("RRR ", "RRR,{G} ")
    double = replace(WIN, position=green)
    assert why_unproven(double) == "two Cóatl might be closed"


def test_cards_may_be_chosen_that_are_not_met() -> None:
    attempt = follow(CARDS, ())
    names = {move.card for move in attempt.moves()}
    assert names == {"{R}", "RRR", "YG", "KKK", "noR/11", "noB/10"}
    coatl = attempt.shown.seats[0].coatls[0]
    assert (coatl.hand, coatl.temples, coatl.closing) == ((), (), None)  # nothing is given away
    assert follow(CARDS, ["1:YG", "1:RRR", "1:noR/11"]).judge() == Verdict(False, unmet=2)
    assert follow(CARDS, ["1:RRR"]).judge() == Verdict(False, points=3, short=2)


def test_moves_of_other_actions_are_no_part_of_a_puzzle() -> None:
    for text in ("new K>", "take b1", "1:YG", "done"):
        with pytest.raises((IllegalMove, NotationError)):
            follow(CLOSE, [text])


# ---------------------------------------------------------------- what ships


def test_a_few_hundred_of_all_kinds_ship() -> None:
    kinds = [puzzle.kind for puzzle in SHIPPED]
    assert len(kinds) >= 300
    assert min(kinds.count(kind) for kind in PuzzleKind) >= 20
    assert len({puzzle.position for puzzle in SHIPPED}) == len(SHIPPED)
    assert {bot for puzzle in SHIPPED for bot in puzzle.found} == set(BOTS)


def test_stronger_bots_find_more() -> None:
    found = [sum(bot in puzzle.found for puzzle in SHIPPED) for bot in BOTS]
    assert found == sorted(found)


def test_the_puzzle_of_the_day_depends_on_the_date_alone() -> None:
    assert puzzles.number_of_day(date(2026, 11, 18), 250) == 26
    days = [puzzles.number_of_day(date(2026, 1, k), 10) for k in range(1, 13)]
    assert days == [(days[0] - 1 + k) % 10 + 1 for k in range(12)]


def test_today_is_that_of_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coatl.puzzles.daily.datetime", InAuckland)
    assert puzzles.today() == date(2026, 11, 18)


# ---------------------------------------------------------------- what is wrong


def test_wrong_files_and_numbers_get_one_sentence() -> None:
    with pytest.raises(UnknownPuzzle, match=f"there are puzzles 1 to {len(SHIPPED)}, not 0"):
        puzzles.shipped().puzzle(0)
    written = puzzles.write_puzzles([CLOSE], "x")
    assert puzzles.read_puzzles(written, "mine").puzzles == (CLOSE,)
    for text, reason in {
        written[:-9]: "mine is not a file of puzzles",
        written.replace(
            b'"format":1', b'"format":2'
        ): "mine has format 2, and this program reads 1",
        puzzles.write_puzzles([], "x"): "mine has no puzzles",
    }.items():
        with pytest.raises(BadPuzzles, match=reason):
            puzzles.read_puzzles(text, "mine")


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("2p | board=9K |", "the position of the puzzle is not possible"),
        ("2p phase=over end=passed passes=2 | |", "the game is over"),
        ("2p seat=2 | |", "the first seat is not to move"),
        ("2p | |", "not exactly one Cóatl is open"),
    ],
)
def test_positions_that_are_no_puzzle(position: str, reason: str) -> None:
    with pytest.raises(BadPuzzles, match=reason):
        follow(replace(CLOSE, position=position), ())
