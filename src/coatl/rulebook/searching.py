"""Searching the rules by words: accents and case do not matter, and ``two`` finds ``2``."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from coatl.rulebook.languages import Language
from coatl.rulebook.words import load_card_words

if TYPE_CHECKING:
    from coatl.rulebook.book import RuleItem


def find_items(text: str, items: tuple[RuleItem, ...], language: Language) -> tuple[RuleItem, ...]:
    """Those with words that begin with every word of the text; first if they are in the title."""
    wanted = _words(text, language)
    if not wanted:
        return ()
    in_title, elsewhere = [], []
    for item in items:
        title = _words(f"{item.id} {item.title}", language)
        rest = _words(" ".join([item.text, *(step.text for step in item.steps)]), language)
        if _has_all(wanted, title):
            in_title.append(item)
        elif _has_all(wanted, title + rest):
            elsewhere.append(item)
    return (*in_title, *elsewhere)


def _has_all(wanted: list[str], words: list[str]) -> bool:
    return all(
        any(word == asked if asked.isdigit() else word.startswith(asked) for word in words)
        for asked in wanted
    )


def _words(text: str, language: Language) -> list[str]:
    digits = _digits(language)
    words = re.findall(r"\w+|[∞✕=]", _plain(text))
    return [digits.get(word, word) for word in words]


@lru_cache(maxsize=8)
def _digits(language: Language) -> dict[str, str]:
    """Number words as digits: ``two`` is ``2``."""
    numbers = load_card_words(language).numbers
    return {_plain(word): str(n) for n, word in enumerate(numbers) if n > 0}


def _plain(text: str) -> str:
    """Without accents, in small letters; A.D.A.M. is one word."""
    joined = re.sub(r"(?<=\w)\.(?=\w)", "", text.casefold())
    apart = unicodedata.normalize("NFD", joined)
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
