"""The requests about records: some steps, or the course of the whole game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, cast

import msgspec

from coatl.errors import RecordError
from coatl.events import Event, EventKind
from coatl.game import Game
from coatl.moves import Move, MoveKind
from coatl.rules.cards import DeckError
from coatl.server import protocol
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.rest.operation import BODY_ERRORS, Call, Operation
from coatl.view import ViewData

Request = TypeVar("Request")
Answer = TypeVar("Answer")


async def _answer(make: Callable[[Request], Answer], request: Request) -> Answer:
    """What `make` returns in another thread; a record that cannot be replayed is refused."""
    try:
        return await asyncio.to_thread(make, request)
    except RecordError as error:
        raise RequestError(ServerCode.BAD_RECORD, str(error), error.line) from None
    except DeckError as error:
        raise RequestError(ServerCode.BAD_RECORD, str(error)) from None


async def replay(call: Call) -> protocol.ReplayStep:
    return await _answer(step_of, call.body)


async def replay_steps(call: Call) -> protocol.ReplaySteps:
    return await _answer(steps_of, call.body)


async def replay_overview(call: Call) -> protocol.ReplayOverview:
    return await _answer(overview_of, call.body)


def step_of(request: protocol.ReplayRequest) -> protocol.ReplayStep:
    return _steps(request.record, range(request.step, request.step + 1), request.seat)[0]


def steps_of(request: protocol.ReplayRange) -> protocol.ReplaySteps:
    steps = range(request.first, request.first + request.count)
    return protocol.ReplaySteps(tuple(_steps(request.record, steps, request.seat)))


def _steps(record: str, wanted: range, seat: int | None) -> list[protocol.ReplayStep]:
    last = Game.replay(record)  # the whole record must hold before any of it is shown
    players, steps = last.options.players, len(last.moves_made) + 1
    if seat is not None and seat >= players:
        raise RequestError(ServerCode.BAD_MESSAGE, f"the game has {players} seats")
    if wanted.start >= steps:
        raise RequestError(ServerCode.BAD_MESSAGE, f"the record has steps 0 to {steps - 1}")
    happened = last.all_events()
    events = happened if seat is None else last.events(seat)
    found = []
    before = 0
    for step, game in enumerate(Game.steps(record)):
        if step in wanted:
            found.append(
                protocol.ReplayStep(
                    step=step,
                    steps=steps,
                    move=_decided(happened[before : game.event_count]),
                    seats=last.seats,
                    views=_views(game, range(players) if seat is None else [seat]),
                    events=tuple(events[before : game.event_count]),
                    over=game.over,
                )
            )
        before = game.event_count
    return found


def _views(game: Game, seats: Iterable[int]) -> tuple[ViewData, ...]:
    views = tuple(msgspec.Raw(game.view(seat).to_json()) for seat in seats)
    return cast("tuple[ViewData, ...]", views)


def overview_of(request: protocol.ReplayRecord) -> protocol.ReplayOverview:
    last = Game.replay(request.record)
    moves: list[protocol.ReplayMove] = []
    phase, seat, turn, before = "", 0, 0, 0
    for step, game in enumerate(Game.steps(request.record)):
        events = last.all_events()[before : game.event_count]
        if step:
            move = _decided(events)
            kind = kind_of(move, phase, events)
            if kind == "undo":  # it is told by whoever takes back, also after their turn
                seat, turn = game.seat or 0, game.turn
            scores = tuple(game.scores())
            moves.append(protocol.ReplayMove(move, seat, turn, kind, scores, tuple(events)))
        phase, seat, turn, before = game.phase, game.seat or 0, game.turn, game.event_count
    outcome = last.outcome() if last.over else None
    options = last.options
    return protocol.ReplayOverview(
        players=options.players,
        seats=last.seats,
        levels=options.solo,
        moves=tuple(moves),
        over=last.over,
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
