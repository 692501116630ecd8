"""What a thing on the table is, in a sentence or two: cards in words, and how they stand."""

from __future__ import annotations

from collections.abc import Sequence

from coatl.card_text import prophecy_sentence, temple_sentence
from coatl.cli.application.things import (
    BoardPiece,
    DeckTop,
    EndButton,
    HandCard,
    HandTemple,
    Lane,
    LaneEnd,
    RowCard,
    Space,
    TemplePile,
    Thing,
    TokenThing,
)
from coatl.moves import Side
from coatl.rulebook import load, load_card_words
from coatl.rules.cards import Deck
from coatl.rules.pieces import COLOURS
from coatl.text.board import TOKEN_NAMES, held_against, pieces_in
from coatl.text.drawing import plural
from coatl.view import CardProgress, SeatView, TempleProgress, ViewData

TOKEN_CLAUSES = {"pick": "K1", "future": "K2", "priest": "K3"}


def describe(thing: Thing, view: ViewData, own: SeatView, deck: Deck) -> str:
    match thing:
        case Space(name):
            return f"{name}: {_pieces(pieces_in(view, name))}"
        case RowCard(place):
            card = view.row[place]
            stands = [coatl.row for coatl in own.coatls]
            return "An empty place of the row." if card is None else _card(card, deck, stands)
        case HandCard(card):
            return _card(card, deck, [coatl.hand for coatl in own.coatls])
        case HandTemple(card):
            return _temple(card, deck, own)
        case TemplePile(number):
            top = view.piles[number].top
            return "An empty pile." if top is None else _temple(top, deck, own)
        case DeckTop():
            return f"The deck: {plural(view.deck, 'card')}. {_discards(view)}"
        case BoardPiece(text):
            return f"{_name(text)}, on your board."
        case TokenThing(token):
            clause = load("en").clause(TOKEN_CLAUSES[token])
            return f"{TOKEN_NAMES[token]} ({clause.id}): {clause.text}"
        case Lane(number):
            return _lane(number, own)
        case LaneEnd(number, side):
            end = "left" if side is Side.LEFT else "right"
            return "For a new Cóatl." if number < 0 else f"The {end} end of Cóatl {number + 1}."
        case EndButton():
            return "Ends the action."
    return ""


def _discards(view: ViewData) -> str:
    return f"{plural(view.discard_count, 'card')} in the discards."


def _pieces(texts: Sequence[str]) -> str:
    return " and ".join(map(_name, texts)) + "." if texts else "nothing."


def _name(text: str) -> str:
    """``<K`` in words: a black head."""
    colour = load_card_words("en").colours[COLOURS.index(text.strip("<>"))]
    kind = "head" if text.startswith("<") else "tail" if text.endswith(">") else "segment"
    return f"{colour} {kind}"


def _card(name: str, deck: Deck, stands: Sequence[Sequence[CardProgress]]) -> str:
    """Its sentence, and what it would score on each open Cóatl."""
    found = [f"{name}: {prophecy_sentence(deck.prophecies[deck.prophecy_ids[name]])}"]
    for number, cards in enumerate(stands, 1):
        standing = next((card for card in cards if card.card == name), None)
        if standing is not None:
            found.append(f"Cóatl {number}: {held_against(standing)}.")
    return " ".join(found)


def _temple(name: str, deck: Deck, own: SeatView) -> str:
    found = [f"{name}: {temple_sentence(deck.temples[deck.temple_ids[name]])}"]
    for number, coatl in enumerate(own.coatls, 1):
        standing: TempleProgress | None = next((t for t in coatl.temples if t.card == name), None)
        if standing is not None:
            met = f"{sum(standing.met)} of {len(standing.met)} met"
            found.append(f"Cóatl {number}: {met}, {plural(standing.points, 'point')}.")
    return " ".join(found)


def _lane(number: int, own: SeatView) -> str:
    if number < 0:
        return "A place for a new Cóatl."
    coatl = own.coatls[number]
    length = plural(len(coatl.pieces.strip("<>")), "piece")
    if coatl.complete:
        return f"Cóatl {number + 1}: {length}, complete, worth {coatl.value}."
    closed = "" if coatl.closing is None else f" Closed now it would score {coatl.closing}."
    return f"Cóatl {number + 1}: {length}, worth {coatl.value} now.{closed}"
