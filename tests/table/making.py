"""Tables for tests: opened, filled, played at random with everything that can happen at one."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import pytest

from coatl.fairness import promise_of
from coatl.game import Game
from coatl.table import Entry, Opened, PlaceKind, PlaceSpec, Table, TableError
from coatl.table.errors import Code

SECRET = "5e" * 32


def nonce_of(place: int, number: int = 0) -> str:
    return f"{16 * number + place:064x}"


def spec(kind: str) -> PlaceSpec:
    """``person``, ``open``, ``person:Ana``, or the name of a bot."""
    what, _, name = kind.partition(":")
    if what in ("person", "open"):
        return PlaceSpec(PlaceKind(what), name)
    return PlaceSpec(PlaceKind.BOT, name, what)


def opening(*kinds: str, secret: str = SECRET, **options: Any) -> Opened:
    return Opened(tuple(map(spec, kinds)), promise_of(secret), **options)


def open_table(*kinds: str, secret: str = SECRET, **options: Any) -> Table:
    return Table(opening(*kinds, secret=secret, **options), secret)


def sit_down(table: Table, number: int = 0) -> list[Entry]:
    """Everybody who is missing joins; `number` makes other nonces."""
    return [
        table.join(place, nonce_of(place, number))
        for place, at in enumerate(table.places)
        if not at.is_ready
    ]


def started(*kinds: str, number: int = 0, **options: Any) -> Table:
    table = open_table(*kinds, **options)
    sit_down(table, number)
    return table


def game_of(table: Table) -> Game:
    assert table.game is not None
    return table.game


def first_move(table: Table) -> str:
    return game_of(table).legal_moves()[0].text


def turn_of(table: Table) -> int:
    assert table.to_move is not None
    return table.to_move


def play_on(table: Table, rng: random.Random) -> Entry:
    """The next decision, at random, whoever makes it."""
    place, move = turn_of(table), rng.choice(game_of(table).legal_moves()).text
    if table.places[place].bot is not None:
        return table.bot_decides(place, move)
    return table.decide(place, move, table.version)


def play_to_the_end(table: Table, seed: int = 0) -> Table:
    rng = random.Random(seed)
    while table.status == "playing":
        play_on(table, rng)
    return table


@lru_cache(maxsize=8)
def log_of_a_game(*kinds: str, seed: int = 0, solo: tuple[int, ...] | None = None) -> list[Entry]:
    """Of a whole game of decisions only."""
    opened = opening(*kinds, levels=solo)
    table = Table(opened, SECRET)
    log: list[Entry] = [opened, *sit_down(table)]
    rng = random.Random(seed)
    while table.status != "over":
        log.append(play_on(table, rng))
    return log


def finished(*kinds: str, seed: int = 0, solo: tuple[int, ...] | None = None) -> Table:
    """A table whose game is over."""
    return rebuilt(log_of_a_game(*kinds, seed=seed, solo=solo))


def rebuilt(log: list[Entry], secret: str = SECRET) -> Table:
    return Table.rebuild(log, secret)  # type: ignore[arg-type] # each is one of AnyEntry


# ---------------------------------------------------------------- all that a table is


def picture(table: Table) -> object:
    """Everything that anybody could notice of a table, the bytes of all views included."""
    viewers = [*range(len(table.places)), None]
    views = [table.view(viewer) for viewer in viewers]
    return (
        (table.version, table.status, table.to_move, table.bot_to_move, table.rematch),
        (table.seating, tuple(dataclasses.astuple(place) for place in table.places)),
        tuple(table.notes),
        dict(table._done),
        None if table.game is None else picture_of_game(table.game),
        [None if view is None else (view.to_json(), view.moves) for view in views],
        [table.events(viewer) for viewer in viewers],
    )


def picture_of_game(game: Game) -> object:
    return game.digest, game.seed, game.seats, game.fairness, game.can_undo, game.moves_made


def assert_refused(table: Table, code: Code, call: Callable[[], object]) -> TableError:
    """It is, with this code, and nothing whatever has changed."""
    before = picture(table)
    with pytest.raises(TableError) as caught:
        call()
    assert caught.value.code is code
    assert picture(table) == before
    return caught.value


# ---------------------------------------------------------------- anything that can happen


def random_log(opened: Opened, seed: int, secret: str = SECRET) -> Iterator[tuple[Table, Entry]]:
    """The table and each new entry, from the opening to the rematch."""
    table = Table(opened, secret)
    rng = random.Random(seed)
    yield table, opened
    while table.status == "waiting":
        yield table, random_arrival(table, rng)
    while table.status == "playing":
        yield table, random_change(table, rng)
    yield table, table.rematched("another table")


def random_arrival(table: Table, rng: random.Random) -> Entry:
    missing = [place for place, at in enumerate(table.places) if not at.is_ready]
    place = rng.choice(missing)
    return table.join(place, f"{rng.getrandbits(256):064x}", rng.choice(["Ana", None]), "join")


def random_change(table: Table, rng: random.Random) -> Entry:
    id = f"{table.version}"
    entry = random_leave(table, rng, id) if rng.random() < 0.1 else None
    if entry is not None:
        return entry
    place = turn_of(table)
    if table.is_turn_of(place) and table.has_hints and not table.was_hinted and rng.random() < 0.1:
        return table.hint(place, table.version)
    if table.places[place].bot is None and game_of(table).can_undo and rng.random() < 0.2:
        return table.undo(place, table.version, id)
    move = rng.choice(game_of(table).legal_moves()).text
    if table.places[place].bot is not None:
        return table.bot_decides(place, move)
    return table.decide(place, move, table.version, id)


def random_leave(table: Table, rng: random.Random, id: str) -> Entry | None:
    """Somebody leaves or comes back, or a bot breaks down; None if that cannot be now."""
    place = rng.randrange(len(table.places))
    at = table.places[place]
    if at.kind == "person" and at.gave_up is None and rng.random() < 0.1:
        return table.give_up(place, id)
    if at.bot is not None and rng.random() < 0.3:
        return table.bot_failed(place, "out of order")
    if at.kind == "bot" or at.gave_up is not None:
        return None
    if at.bot is not None:
        return None if at.returns else table.take_back(place, id)
    return table.hand_over(place, rng.choice(["random", "greedy"]), rng.random() < 0.5, 99.0, id)
