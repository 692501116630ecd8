"""The state message of a table, as a place may see it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import msgspec

from coatl.rules.turns import TurnOrder, seats_since_third, seats_to_come
from coatl.server import protocol
from coatl.table import Status, Table

if TYPE_CHECKING:
    from coatl.view import ViewData


def table_state(
    id: str, table: Table, place: int | None, base: int, places: tuple[protocol.PlaceInfo, ...]
) -> protocol.TableState:
    """With the events from number `base` on; `places` are those of `place_infos`."""
    game, status, seat = table.game, table.status, table.seat_of(place)
    is_over = status == Status.OVER
    return protocol.TableState(
        table=id,
        version=table.version,
        status=status,
        place=place,
        seat=seat,
        places=places,
        seating=table.seating,
        promise=table.opened.promise,
        can_undo=table.can_undo(place),
        events=() if game is None else tuple(game.events(seat, base)),
        first_event=base,
        view=None if game is None else cast("ViewData", msgspec.Raw(game.view_json(seat))),
        notes=_notes(table) if table.notes else (),
        turns=_turns(table),
        standing=_standing(table) if is_over else (),
        verdict=_verdict(table) if is_over else None,
        fairness=_fairness(table) if is_over else None,
        rematch=table.rematch,
        practice=table.opened.practice is not None,
        hints=table.has_hints,
    )


def place_infos(
    table: Table, is_connected: Callable[[int], bool], taken: Collection[int] = ()
) -> tuple[protocol.PlaceInfo, ...]:
    """Who sits at each place; `taken` are the open ones that somebody has a token for."""
    return tuple(
        protocol.PlaceInfo(
            kind=place.kind,
            name=place.name,
            ready=place.is_ready,
            connected=is_connected(number),
            bot=place.bot,
            gave_up=place.gave_up is not None,
            taken=number in taken,
            returns=place.returns,
        )
        for number, place in enumerate(table.places)
    )


def _notes(table: Table) -> tuple[protocol.NoteInfo, ...]:
    return tuple(
        protocol.NoteInfo(note.version, note.kind, note.place, note.text, note.events)
        for note in table.notes
    )


def _turns(table: Table) -> protocol.TurnsInfo | None:
    game = table.game
    if game is None or game.over or game.options.players == 1:
        return None
    return _turns_info(game.turn_order)


@lru_cache(maxsize=1024)
def _turns_info(order: TurnOrder) -> protocol.TurnsInfo:
    return protocol.TurnsInfo(seats_to_come(order), seats_since_third(order))


def _standing(table: Table) -> tuple[protocol.RankInfo, ...]:
    return tuple(
        protocol.RankInfo(
            rank.rank, rank.place, rank.points, rank.cards, rank.best_coatl, rank.gave_up
        )
        for rank in table.standing()
    )


def _verdict(table: Table) -> protocol.VerdictInfo | None:
    found = table.verdict()
    return None if found is None else protocol.VerdictInfo(*found)


def _fairness(table: Table) -> protocol.FairnessInfo | None:
    game = table.game
    if game is None or game.fairness is None or game.seed is None:
        return None
    nonces = {str(place): nonce for place, nonce in game.fairness.nonces.items()}
    return protocol.FairnessInfo(game.fairness.secret, nonces, game.seed)
