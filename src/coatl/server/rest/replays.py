"""The requests about records: some steps, or the course of the whole game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, cast

import msgspec

from coatl.errors import RecordError
from coatl.events import Event, EventKind
from coatl.game import Game
from coatl.moves import Move, MoveKind
from coatl.rules.cards import DeckError
from coatl.server import protocol
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.rest.operation import BODY_ERRORS, Call, Operation
from coatl.server.work import WorkMonitor
from coatl.view import ViewData

Answer = TypeVar("Answer")
Follow = Callable[[str], Iterator[Game]]  # the same game after each step of a record


async def _answer(call: Call, make: Callable[[Any, Follow], Answer]) -> Answer:
    """What `make` returns in another thread; a record that cannot be replayed is refused."""

    def work(monitor: WorkMonitor) -> Answer:
        return make(call.body, partial(_follow, monitor, call.services.settings.replay_steps))

    try:
        return await call.work(work)
    except RecordError as error:
        raise RequestError(ServerCode.BAD_RECORD, str(error), error.line) from None
    except DeckError as error:
        raise RequestError(ServerCode.BAD_RECORD, str(error)) from None


def _follow(monitor: WorkMonitor, most: int, record: str) -> Iterator[Game]:
    """`Game.steps`, while somebody waits for it, and up to `most` decisions (0: all)."""
    for step, game in enumerate(Game.steps(record)):
        monitor.check()
        if most and step > most:
            raise RequestError(ServerCode.TOO_LARGE, f"the record has more than {most} decisions")
        yield game


async def replay(call: Call) -> protocol.ReplayStep:
    return await _answer(call, step_of)


async def replay_steps(call: Call) -> protocol.ReplaySteps:
    return await _answer(call, steps_of)


async def replay_overview(call: Call) -> protocol.ReplayOverview:
    return await _answer(call, overview_of)


async def replay_position(call: Call) -> protocol.ReplayPosition:
    return await _answer(call, position_of)


def position_of(
    request: protocol.ReplayPlace, follow: Follow = Game.steps
) -> protocol.ReplayPosition:
    found: protocol.ReplayPosition | None = None
    last = 0
    for last, game in enumerate(follow(request.record)):  # to its end: all of it must hold
        if last == request.step:
            found = protocol.ReplayPosition(game.position, game.seat)
    if found is None:
        raise RequestError(ServerCode.BAD_MESSAGE, f"the record has steps 0 to {last}")
    return found


def step_of(request: protocol.ReplayRequest, follow: Follow = Game.steps) -> protocol.ReplayStep:
    wanted = range(request.step, request.step + 1)
    return _steps(follow(request.record), wanted, request.seat)[0]


def steps_of(request: protocol.ReplayRange, follow: Follow = Game.steps) -> protocol.ReplaySteps:
    wanted = range(request.first, request.first + request.count)
    return protocol.ReplaySteps(tuple(_steps(follow(request.record), wanted, request.seat)))


@dataclass
class _Position:
    """A step that was asked for: all that is lost when the game goes on."""

    step: int
    first_event: int  # of the step
    event_count: int
    views: tuple[ViewData, ...]
    over: bool


def _steps(games: Iterator[Game], wanted: range, seat: int | None) -> Sequence[protocol.ReplayStep]:
    """One pass, to its end: the whole record must hold before any of it is shown."""
    found: list[_Position] = []
    before = last = 0
    for last, game in enumerate(games):
        players = game.options.players
        if seat is not None and seat >= players:
            raise RequestError(ServerCode.BAD_MESSAGE, f"the game has {players} seats")
        count = game.event_count
        if last in wanted:
            views = _views(game, range(players) if seat is None else [seat])
            found.append(_Position(last, before, count, views, game.over))
        before = count
    if not found:
        raise RequestError(ServerCode.BAD_MESSAGE, f"the record has steps 0 to {last}")
    happened = game.all_events()
    events = happened if seat is None else game.events(seat)
    return [
        protocol.ReplayStep(
            step=at.step,
            steps=last + 1,
            move=_decided(happened[at.first_event : at.event_count]),
            seats=game.seats,
            views=at.views,
            events=tuple(events[at.first_event : at.event_count]),
            over=at.over,
        )
        for at in found
    ]


def _views(game: Game, seats: Iterable[int]) -> tuple[ViewData, ...]:
    views = tuple(msgspec.Raw(game.view_json(seat)) for seat in seats)
    return cast("tuple[ViewData, ...]", views)


def overview_of(
    request: protocol.ReplayRecord, follow: Follow = Game.steps
) -> protocol.ReplayOverview:
    moves: list[protocol.ReplayMove] = []
    phase, seat, turn, before = "", 0, 0, 0
    for step, game in enumerate(follow(request.record)):
        if step:
            events = game.all_events(before)
            move = _decided(events)
            kind = kind_of(move, phase, events)
            if kind == "undo":  # it is told by whoever takes back, also after their turn
                seat, turn = game.seat or 0, game.turn
            scores = tuple(game.scores())
            moves.append(protocol.ReplayMove(move, seat, turn, kind, scores, tuple(events)))
        phase, seat, turn, before = game.phase, game.seat or 0, game.turn, game.event_count
    outcome = game.outcome() if game.over else None
    options = game.options
    return protocol.ReplayOverview(
        players=options.players,
        seats=game.seats,
        levels=options.solo,
        moves=tuple(moves),
        over=game.over,
        winners=outcome.winners if outcome else (),
    )


def _decided(events: Sequence[Event]) -> Move | None:
    """The move that a step's events begin with; None for an `undo`, and at the setup."""
    return events[0].move if events and events[0].kind is EventKind.MOVE else None


def kind_of(move: Move | None, phase: str, events: Iterable[Event]) -> protocol.StepKind:
    """What a decision was for: the height of its bar in a timeline."""
    if move is None:
        return "undo"
    if any(event.kind is EventKind.COATL for event in events):
        return "complete"
    if phase == "setup":
        return "setup"
    if move.kind is MoveKind.DONE:
        return _DONE.get(phase, "assemble")
    return _STEPS.get(move.kind, "assemble")


_DONE: dict[str, protocol.StepKind] = {"pick": "choose", "future": "token"}
_STEPS: dict[MoveKind, protocol.StepKind] = {
    MoveKind.TAKE: "take",
    MoveKind.PICK: "choose",
    MoveKind.DRAW: "choose",
    MoveKind.TOKEN: "token",
    MoveKind.DROP: "token",
    MoveKind.PASS: "pass",
}


OPERATIONS = (
    Operation(
        "POST",
        "/api/replay",
        "replay",
        "A step of a record, as a seat saw it or with all cards open.",
        replay,
        protocol.ReplayStep,
        body=protocol.ReplayRequest,
        errors=(*BODY_ERRORS, ServerCode.BAD_RECORD),
        takes_record=True,
        compresses=True,
        use_instead="`POST /api/replay/steps` with `count` 1",
    ),
    Operation(
        "POST",
        "/api/replay/steps",
        "replay_steps",
        "Several steps of a record in a row.",
        replay_steps,
        protocol.ReplaySteps,
        body=protocol.ReplayRange,
        errors=(*BODY_ERRORS, ServerCode.BAD_RECORD),
        takes_record=True,
        compresses=True,
    ),
    Operation(
        "POST",
        "/api/replay/position",
        "replay_position",
        "A step of a record as a position, to open a practice table with.",
        replay_position,
        protocol.ReplayPosition,
        body=protocol.ReplayPlace,
        errors=(*BODY_ERRORS, ServerCode.BAD_RECORD),
        takes_record=True,
        compresses=True,
    ),
    Operation(
        "POST",
        "/api/replay/overview",
        "replay_overview",
        "Every decision of a record with what it was for and the points after it, for a timeline.",
        replay_overview,
        protocol.ReplayOverview,
        body=protocol.ReplayRecord,
        errors=(*BODY_ERRORS, ServerCode.BAD_RECORD),
        takes_record=True,
        compresses=True,
    ),
)
