"""Facts of games, made by hand: only what a test is about is said."""

from __future__ import annotations

from typing import Any

from coatl.lab.facts import CoatlFacts, FirstPick, GameFacts, Laid, LaidTemple, SeatFacts, Source
from coatl.lab.facts import Taken as Taken


def coatl(
    pieces: str = "<KRB>",
    turn: int | None = 5,
    cards: tuple[tuple[str, int, int], ...] = (),
    temple: tuple[str, int, int] | None = None,
) -> CoatlFacts:
    laid = tuple(Laid(*card) for card in cards)
    value = sum(card.points for card in laid) + (temple[2] if temple else 0)
    return CoatlFacts(pieces, turn, value, laid, LaidTemple(*temple) if temple else None)


def seat(share: float = 0.0, points: int = 0, **facts: Any) -> SeatFacts:
    empty: dict[str, Any] = {
        "turns": 10,
        "dealt": (),
        "buried": (),
        "temple": None,
        "taken": (),
        "first_pick": None,
        "dropped": (),
        "left": (),
        "coatls": (),
        "tokens": (),
        "opening": (),
        "first_pieces": (),
    }
    return SeatFacts(share=share, points=points, **empty | facts)


def game(number: int, *seats: SeatFacts, **facts: Any) -> GameFacts:
    more: dict[str, Any] = {"turns": 20, "end": "third", "trigger": None} | facts
    return GameFacts(players=len(seats), game=number, seats=seats, **more)


def often(*games: GameFacts, times: int = 20) -> list[GameFacts]:
    """Enough of them that differences are told."""
    return [one for _ in range(times) for one in games]


def first(card: str, *others: str, by_lot: bool = False) -> FirstPick:
    return FirstPick(card, (card, *others), by_lot)


def taken(card: str) -> Taken:
    return Taken(card, Source.ROW, 1)
