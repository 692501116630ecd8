"""What happened, in words: the events of a turn as a few short lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from coatl.cli.drawing import plural
from coatl.cli.terminal.board import END_NAMES, TOKEN_NAMES, YOU
from coatl.events import Event

ADAM = "A.D.A.M."


class Narrator:
    """Tells events. `names` are those of the seats."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def tell(self, events: Iterable[Event], with_turns: bool = False) -> Iterator[str]:
        """Lines for what somebody did; refills are seen on the board and left out."""
        for key, group in groupby(events, self._key):
            if key is not None and key[0] == "turn":
                if with_turns:
                    yield f"Turn {next(group).value}: {self._who(key[1])}"
                continue
            line = self._line(key, list(group)) if key is not None else None
            if line is not None:
                yield f"  {line}" if with_turns else line

    def _who(self, seat: int | None) -> str:
        return ADAM if seat is None else self.names[seat]

    def _key(self, event: Event) -> tuple[str, int | None, str, str] | None:
        """Events with the same key are told together; None: not told."""
        source, target = event.source or "", event.target or ""
        refill = source in ("bag", "deck") and target.startswith(("supply", "row"))
        slide = source.startswith(("row", "pile")) and target.startswith(("row", "pile"))
        if refill or slide:
            return None
        if event.kind == "prophecy" and source.startswith("row"):
            source = "row"
        return event.kind, event.seat, source, target

    def _line(self, key: tuple[str, int | None, str, str], events: list[Event]) -> str | None:
        kind, seat, source, target = key
        who, first = self._who(seat), events[0]
        deed = self._deed(kind, source, target, events)
        if deed is not None:
            return f"{who} {_second_person(deed) if who == YOU else deed}"
        match kind:
            case "shuffle":
                return "The discards are shuffled into a new deck"
            case "end":
                return f"The end is triggered: {END_NAMES[first.what or '']}"
        return None

    def _deed(self, kind: str, source: str, target: str, events: list[Event]) -> str | None:
        """What somebody did, beginning with the verb; None for what happens by itself."""
        first = events[0]
        things = ", ".join(event.what for event in events if event.what is not None)
        match kind:
            case "piece":
                return _piece_verb(source, target, things)
            case "prophecy":
                return _card_verb(source, target, things, len(events))
            case "temple":
                return _temple_verb(source, target, things)
            case "token":
                return f"spends the token {TOKEN_NAMES[first.what or '']}"
            case "coatl":
                value = plural(first.value or 0, "point")
                return f"completes {_place(target)} {first.what} for {value}"
            case "look":
                found = f"finds {_place(target)}" if target else "finds nothing"
                return f"looks for {first.what} and {found}"
            case "pass":
                return "passes"
            case "undo":
                return f"takes back {first.what or 'a discard'}"
        return None


def _second_person(deed: str) -> str:
    """``takes K`` said to the one who did it."""
    verb, _, rest = deed.partition(" ")
    verb = "pass" if verb == "passes" else verb.removesuffix("s")
    return f"{verb} {rest.replace(' and finds ', ' and find ')}".strip()


def _piece_verb(source: str, target: str, things: str) -> str:
    if target.startswith("coatl"):
        return f"puts {things} on {_place(target)}"
    if target == "gone":
        return f"lays {things} out of the game"
    if source == "bag":
        return f"takes {things} from the bags"
    if source.startswith("adam") and target.startswith("adam"):
        return f"puts {things} on card {int(target.rpartition('.')[2]) + 1}"
    return f"takes {things} from {_place(source)}"


def _card_verb(source: str, target: str, things: str, n: int) -> str:
    if target.startswith("coatl"):
        return f"fulfils {things} with {_place(target)}"
    if target == "adam.fulfilled":
        return f"fulfils {things}"
    if source == "row" and target == "discard":
        return f"discards the row: {things}"
    if target == "discard":
        return f"discards {things or plural(n, 'card')}"
    if source == "deck":
        return f"draws {things}" if things else f"draws {plural(n, 'card')} from the deck"
    return f"takes the Prophecy {things}"


def _temple_verb(source: str, target: str, things: str) -> str:
    if target.startswith("coatl"):
        return f"lays the Temple card {things} on {_place(target)}"
    return f"takes the Temple card {things} into the hand"


def _place(place: str) -> str:
    """``supply.b3`` is b3, ``coatl.0.1`` is Cóatl 2."""
    kind, _, rest = place.partition(".")
    if kind == "coatl":
        return f"Cóatl {int(rest.partition('.')[2]) + 1}"
    if kind == "supply":
        return rest
    return f"{kind} {rest}".strip()
