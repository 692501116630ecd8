"""A record looked at: one step, several, or the course of the whole game."""

from __future__ import annotations

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
from coatl.view import ViewData

Wish = TypeVar("Wish")
Found = TypeVar("Found")


def answer(make: Callable[[Wish], Found], wish: Wish) -> Found:
    """What `make` finds; a record that does not hold is told with its line."""
    try:
        return make(wish)
    except RecordError as error:
        raise RequestError(ServerCode.BAD_RECORD, str(error), error.line) from None
    except DeckError as error:
        raise RequestError(ServerCode.BAD_RECORD, str(error)) from None


def one_step(wish: protocol.ReplayRequest) -> protocol.ReplayStep:
    return _steps(wish.record, range(wish.step, wish.step + 1), wish.seat)[0]


def some_steps(wish: protocol.ReplayRange) -> protocol.ReplaySteps:
    steps = range(wish.first, wish.first + wish.count)
    return protocol.ReplaySteps(tuple(_steps(wish.record, steps, wish.seat)))


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


def overview(wish: protocol.ReplayRecord) -> protocol.ReplayOverview:
    last = Game.replay(wish.record)
    moves: list[protocol.ReplayMove] = []
    phase, seat, turn, before = "", 0, 0, 0
    for step, game in enumerate(Game.steps(wish.record)):
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
