"""Reading a deck from TOML, with file, line and reason for whatever is wrong with it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from coatl.rules import patterns
from coatl.rules.cards import (
    Deck,
    DeckError,
    Prophecy,
    Requirement,
    Temple,
    TempleRequirement,
    card_name,
)
from coatl.rules.pieces import BODIES_OF_A_COLOUR, COLOUR_NAMES, HEAD, TAIL
from coatl.rules.state import MAX_LENGTH, MAX_PROPHECIES, MAX_TEMPLES
from coatl.rules.tables import MAX_REQUIREMENTS, MAX_TIMES, card_tables

MAX_COPIES = 9
MAX_POINTS = 99
# A Cóatl has one head and one tail (A4), so no more pieces of a colour than these can be on it.
MOST_OF_A_COLOUR = BODIES_OF_A_COLOUR + (HEAD != TAIL) + 1


def load_deck(file: str | Path) -> Deck:
    """Read a deck file; raises `DeckError` naming file, line and reason."""
    path = Path(file)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DeckError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise DeckError(f"{path}: this is not a text file in UTF-8") from None
    except ValueError as error:  # a name that no file can have
        raise DeckError(f"{path}: {error}") from None
    return parse_deck(text, str(path))


def parse_deck(text: str, name: str = "deck") -> Deck:
    """Read a deck in the format of ``cards.toml``."""
    return _DeckReader(text, name).read()


class _DeckReader:
    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.lines = text.splitlines()
        self.text = text
        self.headers = [
            number
            for number, line in enumerate(self.lines, 1)
            if line.split("#")[0].strip() in ("[[prophecy]]", "[[temple]]")
        ]
        self.names: set[str] = set()
        self.first = self.last = 1  # lines of the entry being read

    def fail(self, reason: str, near: str | None = None) -> DeckError:
        """An error at the line of the entry that holds `near`, or at its first line."""
        number = self.first
        if near is not None:
            for at in range(self.first, self.last + 1):
                if near in self.lines[at - 1]:
                    number = at
                    break
        return DeckError(f"{self.name}, line {number}: {reason}")

    def read(self) -> Deck:
        try:
            data = tomllib.loads(self.text)
        except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError
            raise DeckError(f"{self.name}: {error}") from None
        unknown = set(data) - {"prophecy", "temple"}
        if unknown:
            self.last = len(self.lines)
            name = min(unknown)
            reason = f"unknown section {name!r}; there are [[prophecy]] and [[temple]]"
            raise self.fail(reason, name if any(name in line for line in self.lines) else None)
        prophecies: list[Prophecy] = []
        temples: list[Temple] = []
        kinds = {kind: iter(self.entries(data, kind)) for kind in ("prophecy", "temple")}
        ends = [*self.headers[1:], len(self.lines) + 1]
        for header, end in zip(self.headers, ends, strict=False):
            self.first, self.last = header, end - 1
            kind = self.lines[header - 1].split("#")[0].strip().strip("[]")
            entry = next(kinds[kind], None)
            if entry is None:
                raise self.fail(f"[[{kind}]] stands inside a text")
            if kind == "prophecy":
                prophecies += self.prophecies(entry)
            else:
                temples += self.temples(entry)
        if any(next(entries, None) is not None for entries in kinds.values()):
            raise self.fail("write each entry as [[prophecy]] or [[temple]] on a line of its own")
        return self.finish(prophecies, temples)

    def entries(self, data: Mapping[str, Any], kind: str) -> list[Mapping[str, Any]]:
        entries = data.get(kind, [])
        if not isinstance(entries, list) or not all(isinstance(e, Mapping) for e in entries):
            raise self.fail(f"{kind} is a list of tables, [[{kind}]]", kind)
        return entries

    def finish(self, prophecies: list[Prophecy], temples: list[Temple]) -> Deck:
        self.first, self.last = 1, len(self.lines)
        if len(prophecies) > MAX_PROPHECIES:
            raise self.fail(f"{len(prophecies)} different Prophecy cards; {MAX_PROPHECIES} at most")
        if len(temples) > MAX_TEMPLES:
            raise self.fail(f"{len(temples)} different Temple cards; {MAX_TEMPLES} at most")
        try:
            deck = Deck(tuple(prophecies), tuple(temples), self.name)
            card_tables(deck)
        except (DeckError, patterns.PatternError) as error:
            raise self.fail(str(error)) from None
        return deck

    # -------------------------------------------------------------- fields

    def names_are(self, entry: Mapping[str, Any], known: set[str]) -> None:
        unknown = set(entry) - known
        if unknown:
            raise self.fail(f"unknown field {min(unknown)!r}", min(unknown))
        if "cards" not in entry:
            raise self.fail("an entry needs cards = [...]")
        cards = entry["cards"]
        if not isinstance(cards, list) or not cards or not all(isinstance(c, str) for c in cards):
            raise self.fail("cards is a list of texts", "cards")
        if not isinstance(entry.get("promo", False), bool):
            raise self.fail("promo is true or false", "promo")

    def whole_number(self, value: Any, what: str, least: int, most: int, near: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.fail(f"{what} is a number from {least} to {most}, not {shown(value)}", near)
        return value

    def copies(self, entry: Mapping[str, Any]) -> int:
        return self.whole_number(entry.get("copies", 1), "copies", 1, MAX_COPIES, "copies")

    # -------------------------------------------------------------- Prophecy cards

    def prophecies(self, entry: Mapping[str, Any]) -> list[Prophecy]:
        self.names_are(entry, {"colour", "copies", "levels", "cards", "promo"})
        colour = entry.get("colour")
        if colour not in COLOUR_NAMES:
            raise self.fail(f"colour is one of {', '.join(COLOUR_NAMES)}, not {colour!r}", "colour")
        levels = self.levels(entry)
        return [
            Prophecy(
                pattern=self.pattern(text, max(levels)),
                name=self.is_new(card_name(text), text),
                colour=colour,
                copies=self.copies(entry),
                levels=levels,
                promo=entry.get("promo", False),
            )
            for text in entry["cards"]
        ]

    def is_new(self, name: str, text: str) -> str:
        if name in self.names:
            raise self.fail(f"two cards are named {name!r}", text)
        self.names.add(name)
        return name

    def levels(self, entry: Mapping[str, Any]) -> Mapping[int, int]:
        levels = entry.get("levels")
        if not isinstance(levels, Mapping) or not levels:
            raise self.fail("levels is like { 1 = 2, 2 = 5 }: times and points", "levels")
        read: dict[int, int] = {}
        for times, points in levels.items():
            if not times.isdecimal() or len(times) > 3 or not 1 <= int(times) <= MAX_TIMES:
                reason = f"a level is met 1 to {MAX_TIMES} times, not {shown(times)}"
                raise self.fail(reason, "levels")
            value = self.whole_number(points, "points", 1, MAX_POINTS, "levels")
            if read and (int(times) <= max(read) or value <= max(read.values())):
                raise self.fail("levels out of order: times and points both rise", "levels")
            read[int(times)] = value
        return MappingProxyType(read)

    def pattern(self, text: str, most_times: int) -> patterns.Pattern:
        try:
            pattern = patterns.parse(text)
        except patterns.PatternError as error:
            raise self.fail(str(error), text or '""') from None
        too_many = max(pattern.needs) * most_times > MOST_OF_A_COLOUR
        if too_many or pattern.shortest * most_times > MAX_LENGTH:
            raise self.fail(f"{text!r} can never be met {most_times} times by one Cóatl", text)
        return pattern

    # -------------------------------------------------------------- Temple cards

    def temples(self, entry: Mapping[str, Any]) -> list[Temple]:
        self.names_are(entry, {"points", "copies", "cards", "promo"})
        points = entry.get("points")
        if not isinstance(points, list) or not points:
            raise self.fail("points is a list: for one requirement met, for two, ...", "points")
        for value in points:
            self.whole_number(value, "points", 1, MAX_POINTS, "points")
        if points != sorted(set(points)):
            raise self.fail("points out of order: they rise", "points")
        return [self.temple(entry, text, tuple(points)) for text in entry["cards"]]

    def temple(self, entry: Mapping[str, Any], text: str, points: tuple[int, ...]) -> Temple:
        requirements = tuple(self.requirement(part, text or '""') for part in text.split("/"))
        if len(requirements) > MAX_REQUIREMENTS:
            raise self.fail(f"{MAX_REQUIREMENTS} requirements at most", text)
        if len(requirements) != len(points):
            raise self.fail(f"{len(requirements)} requirements, but points for {len(points)}", text)
        name = "/".join(requirement.text for requirement in requirements)
        self.is_new(name, text)
        return Temple(name, requirements, points, entry.get("promo", False), self.copies(entry))

    def requirement(self, part: str, text: str) -> TempleRequirement:
        try:
            requirement = read_requirement(part)
        except (DeckError, patterns.PatternError) as error:
            raise self.fail(str(error), text) from None
        if requirement.kind == Requirement.EXACTLY and not 3 <= requirement.a <= MAX_LENGTH:
            raise self.fail(f"a complete Cóatl never has {requirement.a} pieces", text)
        if requirement.kind == Requirement.EQUAL and requirement.a == requirement.b:
            raise self.fail(f"{part.strip()!r} compares a colour with itself", text)
        return requirement


def shown(value: object) -> str:
    text = "a huge number" if isinstance(value, int) and abs(value) > 10**9 else repr(value)
    return text if len(text) < 60 else text[:60] + "…"


def read_requirement(text: str) -> TempleRequirement:
    match text.split():
        case ["no", colour] if colour in COLOUR_NAMES:
            return TempleRequirement(Requirement.NO_PROPHECY, COLOUR_NAMES.index(colour))
        case ["no", colour]:
            return TempleRequirement(Requirement.NONE_OF, patterns.colour_index(colour))
        case [number] if number.isdecimal() and len(number) < 4:
            return TempleRequirement(Requirement.EXACTLY, int(number))
        case [equation] if len(equation) == 3 and equation[1] == "=":
            a, b = patterns.colour_index(equation[0]), patterns.colour_index(equation[2])
            return TempleRequirement(Requirement.EQUAL, a, b)
    raise DeckError(f"cannot read the Temple requirement {text.strip()!r}")
