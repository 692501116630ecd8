"""The requests about puzzles: what there is, the one of the day, and where moves lead."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256

from coatl import puzzles
from coatl.errors import IllegalMove, NotationError
from coatl.puzzles import Attempt, Puzzle, UnknownPuzzle
from coatl.puzzles.puzzle import BOTS, Completed
from coatl.reasons import Reason
from coatl.server import protocol
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.rest.operation import BODY_ERRORS, Call, Operation
from coatl.table.errors import Code, TableError

ID_LENGTH = 12


async def list_puzzles(call: Call) -> protocol.PuzzleList:
    return all_puzzles()


async def puzzle_of_day(call: Call) -> protocol.DayPuzzle:
    return day_puzzle(datetime.now(UTC))


async def solve(call: Call) -> protocol.PuzzleState:
    number = call.request.path_params["number"]
    return await call.work(lambda _: puzzle_state(number, call.body))


@cache
def all_puzzles() -> protocol.PuzzleList:
    infos = [
        protocol.PuzzleInfo(puzzle_id(puzzle), puzzle.kind, puzzle.found)
        for puzzle in puzzles.shipped().puzzles
    ]
    return protocol.PuzzleList(tuple(infos), BOTS)


def day_puzzle(now: datetime) -> protocol.DayPuzzle:
    """At a moment in UTC."""
    day = now.date()
    number = puzzles.number_of_day(day, len(puzzles.shipped().puzzles))
    midnight = datetime.combine(day + timedelta(days=1), datetime.min.time(), UTC)
    return protocol.DayPuzzle(day.isoformat(), number, int((midnight - now).total_seconds()) + 1)


def puzzle_id(puzzle: Puzzle) -> str:
    return sha256(puzzle.position.encode()).hexdigest()[:ID_LENGTH]


def puzzle_state(number: str, asked: protocol.PuzzleRequest) -> protocol.PuzzleState:
    try:
        puzzle = puzzles.shipped().puzzle(
            int(number) if number.isascii() and number.isdigit() else 0
        )
        attempt = puzzles.follow(puzzle, asked.path)
    except UnknownPuzzle as error:
        raise RequestError(ServerCode.NOT_FOUND, str(error)) from None
    except NotationError as error:
        raise TableError(Code.UNREADABLE, str(error)) from None
    except IllegalMove as error:
        raise TableError(Code.ILLEGAL, error.reason, error.clause, error.cause) from None
    return protocol.PuzzleState(
        number=int(number),
        id=puzzle_id(puzzle),
        kind=puzzle.kind,
        target=attempt.target,
        path=attempt.path,
        chosen=tuple(move.card or "" for move in attempt.chosen),
        view=attempt.shown,
        reason=None if asked.why is None else _reason(attempt, asked.why),
        verdict=_verdict(attempt) if asked.check else None,
        answer=_answer(puzzle) if asked.reveal else None,
    )


def _reason(attempt: Attempt, text: str) -> protocol.MoveReason:
    """Why a move is not allowed; where cards are to be found, that would be the answer."""
    try:
        reason: Reason | None = None if attempt.chooses_cards else attempt.game.why(text)
    except NotationError as error:
        raise TableError(Code.UNREADABLE, str(error)) from None
    if reason is None:
        return protocol.MoveReason(text, None, None, None)
    return protocol.MoveReason(text, reason.clause, reason.cause, reason.text)


def _verdict(attempt: Attempt) -> protocol.PuzzleVerdict:
    found = attempt.judge()
    return protocol.PuzzleVerdict(
        found.solved, found.points is not None, found.wins, found.points, found.short, found.unmet
    )


def _answer(puzzle: Puzzle) -> protocol.PuzzleAnswer:
    attempt = puzzles.follow(puzzle, ())
    names = attempt.game.deck.temple_ids
    pieces, _, rest = puzzle.answer.partition(":")
    cards = tuple(name for name in rest.split(",") if name not in names)
    found = Completed(pieces, cards, next((n for n in rest.split(",") if n in names), None))
    moves = puzzles.solution(puzzle)
    return protocol.PuzzleAnswer(found.pieces, found.cards, puzzle.points, found.temple, moves)


OPERATIONS = (
    Operation(
        "GET",
        "/api/puzzles",
        "list_puzzles",
        "All puzzles, by number; to be kept, and asked for by their `ETag`.",
        list_puzzles,
        protocol.PuzzleList,
        compresses=True,
        keeps=True,
    ),
    Operation(
        "GET",
        "/api/puzzles/day",
        "puzzle_of_day",
        "The puzzle of the day, by the date in UTC.",
        puzzle_of_day,
        protocol.DayPuzzle,
    ),
    Operation(
        "POST",
        "/api/puzzles/{number}",
        "solve",
        "Where moves lead in a puzzle, and whether that is the answer.",
        solve,
        protocol.PuzzleState,
        body=protocol.PuzzleRequest,
        errors=(*BODY_ERRORS, ServerCode.NOT_FOUND, Code.ILLEGAL, Code.UNREADABLE),
        compresses=True,
    ),
)
