"""Positions of games made puzzles: all that the question does not depend on is left out."""

from __future__ import annotations

from coatl.notation import format_position
from coatl.rules.cards import Deck
from coatl.rules.state import StateRecord

SEEN = "^"  # marks cards that everyone saw being taken


def alone(state: StateRecord, deck: Deck, seat: int, coatl: int, pending: bool = False) -> str:
    """A seat with one of its Cóatl, what is on its board and in its hand, and the Temple piles."""
    mine = _Section(_sections(state, deck)[1 + seat])
    mine.words["coatl"] = [mine.words["coatl"][coatl]]
    phase = "phase=fulfil pending=1" if pending else "phase=assemble"
    return f"2p {phase} {_piles(state, deck)} | {mine.means()} |"


def last_action(state: StateRecord, deck: Deck, seat: int, coatl: int) -> str:
    """The last action of a game that a third Cóatl ends (E2), with one open Cóatl.

    Of the others what is complete is there. Seats are turned so that this one comes first.
    """
    players = int(state.n_players)
    order = [(seat + k) % players for k in range(players)]
    sections = _sections(state, deck)
    mine = _Section(sections[1 + seat]).means(coatl)
    others = [_Section(sections[1 + other]).complete() for other in order[1:]]
    trigger = order.index(int(state.trigger)) + 1
    table = f"{players}p phase=assemble end=third trigger={trigger} {_piles(state, deck)}"
    return " | ".join([table, mine, *others]).strip()


def against_adam(state: StateRecord, deck: Deck) -> str:
    """A solo game; of A.D.A.M. what he has fulfilled."""
    sections = _sections(state, deck)
    levels = [word for word in sections[0].split() if word.startswith("levels=")]
    table = " ".join(["solo", *levels, "phase=assemble", _piles(state, deck)])
    adam = [word for word in sections[2].split() if word.startswith("fulfilled=")]
    return " | ".join([table, _Section(sections[1]).means(), *adam])


def _sections(state: StateRecord, deck: Deck) -> list[str]:
    return [section.strip() for section in format_position(state, deck).split("|")]


def _piles(state: StateRecord, deck: Deck) -> str:
    """Which cards lie on top; how many lie below does not matter."""
    tops = [int(top) for top in state.pile_top]
    return "piles=" + ",".join("-" if top < 0 else deck.temples[top].name for top in tops)


class _Section:
    """The words of a seat, by name."""

    def __init__(self, text: str) -> None:
        self.words: dict[str, list[str]] = {"coatl": []}
        for word in text.split():
            name, _, value = word.partition("=")
            self.words.setdefault(name, []).append(value.replace(SEEN, ""))

    def means(self, coatl: int | None = None) -> str:
        """What can be assembled with, and the Cóatl; of the open ones one, or (None) all."""
        self.words["coatl"] = [
            text
            for k, text in enumerate(self.words["coatl"])
            if coatl in (None, k) or is_complete(text)
        ]
        return self._write("board", "hand", "temples", "coatl")

    def complete(self) -> str:
        """The complete Cóatl."""
        self.words["coatl"] = [text for text in self.words["coatl"] if is_complete(text)]
        return self._write("coatl")

    def _write(self, *names: str) -> str:
        return " ".join(f"{name}={value}" for name in names for value in self.words.get(name, ()))


def is_complete(coatl: str) -> bool:
    """Has a Cóatl, as a position writes it, a head and a tail?"""
    pieces = coatl.partition(":")[0]
    return pieces.startswith("<") and pieces.endswith(">")
