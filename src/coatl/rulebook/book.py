"""What a rulebook is made of: chapters, their parts, and in these the clauses and sections."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

import msgspec

from coatl.rulebook.languages import Language
from coatl.rulebook.pictures import RulePictureName
from coatl.rulebook.searching import find_items

_CLAUSE = re.compile(r"([A-Z])(\d+)")


class UnknownRule(ValueError):  # noqa: N818 - it is the rule that is unknown
    """No clause, section or chapter has this name; the message names the nearest."""


class RulePicture(msgspec.Struct, frozen=True, omit_defaults=True):
    """A picture that belongs to the rules. Whoever shows them draws it."""

    name: RulePictureName  # what it shows
    alt: str = ""  # the same in words; empty where the text beside it says so already
    coatl: str = ""  # a Cóatl in it, as in the notation
    cards: tuple[str, ...] = ()  # cards in it, by name
    points: tuple[int, ...] = ()  # what each of them is worth on the Cóatl
    lit: tuple[int, ...] = ()  # the pieces that its Prophecy cards count, from 1 at the head


class RuleStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of several."""

    text: str  # what is done
    picture: RulePicture | None = None  # of it
    points: int | None = None  # where points are counted: how many


class RuleItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A clause, whose id is cited everywhere (A8), or a plain section."""

    id: str  # also the end of its address
    title: str  # a few words
    text: str  # the rule; ids in it lead to those clauses
    steps: tuple[RuleStep, ...] = ()  # in their order, after the text
    picture: RulePicture | None = None  # beside it
    ordered: bool = True  # the steps are numbered

    @property
    def is_clause(self) -> bool:
        return _CLAUSE.fullmatch(self.id) is not None


class RulePart(msgspec.Struct, frozen=True, omit_defaults=True):
    """Items of a chapter that belong together."""

    id: str  # unique among everything that has one
    items: tuple[RuleItem, ...]  # in their order
    title: str = ""  # empty if the chapter has no other part


class RuleChapter(msgspec.Struct, frozen=True, omit_defaults=True):
    """A chapter, which may stand within another."""

    id: str  # also the end of its address
    title: str  # its heading
    lead: str  # what it is about, in a sentence or two
    parts: tuple[RulePart, ...]  # in their order
    section: str = ""  # its number in docs/rules.md, such as 3.1
    within: str | None = None  # the id of the chapter that it is part of

    @property
    def items(self) -> tuple[RuleItem, ...]:
        return tuple(item for part in self.parts for item in part.items)


class Rulebook(msgspec.Struct, frozen=True):
    """All rules in one language."""

    language: Language  # that it is written in
    title: str  # of the whole
    chapters: tuple[RuleChapter, ...]  # in their order

    @property
    def items(self) -> Iterator[RuleItem]:
        return (item for chapter in self.chapters for item in chapter.items)

    @property
    def clauses(self) -> tuple[RuleItem, ...]:
        return tuple(item for item in self.items if item.is_clause)

    def clause(self, id: str) -> RuleItem:
        """A clause such as A8, or a section by its id; raises `UnknownRule` if there is none."""
        for item in self.items:
            if item.id.lower() == id.strip().lower():
                return item
        near = _nearest(id.strip(), [item.id for item in self.items])
        raise UnknownRule(f"there is no clause {id.strip()!r}" + near)

    def chapter(self, name: str) -> RuleChapter:
        """A chapter by its id or its title; raises `UnknownRule` if there is none."""
        wanted = name.strip().lower()
        for chapter in self.chapters:
            if wanted in (chapter.id, chapter.title.lower()):
                return chapter
        near = _nearest(wanted, [chapter.id for chapter in self.chapters])
        raise UnknownRule(f"there is no chapter {name.strip()!r}" + near)

    def find(self, name: str) -> RuleItem | RuleChapter:
        """A clause, section or chapter; raises `UnknownRule` if nothing is called that."""
        try:
            return self.clause(name)
        except UnknownRule as unknown:
            error = unknown
        try:
            return self.chapter(name)
        except UnknownRule:
            if _CLAUSE.fullmatch(name.strip().upper()):
                raise error from None
        ids = [*(item.id for item in self.items), *(chapter.id for chapter in self.chapters)]
        near = _nearest(name.strip(), ids)
        raise UnknownRule(f"there is no clause or chapter {name.strip()!r}" + near)

    def search(self, text: str) -> tuple[RuleItem, ...]:
        """Every item that has all words of a text: first those that have them in their title."""
        return find_items(text, tuple(self.items), self.language)


def _nearest(name: str, ids: list[str]) -> str:
    """The id most like a name, as the end of a message; nothing if none is like it."""
    asked = _CLAUSE.fullmatch(name.upper())
    if asked:
        found = [match for id in ids if (match := _CLAUSE.fullmatch(id)) and match[1] == asked[1]]
        found.sort(key=lambda match: abs(int(match[2]) - int(asked[2])))
        return f"; did you mean {found[0][0]}?" if found else ""
    by_lower = {id.lower(): id for id in ids}
    like = difflib.get_close_matches(name.lower(), by_lower, 1)
    return f"; did you mean {by_lower[like[0]]}?" if like else ""
