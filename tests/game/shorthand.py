"""Events in short, for tests: ``happened("piece", 0, "K", "supply.b1", "board.0")``."""

from __future__ import annotations

from typing import cast

from coatl.events import Event, EventKind, Spot, SpotKind

_WHAT = {
    "piece": "piece",
    "prophecy": "card",
    "temple": "card",
    "look": "card",
    "token": "token",
    "coatl": "pieces",
    "end": "end",
}
_NUMBER = {"piece": "at", "coatl": "points", "turn": "turn"}


def place_of(text: str | None) -> Spot | None:
    """``supply.b3``, ``board.0``, ``coatl.0.2`` (seat and Cóatl), ``row.3``, ``adam.0``."""
    if text is None:
        return None
    name, *rest = text.split(".")
    if name == "adam":
        kind = f"adam_{rest[0]}" if rest[0] in ("holding", "fulfilled") else "adam_card"
        return Spot(SpotKind(kind), at=int(rest[0]) if rest[0].isdecimal() else None)
    if name == "supply":
        return Spot(SpotKind.SUPPLY, space=rest[0])
    if name in ("row", "pile"):
        return Spot(SpotKind(name), at=int(rest[0]))
    seat, at = (*(int(number) for number in rest), None, None)[:2]
    return Spot(SpotKind(name), seat, at)


def place_text(place: Spot | None) -> str | None:
    """The same the other way round."""
    if place is None:
        return None
    name = str(place.kind)
    if name.startswith("adam_"):
        return f"adam.{place.at}" if place.at is not None else name.replace("_", ".")
    rest = [place.space, place.seat, place.at]
    return ".".join([name, *(str(part) for part in rest if part is not None)])


def happened(
    kind: str,
    seat: int | None = None,
    what: str | None = None,
    source: str | None = None,
    target: str | None = None,
    value: int | None = None,
) -> Event:
    fields: dict[str, object] = {}
    if what is not None:
        fields[_WHAT[kind]] = what
    if value is not None:
        fields[_NUMBER[kind]] = value
    places = {"source": place_of(source), "target": place_of(target)}
    return Event(EventKind(kind), seat, **places, **fields)  # type: ignore[arg-type]


def what_of(event: Event) -> str | None:
    """The piece, card, token, Cóatl or end that an event is about."""
    name = _WHAT.get(event.kind)
    return None if name is None else cast("str | None", getattr(event, name))
