"""Bodies and answers of the requests about the rules and cards in words."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from coatl.card_examples import CardExample
from coatl.rulebook import Language
from coatl.server.protocol.fields import ClientMessage, ServerMessage
from coatl.view import CardProgress, TempleProgress

CardName = Annotated[str, Meta(min_length=1, max_length=40)]


class CardText(ServerMessage, frozen=True):
    """A card in words, with examples that the rules have checked."""

    name: str  # as in the notation
    asks: str  # what it asks for
    sentence: str  # the same with its points
    examples: tuple[CardExample, ...]  # one for each of its levels, the lowest first
    fails: CardExample  # one that is worth nothing, and why


class CardTexts(ServerMessage, frozen=True):
    """Every card in words, in one language."""

    language: Language  # that they are written in
    cards: tuple[CardText, ...]  # Prophecy cards, then Temple cards, as in the list of cards


class TryCoatl(ClientMessage, frozen=True):
    """A Cóatl to be held against some cards."""

    coatl: Annotated[str, Meta(pattern="^<?[KRBYG]{1,24}>?$")]  # as in the notation
    cards: Annotated[tuple[CardName, ...], Meta(min_length=1, max_length=8)]  # by name


class CoatlTried(ServerMessage, frozen=True):
    """What cards are worth on a Cóatl. Each kind of card in the order in which it was asked for."""

    coatl: str  # the one asked about
    complete: bool  # it has a head, a tail and a segment (A7)
    clause: str | None  # the clause that forbids such a Cóatl; None: it may lie on a table
    prophecies: tuple[CardProgress, ...]  # how far it meets the Prophecy cards
    temples: tuple[TempleProgress, ...]  # and the Temple cards, with those beside it
