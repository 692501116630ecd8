"""The requests for rules and cards in words, and for what cards are worth on a Cóatl."""

from __future__ import annotations

from functools import lru_cache

from coatl.card_examples import failing_example, prophecy_examples, temple_examples
from coatl.card_text import (
    prophecy_asks,
    prophecy_sentence,
    temple_asks,
    temple_sentence,
)
from coatl.rulebook import Language, Rulebook, load
from coatl.rules.cards import closes_too_early, is_closed, standard_deck
from coatl.server import protocol
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.rest.languages import language_of
from coatl.server.rest.operation import BODY_ERRORS, Call, Operation
from coatl.view.parts import progress, temple_progress


async def read_rules(call: Call) -> Rulebook:
    return load(language_of(call))


async def read_cards(call: Call) -> protocol.CardTexts:
    return card_texts(language_of(call))


@lru_cache(maxsize=8)
def card_texts(language: Language) -> protocol.CardTexts:
    deck = standard_deck()
    prophecies = [
        protocol.CardText(
            name=card.name,
            asks=prophecy_asks(card, language),
            sentence=prophecy_sentence(card, language),
            examples=prophecy_examples(card),
            fails=failing_example(card, language),
        )
        for card in deck.prophecies
    ]
    temples = [
        protocol.CardText(
            name=card.name,
            asks=temple_asks(card, language),
            sentence=temple_sentence(card, language),
            examples=temple_examples(card),
            fails=failing_example(card, language),
        )
        for card in deck.temples
    ]
    return protocol.CardTexts(language, (*prophecies, *temples))


async def try_coatl(call: Call) -> protocol.CoatlTried:
    return tried(call.body)


def tried(asked: protocol.TryCoatl) -> protocol.CoatlTried:
    deck, coatl = standard_deck(), asked.coatl
    unknown = [n for n in asked.cards if n not in deck.prophecy_ids and n not in deck.temple_ids]
    if unknown:
        raise RequestError(ServerCode.NOT_FOUND, f"no card is called {unknown[0]!r}")
    laid = [deck.prophecy_ids[name] for name in asked.cards if name in deck.prophecy_ids]
    temples = [deck.temple_ids[name] for name in asked.cards if name in deck.temple_ids]
    worth = [progress(deck.prophecies[card], coatl) for card in laid]
    beside = tuple(card for card, found in zip(laid, worth, strict=True) if found.points)
    is_early = closes_too_early(coatl)
    return protocol.CoatlTried(
        coatl=coatl,
        complete=is_closed(coatl) and not is_early,
        clause="A7" if is_early else None,
        prophecies=tuple(worth),
        temples=tuple(temple_progress(deck, card, coatl, beside) for card in temples),
    )


OPERATIONS = (
    Operation(
        "GET",
        "/api/rules/{language}",
        "read_rules",
        "The rules in words: `en`, `fr` or `de`. They may be kept, and asked for by their `ETag`.",
        read_rules,
        Rulebook,
        errors=(ServerCode.NOT_FOUND,),
        compresses=True,
        keeps=True,
    ),
    Operation(
        "GET",
        "/api/rules/{language}/cards",
        "read_cards",
        "Every card in words, with a Cóatl that meets it at each level and one that fails.",
        read_cards,
        protocol.CardTexts,
        errors=(ServerCode.NOT_FOUND,),
        compresses=True,
        keeps=True,
    ),
    Operation(
        "POST",
        "/api/cards/try",
        "try_coatl",
        "What some cards are worth on a Cóatl, and which pieces count.",
        try_coatl,
        protocol.CoatlTried,
        protocol.TryCoatl,
        errors=(*BODY_ERRORS, ServerCode.NOT_FOUND),
    ),
)
