"""Games that have been played up to some point, put into a server's file before it starts.

The secret and the nonces are fixed, so each is the same game every time, also when it is played on
(`tests.browser.chance`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coatl.fairness import promise_of
from coatl.players import make_player
from coatl.server.roles import Role
from coatl.server.sqlite_store import SqliteStore
from coatl.server.store import hash_token
from coatl.simulate import player_chances
from coatl.table import Entry, Opened, PlaceKind, PlaceSpec, Table
from tests.browser.rusher import Rusher

Json = dict[str, Any]


@dataclass(frozen=True)
class Prepared:
    """A table in the file, and what opens it."""

    id: str
    table: Table
    seats: tuple[str | None, ...]  # by place; a bot has none
    watch: str
    nonces: tuple[str, ...]

    def held(self, *places: int) -> list[Json]:
        """What a browser keeps of these places (web/src/lib/seats.ts)."""
        return [
            {
                "table": self.id,
                "token": self.seats[place],
                "role": "seat",
                "nonce": self.nonces[place],
                "promise": self.table.opened.promise,
                "name": self.table.places[place].name,
                "at": 0,
            }
            for place in places
        ]

    def held_by_a_spectator(self) -> list[Json]:
        return [
            {"table": self.id, "token": self.watch, "role": "watch", "nonce": "0" * 64, "at": 0}
        ]


def prepare(
    folder: Path,
    *kinds: str,
    until: Callable[[Table], bool],
    seed: int = 1,
    hurry: bool = True,
    id: str | None = None,
    **options: Any,
) -> Prepared:
    """Play a table of `kinds` (a person's name, ``bot:BOT`` or ``bot:BOT as NAME``) until something
    is the case; with `practice` from a position on.

    People are played by the player in a hurry, or else by a greedy one.
    """
    secret = f"{seed:064x}"
    promise = "" if "practice" in options else promise_of(secret)
    opened = Opened(tuple(_place(kind) for kind in kinds), promise, **options)
    table = Table(opened, secret)
    nonces = tuple(f"{1000 * seed + place:064x}" for place in range(len(kinds)))
    entries: list[Entry] = [opened]
    entries += [
        table.join(place, nonces[place]) for place, at in enumerate(table.places) if not at.is_ready
    ]
    choosers = [_chooser(kind, seed, place, hurry) for place, kind in enumerate(kinds)]
    while table.status == "playing" and not until(table):
        place = table.to_move
        assert place is not None
        move = choosers[place](table, place)
        is_bot = table.places[place].bot is not None
        entries.append(
            table.bot_decides(place, move) if is_bot else table.decide(place, move, table.version)
        )
    prepared = Prepared(
        id or f"prepared-{seed}",
        table,
        tuple(None if kind.startswith("bot:") else _token(seed, n) for n, kind in enumerate(kinds)),
        _token(seed, 9),
        nonces,
    )
    _store(folder, prepared, secret, entries)
    return prepared


def _place(kind: str) -> PlaceSpec:
    if not kind.startswith("bot:"):
        return PlaceSpec(PlaceKind.PERSON, kind)
    bot, _, name = kind.removeprefix("bot:").partition(" as ")
    return PlaceSpec(PlaceKind.BOT, name, bot)


def _token(seed: int, number: int) -> str:
    return f"token-{seed:08}-{number:012}"


def _chooser(kind: str, seed: int, place: int, hurry: bool) -> Callable[[Table, int], str]:
    if hurry and not kind.startswith("bot:"):
        rusher = Rusher(seed + place)
        return lambda table, at: rusher.choose(view_of(table, at)).text
    player = make_player(_place(kind).bot or "greedy", player_chances(str(seed), place, 0))

    def choose(table: Table, at: int) -> str:
        view = table.view(at)
        assert view is not None
        return player.choose(view, view.moves).text

    return choose


def view_of(table: Table, place: int | None) -> Json:
    view = table.view(place)
    assert view is not None
    return dict(json.loads(view.to_json()))


def _store(folder: Path, prepared: Prepared, secret: str, entries: list[Entry]) -> None:
    """`close` writes what is waiting."""
    failures: list[Exception] = []

    def note(error: Exception | None) -> None:
        if error is not None:
            failures.append(error)

    access: list[tuple[bytes, Role, int | None]] = [
        (hash_token(token), Role.SEAT, place)
        for place, token in enumerate(prepared.seats)
        if token is not None
    ]
    access.append((hash_token(prepared.watch), Role.WATCH, None))
    store = SqliteStore(folder)
    store.open_table(prepared.id, secret, entries[0], access, note)
    for version, entry in enumerate(entries[1:], 2):
        store.append(prepared.id, version, entry, note)
    store.close()
    assert failures == []


def in_turn(turn: int, place: int = 0, phase: str = "main") -> Callable[[Table], bool]:
    """Until a place is to decide, in such a phase, in some turn of the game or later."""

    def fits(table: Table) -> bool:
        game = table.game
        assert game is not None
        return game.turn >= turn and table.to_move == place and game.phase == phase

    return fits
