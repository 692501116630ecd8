"""A table in memory, with those who are connected to it."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from coatl.server import protocol
from coatl.server.peers import WATCHING, Here
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.roles import Role
from coatl.server.store import Access, StoredTable
from coatl.server.table_state import place_infos, table_state
from coatl.table import Entry, PlaceKind, Status, Table

if TYPE_CHECKING:
    from coatl.server.connection import Connection

_ENCODER = msgspec.json.Encoder()
Change = Callable[[Table], Entry]  # something that is done at a table


class Room:
    """Whoever changes the table holds `lock` until the change is stored and published."""

    def __init__(self, id: str, stored: StoredTable) -> None:
        self.id = id
        self.created = stored.created
        self.access: dict[bytes, Access] = dict(stored.access)
        self.table = Table.rebuild(stored.entries, stored.secret)
        self.lock = asyncio.Lock()
        self.connections: set[Connection] = set()
        self.elsewhere: Here = {}  # connections at other processes, by place
        self.tell_presence: Callable[[Room], None] | None = None  # to other processes
        self.address = ""  # of who came last; for those who share the threads of bots
        self.last_used = time.monotonic()
        self.away_since = dict.fromkeys(range(len(self.table.places)), self.last_used)
        self.bot_task: asyncio.Task[None] | None = None
        self.is_stuck = False  # the bot to move cannot, and the substitute cannot either
        self.news = asyncio.Event()  # for the bot that waits for a screen: look again
        self.is_dead = False  # it may hold what was never stored: nobody may use it
        self.is_removed = False  # for good
        self._rendered: dict[tuple[int | None, int], bytes] = {}
        self._places: Any = None  # of states, as JSON

    def go_back(self, table: Table) -> None:
        """Go back to the table that is stored, after a change that was not."""
        self.table = table
        self._forget_rendered()
        self.news.set()

    def give_up(self) -> None:
        """The store cannot be read, so nobody knows what is true: disconnect everybody."""
        self.is_dead = True
        for connection in self.connections:
            connection.end()

    def remove(self) -> None:
        """The table is no longer stored: tell everybody that there is none."""
        self.is_dead = self.is_removed = True
        for connection in self.connections:
            connection.end(ServerCode.UNKNOWN_TABLE)

    def check_alive(self) -> None:
        """For whoever has waited for the lock; raises `RequestError`."""
        if self.is_removed:
            raise RequestError(ServerCode.UNKNOWN_TABLE)
        if self.is_dead:
            raise RequestError(ServerCode.STORAGE)

    # -------------------------------------------------------------- presence

    def enter(self, connection: Connection) -> None:
        self.connections.add(connection)
        self.address = connection.address
        self._forget_rendered()  # a state says who is connected
        self.last_used = time.monotonic()

    def leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self._forget_rendered()
        self.last_used = time.monotonic()
        place = connection.place
        if place is not None and not self.is_connected(place):
            self.away_since[place] = self.last_used
        self.news.set()

    def is_connected(self, place: int) -> bool:
        return self.is_connected_here(place) or place in self.elsewhere

    def is_connected_here(self, place: int) -> bool:
        return any(connection.place == place for connection in self.connections)

    def connected_here(self) -> Here:
        """Connections to this process, by place."""
        places = (connection.place for connection in self.connections)
        return Counter(WATCHING if place is None else place for place in places)

    def set_elsewhere(self, elsewhere: Here) -> None:
        """Who is connected to other processes has changed."""
        if elsewhere == self.elsewhere:
            return
        left = self.elsewhere.keys() - elsewhere.keys()
        self.elsewhere = elsewhere
        now = time.monotonic()
        self.away_since |= {place: now for place in left if not self.is_connected(place)}
        self._forget_rendered()
        self.news.set()
        self._show_presence()

    def away_seconds(self, place: int) -> float:
        if self.is_connected(place):
            return 0.0
        return time.monotonic() - self.away_since.get(place, 0.0)

    def note_shown(self, connection: Connection, version: int) -> None:
        connection.shown = version
        self.news.set()

    def is_shown(self, place: int) -> bool:
        """Do all screens of a place show the table as it is, as far as their clients tell?"""
        return all(
            connection.shown is None or connection.shown >= self.table.version
            for connection in self.connections
            if connection.place == place
        )

    def connections_of(self, place: int | None) -> int:
        here = sum(connection.place == place for connection in self.connections)
        return here + self.elsewhere.get(WATCHING if place is None else place, 0)

    def presence(self) -> bytes:
        connected = tuple(self.is_connected(n) for n in range(len(self.table.places)))
        return _ENCODER.encode(protocol.Presence(connected, self.connections_of(None)))

    def publish_presence(self) -> None:
        if self.tell_presence is not None:
            self.tell_presence(self)
        self._show_presence()

    def _show_presence(self) -> None:
        message = self.presence()
        for connection in self.connections:
            connection.offer(message)

    # -------------------------------------------------------------- open places

    @property
    def may_be_joined(self) -> bool:
        """Are there places for whoever comes first, and has the game not begun?"""
        places = range(len(self.table.places))
        return self.table.game is None and any(map(self.table.is_for_anybody, places))

    @property
    def taken_places(self) -> set[int]:
        """The places for whoever comes first that somebody has a token for."""
        given = {access.place for access in self.access.values() if access.role == Role.SEAT}
        places = range(len(self.table.places))
        return {place for place in places if place in given and self.table.is_for_anybody(place)}

    @property
    def free_place(self) -> int | None:
        """The first one that nobody has taken."""
        taken = self.taken_places
        for number, place in enumerate(self.table.places):
            if place.kind == PlaceKind.OPEN and number not in taken:
                return number
        return None

    def void_seat(self, place: int) -> None:
        """The tokens of a place open nothing any more."""
        self.set_access(
            {
                hashed: access
                for hashed, access in self.access.items()
                if access.role != Role.SEAT or access.place != place
            }
        )

    def set_access(self, access: dict[bytes, Access]) -> None:
        """What opens the table now; those whose token does not any more are disconnected."""
        gone = {self.access[hashed].place for hashed in self.access.keys() - access.keys()}
        self.access = dict(access)
        self._forget_rendered()  # a state says which places are taken
        for connection in self.connections:
            if connection.place is not None and connection.place in gone:
                connection.end()

    # -------------------------------------------------------------- states

    @property
    def event_count(self) -> int:
        game = self.table.game
        return 0 if game is None else game.event_count

    def publish(
        self,
        requester: Connection | None = None,
        reply: str | None = None,
        is_decision: bool = False,
    ) -> None:
        """Everybody gets the table as it is now. Only called when all of it is stored.

        `is_decision`: in the game, and nothing has changed about who sits where.
        """
        self.last_used = time.monotonic()
        self._rendered.clear()
        if not is_decision:
            self._places = None
        self.news.set()
        for connection in self.connections:
            connection.offer_state(self, reply if connection is requester else None)

    def render(self, place: int | None, base: int) -> bytes:
        """The state message of a place with the events from number `base` on."""
        found = self._rendered.get((place, base))
        if found is None:
            found = _ENCODER.encode(self._state(place, base))
            self._rendered[place, base] = found
        return found

    def _state(self, place: int | None, base: int) -> protocol.TableState:
        if self._places is None:
            taken = self.taken_places if self.table.game is None else ()
            infos = place_infos(self.table, self.is_connected, taken)
            self._places = msgspec.Raw(_ENCODER.encode(infos))
        return table_state(self.id, self.table, place, base, self._places)

    def _forget_rendered(self) -> None:
        self._rendered.clear()
        self._places = None

    # -------------------------------------------------------------- bots

    @property
    def bot_count(self) -> int:
        """The places at which bots play, or will when the game begins."""
        if self.table.status == Status.OVER:
            return 0
        return sum(place.bot is not None for place in self.table.places)

    @property
    def is_awaited(self) -> bool:
        """Does anybody wait for the bots: somebody who is there, or a person whose turn will come?

        Where bots play for everybody and nobody looks, the game waits until somebody does.
        """
        return bool(self.connections) or self.table.has_people

    @property
    def is_thinking(self) -> bool:
        """Do its bots play, or wait until they may?"""
        return self.bot_task is not None and not self.bot_task.done()

    @property
    def is_idle(self) -> bool:
        return not self.connections and not self.is_thinking and not self.lock.locked()

    def is_idle_since(self, moment: float) -> bool:
        """Has nobody used it since then, by the monotonic clock?"""
        return self.is_idle and self.last_used < moment
