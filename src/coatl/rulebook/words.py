"""The phrases by language from which cards are put into words, and those around lists."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from coatl.rulebook.files import read_language
from coatl.rulebook.languages import Language

ByColour = tuple[str, str, str, str, str]  # black, red, blue, yellow, green


class CardWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `coatl.card_text` makes sentences from; names in braces are put in."""

    numbers: tuple[str, ...]  # from 0 to 9, for pieces
    colours: ByColour  # of a card
    single: ByColour  # one piece in a sequence
    single_first: ByColour  # the same at its beginning, where a noun may be needed
    counted: ByColour  # one piece where pieces are counted
    counted_first: ByColour
    many: ByColour  # several pieces, after a number
    many_first: ByColour
    one_or_more: str  # {colour}
    any_some: str  # {n}
    any_or_more: str
    alone: ByColour  # one piece that is all
    any_alone: str
    all_of: ByColour  # pieces of one colour, wherever they are
    anywhere: str  # {pieces}
    in_a_row: str  # {pieces}
    from_head: str  # {pieces}
    then: str  # before the last of a sequence
    and_: str = msgspec.field(name="and")  # before the last of a list
    neighbours: str  # {parts}
    none_beside: ByColour
    none_before: ByColour
    none_after: ByColour
    point: str  # {n}
    points: str  # {n}
    once: str
    twice: str
    times: str  # {n}
    level: str  # {times} {points}
    level_count: str  # the same where pieces are counted
    large_count: str  # {n}
    none_of: ByColour
    equal: str  # {first} {second}
    exactly: str  # {n}
    no_prophecy: ByColour
    met_one: str
    met_both: str
    met_all: str
    met: str  # {met} {points}
    colon: str
    semicolon: str


class ContentsWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words around the contents of the rules in a terminal."""

    hint: str  # how to go on from there


class CardListWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words around a list of cards."""

    prophecies: str  # {count}
    temples: str  # {count}
    with_promo: str  # {base} {promo}
    name: str
    colour: str
    copies: str
    asks: str
    promo: str
    prophecy: str  # {colour}
    temple: str


class ExampleWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a Cóatl fails a card."""

    mirror: str
    between: str
    parted: str  # the run of one colour that ∞ asks for
    neighbour: str
    empty: str
    too_few: str
    nothing: str  # no requirement of a Temple card is met


@lru_cache(maxsize=8)
def load_card_words(language: Language) -> CardWords:
    return msgspec.convert(read_language(language)["cards"], CardWords)


@lru_cache(maxsize=8)
def load_contents_words(language: Language) -> ContentsWords:
    return msgspec.convert(read_language(language)["contents"], ContentsWords)


@lru_cache(maxsize=8)
def load_card_list_words(language: Language) -> CardListWords:
    return msgspec.convert(read_language(language)["card_list"], CardListWords)


@lru_cache(maxsize=8)
def load_example_words(language: Language) -> ExampleWords:
    return msgspec.convert(read_language(language)["examples"], ExampleWords)
