"""Reading what somebody types: which move it is, why one is not allowed, what the cards ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from coatl.card_text import prophecy_sentence, temple_sentence
from coatl.errors import NotationError
from coatl.game import Game
from coatl.moves import Move
from coatl.rulebook import Language
from coatl.rules.cards import Deck
from coatl.view import ViewData


def find_move(line: str, game: Game, moves: Sequence[Move]) -> Move:
    """A move by its number, its text, or its text in the wrong case."""
    if line.isdecimal():
        number = int(line[:9])
        if not 1 <= number <= len(moves):
            raise NotationError(f"there are moves 1 to {len(moves)}, not {line[:9]}")
        return moves[number - 1]
    alike = [move for move in moves if move.text.lower() == " ".join(line.lower().split())]
    if len(alike) == 1:
        return alike[0]
    try:
        return game.move(line)
    except NotationError:
        word, _, rest = line.partition(" ")
        for text in (f"{word.lower()} {rest}", line.lower(), f"{word.lower()} {rest.upper()}"):
            with suppress(NotationError):
                return game.move(text)
        raise


def explain_move(text: str, game: Game) -> str:
    """Why a move is not allowed, or that it is."""
    try:
        move = find_move(text, game, game.legal_moves())
        reason = game.why(move)
    except NotationError as error:
        return f"{error}."
    if reason is None:
        return f"{move} is allowed."
    return f"{move} is not allowed: {reason.text} ({reason.clause})."


def explain_cards(data: ViewData, deck: Deck, language: Language = "en") -> Iterator[str]:
    """What the cards ask for that a seat can see."""
    assert data.seat is not None
    own = data.seats[data.seat]
    adam = [card.card for card in data.adam.cards] if data.adam else []
    seen = {"in your hand": own.hand, "in the row": data.row, "A.D.A.M.'s": adam}
    for place, names in seen.items():
        for name in dict.fromkeys(filter(None, names)):
            card = deck.prophecies[deck.prophecy_ids[name]]
            yield f"{name} ({place}): {prophecy_sentence(card, language)}"
    tops = [pile.top for pile in data.piles]
    for place, temples in {"in your hand": own.temples, "on a pile": tops}.items():
        for name in filter(None, temples):
            temple = deck.temples[deck.temple_ids[name]]
            yield f"{name} ({place}): {temple_sentence(temple, language)}"
