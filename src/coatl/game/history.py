"""What was decided in a game, and what happened then.

Events are made when somebody asks for them. Whoever asks after each decision, as a server does,
gets them from the states before and after it. Otherwise, and in solo, where A.D.A.M. plays in
between, the decisions since the last time are carried out once more, with the draws that were made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import msgspec

from coatl.compiler.records import records_in
from coatl.events import Event, EventKind, Recorded
from coatl.game.observer import observer_of
from coatl.moves import Move
from coatl.rules import compiled
from coatl.rules.cards import Deck
from coatl.rules.chance import CARD_DRAWN, TEMPLE_DRAWN, Chances, new_chance, set_script
from coatl.rules.decisions import DECISIONS, STEP, new_choices
from coatl.rules.snapshot import Snapshot
from coatl.rules.state import ADAM, StateRecord
from coatl.rules.tables import card_tables


class HistoryEntry(msgspec.Struct, frozen=True, gc=False):
    """One decision of a game, or the taking back of one.

    There are many at a server, and nothing in one leads back to it: the garbage collector need not
    look at them.
    """

    seat: int
    turn: int
    move: Move
    draws: tuple[int, ...]
    is_undo: bool = False

    @property
    def text(self) -> str:
        return "undo" if self.is_undo else self.move.text


class History:
    """The log of a game and its events."""

    __slots__ = ("_after", "_before", "_ends", "_events", "_latest", "deck", "entries")

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.entries: list[HistoryEntry] = []
        self._events: list[Recorded] = []
        self._ends: list[int] = []  # how many events there were after each entry, as far as made
        self._before: bytes | None = None  # the state before the first entry without events
        self._after: bytes | None = None  # the state after it, if it is the only one
        self._latest: tuple[bytes, Snapshot] | None = None  # the last state that was read

    def copy(self) -> History:
        twin = History(self.deck)
        twin.entries, twin._latest = list(self.entries), self._latest
        twin._before, twin._after = self._before, self._after
        twin._events, twin._ends = list(self._events), list(self._ends)
        return twin

    def add(self, entry: HistoryEntry, before: bytes, after: bytearray) -> None:
        """A decision, and the states before and after it."""
        self.entries.append(entry)
        if self._before is None:
            self._before, self._after = before, bytes(after)
        else:
            self._after = None

    def add_undo(self, entry: HistoryEntry, at_setup: bool) -> None:
        """A decision was taken back; R13: at setup which one is a secret."""
        events = self.events()
        self.entries.append(entry)
        undone = Event(EventKind.UNDO, entry.seat, move=entry.move)
        events.append(Recorded(undone, entry.seat if at_setup else None))
        self._ends.append(len(events))

    def events(self) -> list[Recorded]:
        """All of them so far, as a list that grows."""
        if self._before is not None:
            before = self._read(self._before)
            if self._after is None or before.n_players == 1:
                self._carry_out_again(self._before)
            else:
                self._compare(before, self._after)
            self._before = self._after = None
        return self._events

    def _carry_out_again(self, before: bytes) -> None:
        replayer = _Replayer(self.deck, before)
        for entry in self.entries[len(self._ends) :]:
            self._events += replayer.events_of(entry)
            self._ends.append(len(self._events))

    def _compare(self, before: Snapshot, content: bytes) -> None:
        """The events of the last entry."""
        entry, observer, after = self.entries[-1], observer_of(self.deck), self._read(content)
        self._events.append(observer.made(before, entry.move))
        self._events += observer.watch(
            before, DECISIONS[entry.move.decision], after, _cards_among(entry.draws)
        )
        self._ends.append(len(self._events))

    def _read(self, content: bytes) -> Snapshot:
        """A state; most are read twice, after one decision and before the next."""
        if self._latest is None or self._latest[0] != content:
            self._latest = content, Snapshot(content)
        return self._latest[1]

    def events_of(self, number: int) -> list[Recorded]:
        """The events of one entry."""
        events = self.events()
        return events[self._ends[number - 1] if number else 0 : self._ends[number]]


class _Replayer:
    """Plays decisions again, and lists what happened."""

    def __init__(self, deck: Deck, before: bytes) -> None:
        self._observer = observer_of(deck)
        self._cards = card_tables(deck)
        self._states = records_in(StateRecord, bytearray(before))
        self._chances: Chances = new_chance(bytes(32))
        self._choices = new_choices()
        self._snapshot = Snapshot.of(self._states)

    def events_of(self, entry: HistoryEntry) -> list[Recorded]:
        set_script(self._chances, entry.draws)
        self._chances["n_drawn"] = 0
        found = [self._observer.made(self._snapshot, entry.move)]
        found += self._carry_out(entry.move.decision)
        while self._snapshot.phase == ADAM:
            found += self._carry_out(STEP)
        return found

    def _carry_out(self, number: int) -> list[Recorded]:
        before, chance = self._snapshot, self._chances[0]
        first = int(chance.n_drawn)
        compiled.apply(self._cards, self._states, 0, number, self._chances, self._choices)
        self._snapshot = Snapshot.of(self._states)
        draws = chance.drawn[first : int(chance.n_drawn)].tolist()
        return self._observer.watch(before, DECISIONS[number], self._snapshot, _cards_among(draws))


def _cards_among(draws: Sequence[int]) -> int:
    return sum([CARD_DRAWN <= draw < TEMPLE_DRAWN for draw in draws])


class LazyEvents(Sequence[Event]):
    """The events of one decision, with everybody's secrets; made when they are looked at."""

    __slots__ = ("_history", "_number")

    def __init__(self, history: History, number: int) -> None:
        self._history, self._number = history, number

    def _list(self) -> list[Event]:
        return [recorded.event for recorded in self._history.events_of(self._number)]

    def __len__(self) -> int:
        return len(self._history.events_of(self._number))

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        return self._list()[index]

    def __add__(self, other: Sequence[Event]) -> list[Event]:
        return [*self, *other]

    def __radd__(self, other: Sequence[Event]) -> list[Event]:
        return [*other, *self]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return self._list() == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._list())
