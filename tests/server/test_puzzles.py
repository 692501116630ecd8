"""What the requests about puzzles answer; `test_rest` makes them over HTTP."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

import msgspec
import pytest

from coatl import puzzles
from coatl.puzzles import PuzzleKind
from coatl.server import protocol
from coatl.server.protocol import PuzzleRequest, RequestError
from coatl.server.rest.puzzles import all_puzzles, day_puzzle, puzzle_of_day, puzzle_state
from coatl.table.errors import TableError
from tests.puzzles.clock import InAuckland

if TYPE_CHECKING:
    from coatl.server.rest.operation import Call

SHIPPED = puzzles.shipped().puzzles


def number_of(kind: PuzzleKind) -> int:
    return next(number for number, puzzle in enumerate(SHIPPED, 1) if puzzle.kind is kind)


@pytest.mark.parametrize("kind", PuzzleKind)
def test_a_puzzle_is_solved_move_by_move(kind: PuzzleKind) -> None:
    """As a page does it: it plays what the answers allow."""
    number = str(number_of(kind))
    path = puzzles.solution(SHIPPED[int(number) - 1])
    for length, move in enumerate(path):
        state = puzzle_state(number, PuzzleRequest(path[:length], check=True))
        assert state.verdict is not None
        assert not state.verdict.solved
        assert move in [one.text for one in state.view.moves]
    done = puzzle_state(number, PuzzleRequest(path, check=True))
    assert done.path == path
    assert done.verdict is not None
    assert (done.verdict.solved, done.verdict.complete, done.verdict.short) == (True, True, 0)
    assert done.verdict.wins == (kind in (PuzzleKind.WIN, PuzzleKind.ADAM))
    assert msgspec.json.decode(msgspec.json.encode(done), type=protocol.PuzzleState).number


@pytest.mark.parametrize("kind", PuzzleKind)
def test_nothing_gives_the_answer_away(kind: PuzzleKind) -> None:
    state = puzzle_state(str(number_of(kind)), PuzzleRequest())
    coatl = state.view.seats[0].coatls[state.target]
    assert (state.answer, state.verdict, coatl.closing) == (None, None, None)
    assert kind is not PuzzleKind.CARDS or (coatl.hand, coatl.temples) == ((), ())


def test_the_answer_is_revealed_on_demand() -> None:
    puzzle = SHIPPED[0]
    answer = puzzle_state("1", PuzzleRequest(reveal=True)).answer
    assert answer is not None
    cards = (*answer.cards, answer.temple) if answer.temple else answer.cards
    assert f"{answer.pieces}:{','.join(cards)}" == puzzle.answer
    assert puzzles.follow(puzzle, answer.moves).judge().solved


def test_why_a_move_is_not_allowed() -> None:
    number = str(number_of(PuzzleKind.CLOSE))
    reason = puzzle_state(number, PuzzleRequest(why="2+R")).reason
    assert reason is not None
    assert reason.clause
    hidden = puzzle_state(str(number_of(PuzzleKind.CARDS)), PuzzleRequest(why="1:KKK")).reason
    assert hidden is not None
    assert hidden.clause is None


def test_the_list_and_the_day() -> None:
    found = all_puzzles()
    assert len({info.id for info in found.puzzles}) == len(SHIPPED)
    late = day_puzzle(datetime(2026, 11, 18, 23, 59, 30, tzinfo=UTC))
    number = puzzles.number_of_day(datetime(2026, 11, 18, tzinfo=UTC).date(), len(SHIPPED))
    assert late == protocol.DayPuzzle("2026-11-18", number, 31)


def test_the_day_is_that_of_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coatl.server.rest.puzzles.datetime", InAuckland)
    today = asyncio.run(puzzle_of_day(cast("Call", None)))
    assert (today.day, today.seconds) == ("2026-11-18", 4 * 3600 + 1)


@pytest.mark.parametrize("number", ["0", "x", "100000", "-1", "²"])
def test_there_is_no_such_puzzle(number: str) -> None:
    with pytest.raises(RequestError, match="there are puzzles 1 to"):
        puzzle_state(number, PuzzleRequest())


def test_moves_that_cannot_be_made() -> None:
    for path in ("take b1",), ("what?",), ("1+R",) * 40:
        with pytest.raises(TableError):
            puzzle_state("1", PuzzleRequest(path))
