"""Puts the book and the words of a language together; what does not fit is a `ValueError`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from coatl.rulebook.book import Rulebook, RuleChapter, RuleItem, RulePart, RulePicture, RuleStep
from coatl.rulebook.files import flowing, read_book, read_language
from coatl.rulebook.languages import LANGUAGES, Language
from coatl.rulebook.pictures import RulePictureName

T = TypeVar("T")

# ---------------------------------------------------------------- as they stand in the files


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something in one of the files."""


class _BookPart(_Entry, frozen=True):
    id: str
    items: tuple[str, ...]


class _BookChapter(_Entry, frozen=True):
    id: str
    parts: tuple[_BookPart, ...]
    section: str = ""
    within: str | None = None


class _BookPicture(_Entry, frozen=True):
    name: RulePictureName
    coatl: str = ""
    cards: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    lit: tuple[int, ...] = ()


class _BookStep(_Entry, frozen=True):
    picture: RulePictureName | None = None
    cards: tuple[str, ...] = ()
    points: int | None = None
    lit: tuple[int, ...] = ()


class _Book(_Entry, frozen=True):
    chapter: tuple[_BookChapter, ...]
    picture: dict[str, _BookPicture]
    steps: dict[str, tuple[_BookStep, ...]]
    unordered: tuple[str, ...]


class _ChapterWords(_Entry, frozen=True):
    title: str
    lead: str


class _ItemWords(_Entry, frozen=True):
    title: str
    text: str
    alt: str = ""
    steps: tuple[str, ...] = ()


class _Words(_Entry, frozen=True):
    title: str
    chapters: dict[str, _ChapterWords]
    parts: dict[str, str]
    items: dict[str, _ItemWords]
    cards: dict[str, Any]  # read by `words`
    contents: dict[str, Any]
    card_list: dict[str, Any]
    examples: dict[str, Any]


# ---------------------------------------------------------------- put together


@lru_cache(maxsize=8)
def load(language: Language) -> Rulebook:
    """The rules in a language: en, fr or de."""
    if language not in LANGUAGES:
        raise ValueError(f"the rules are in {', '.join(LANGUAGES)}, not in {language!r}")
    return put_together(language, read_book(), read_language(language))


def put_together(language: Language, book: dict[str, Any], words: dict[str, Any]) -> Rulebook:
    """A rulebook from the content of its two files, which have to agree."""
    try:
        return _Assembly(msgspec.convert(book, _Book), msgspec.convert(words, _Words)).make(
            language
        )
    except ValueError as error:
        raise ValueError(f"the rules in {language!r}: {error}") from None


class _Assembly:
    """Takes the words one by one, so that any left over are noticed."""

    def __init__(self, book: _Book, words: _Words) -> None:
        self._book, self._title = book, words.title
        self._chapters, self._parts = dict(words.chapters), dict(words.parts)
        self._items = dict(words.items)
        self._pictures, self._steps = dict(book.picture), dict(book.steps)

    def make(self, language: Language) -> Rulebook:
        chapters = tuple(map(self._chapter, self._book.chapter))
        for left in (self._chapters, self._parts, self._items, self._pictures, self._steps):
            if left:
                raise ValueError(f"the book has no place for {', '.join(left)}")
        return Rulebook(language, self._title, chapters)

    def _chapter(self, chapter: _BookChapter) -> RuleChapter:
        words = _take(self._chapters, chapter.id)
        has_titles = len(chapter.parts) > 1
        return RuleChapter(
            id=chapter.id,
            title=words.title,
            lead=flowing(words.lead),
            parts=tuple(self._part(part, has_titles) for part in chapter.parts),
            section=chapter.section,
            within=chapter.within,
        )

    def _part(self, part: _BookPart, has_title: bool) -> RulePart:
        title = _take(self._parts, part.id) if has_title else ""
        return RulePart(part.id, tuple(map(self._item, part.items)), title)

    def _item(self, id: str) -> RuleItem:
        words = _take(self._items, id)
        shown = self._pictures.pop(id, None)
        if (shown is not None) != bool(words.alt):
            raise ValueError(f"{id} has a picture without words for it, or words without a picture")
        picture = None
        if shown is not None:
            about = (shown.coatl, shown.cards, shown.points, shown.lit)
            picture = RulePicture(shown.name, flowing(words.alt), *about)
        return RuleItem(
            id=id,
            title=words.title,
            text=flowing(words.text),
            steps=self._steps_of(id, words, shown),
            picture=picture,
            ordered=id not in self._book.unordered,
        )

    def _steps_of(
        self, id: str, words: _ItemWords, shown: _BookPicture | None
    ) -> tuple[RuleStep, ...]:
        texts = tuple(map(flowing, words.steps))
        steps = self._steps.pop(id, (_BookStep(),) * len(texts))
        if len(steps) != len(texts):
            raise ValueError(f"{id} has {len(texts)} steps in words and {len(steps)} in the book")
        coatl = "" if shown is None else shown.coatl
        return tuple(
            RuleStep(text, _picture_of(step, coatl), step.points)
            for text, step in zip(texts, steps, strict=True)
        )


def _picture_of(step: _BookStep, coatl: str) -> RulePicture | None:
    """Its text says what is in it. A Cóatl in it is that of the item."""
    if step.picture is None:
        return None
    if not step.cards:
        return RulePicture(step.picture)
    points = () if step.points is None else (step.points,)
    return RulePicture(step.picture, "", coatl, step.cards, points, step.lit)


def _take(words: dict[str, T], id: str) -> T:
    if id not in words:
        raise ValueError(f"there are no words for {id!r}")
    return words.pop(id)
