"""What happened, in words: the events of a turn as a few short lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from coatl.events import Event, EventKind, Spot, SpotKind
from coatl.text.board import END_NAMES, TOKEN_NAMES, YOU
from coatl.text.drawing import plural

ADAM = "A.D.A.M."
ROW = Spot(SpotKind.ROW)  # all of it


class _Key(NamedTuple):
    """What events that share one line have in common."""

    kind: EventKind
    seat: int | None
    source: Spot | None
    target: Spot | None


class Narrator:
    """Describes events. `names` are those of the seats."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def describe(self, events: Iterable[Event], with_turns: bool = False) -> Iterator[str]:
        """Lines for what somebody did; refills are seen on the board and left out."""
        deeds = (event for event in events if event.kind is not EventKind.MOVE)
        for key, group in groupby(deeds, _key):
            if key is not None and key.kind is EventKind.TURN:
                if with_turns:
                    yield f"Turn {next(group).turn}: {self._who(key.seat)}"
                continue
            line = self._line(key, list(group)) if key is not None else None
            if line is not None:
                yield f"  {line}" if with_turns else line

    def _who(self, seat: int | None) -> str:
        return ADAM if seat is None else self.names[seat]

    def _line(self, key: _Key, events: list[Event]) -> str | None:
        who = self._who(key.seat)
        deed = _deed(key, events)
        if deed is not None:
            return f"{who} {_second_person(deed) if who == YOU else deed}"
        match events[0]:
            case Event(kind=EventKind.SHUFFLE):
                return "The discards are shuffled into a new deck"
            case Event(end=end) if end is not None:
                return f"The end is triggered: {END_NAMES[end]}"
        return None


def _key(event: Event) -> _Key | None:
    """Events with the same key share a line; None: left out."""
    source, target = event.source, event.target
    match source, target:
        case Spot(SpotKind.BAG | SpotKind.DECK), Spot(SpotKind.SUPPLY | SpotKind.ROW):
            return None  # a refill
        case Spot(SpotKind.ROW | SpotKind.PILE), Spot(SpotKind.ROW | SpotKind.PILE):
            return None  # a slide, or a card turned up
        case Spot(SpotKind.ROW), _:
            source = ROW
    return _Key(event.kind, event.seat, source, target)


def _deed(key: _Key, events: list[Event]) -> str | None:
    """What somebody did, beginning with the verb; None for what happens by itself."""
    first = events[0]
    things = ", ".join(filter(None, (event.piece or event.card for event in events)))
    match key.kind:
        case EventKind.PIECE:
            return _piece_verb(key, things)
        case EventKind.PROPHECY:
            return _card_verb(key, things, len(events))
        case EventKind.TEMPLE:
            return _temple_verb(key, things)
        case EventKind.TOKEN:
            return f"spends the token {TOKEN_NAMES[first.token or '']}"
        case EventKind.COATL:
            points = plural(first.points or 0, "point")
            return f"completes {_name(key.target)} {first.pieces} for {points}"
        case EventKind.LOOK:
            found = f"finds {_name(key.target)}" if key.target else "finds nothing"
            return f"looks for {first.card} and {found}"
        case EventKind.PASS:
            return "passes"
        case EventKind.UNDO:
            return f"takes back {first.move or 'a discard'}"
    return None


def _second_person(deed: str) -> str:
    """``takes K`` as one says it to the person who did it: ``take K``."""
    verb, _, rest = deed.partition(" ")
    verb = "pass" if verb == "passes" else verb.removesuffix("s")
    return f"{verb} {rest.replace(' and finds ', ' and find ')}".strip()


def _piece_verb(key: _Key, things: str) -> str:
    match key.source, key.target:
        case _, Spot(SpotKind.COATL):
            return f"puts {things} on {_name(key.target)}"
        case _, Spot(SpotKind.GONE):
            return f"lays {things} out of the game"
        case _, Spot(SpotKind.ADAM_CARD, at=int(at)):
            return f"puts {things} on card {at + 1}"
        case Spot(SpotKind.BAG), _:
            return f"takes {things} from the bags"
    return f"takes {things} from {_name(key.source)}"


def _card_verb(key: _Key, things: str, n: int) -> str:
    match key.source, key.target:
        case _, Spot(SpotKind.COATL):
            return f"fulfils {things} with {_name(key.target)}"
        case _, Spot(SpotKind.ADAM_FULFILLED):
            return f"fulfils {things}"
        case Spot(SpotKind.ROW), Spot(SpotKind.DISCARD):
            return f"discards the row: {things}"
        case _, Spot(SpotKind.DISCARD):
            return f"discards {things or plural(n, 'card')}"
        case Spot(SpotKind.DECK), _:
            return f"draws {things}" if things else f"draws {plural(n, 'card')} from the deck"
    return f"takes the Prophecy {things}"


def _temple_verb(key: _Key, things: str) -> str:
    match key.target:
        case Spot(SpotKind.COATL):
            return f"lays the Temple card {things} on {_name(key.target)}"
    return f"takes the Temple card {things} into the hand"


def _name(place: Spot | None) -> str:
    """A supply space by its name, a Cóatl by its number."""
    assert place is not None
    return place.space or f"Cóatl {(place.at or 0) + 1}"
