"""The fields (`name=value`) a position is made of, and how lists and pieces are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coatl.errors import NotationError
from coatl.rules.pieces import COLOURS, KIND_OF_TEXT, KIND_TEXTS, N_KINDS

NOTHING = "-"
SEEN = "^"
MOST = 127  # what a field of the state can hold


class Fields:
    """The fields of one section, taken out one by one; what is left over at the end is an error."""

    def __init__(self, text: str) -> None:
        self.flags: list[str] = []
        self.values: dict[str, list[str]] = {}
        for word in text.split():
            name, equals, value = word.partition("=")
            if equals:
                self.values.setdefault(name, []).append(value)
            else:
                self.flags.append(word)

    def flag(self, name: str) -> bool:
        if name in self.flags:
            self.flags.remove(name)
            return True
        return False

    def value(self, name: str) -> str | None:
        values = self.values.pop(name, None)
        if values is None:
            return None
        if len(values) > 1:
            raise NotationError(f"{name}= is given {len(values)} times")
        return values[0]

    def list(self, name: str) -> list[str] | None:
        value = self.value(name)
        return None if value is None else split_list(value)

    def number(self, name: str, default: int, most: int = MOST) -> int:
        value = self.value(name)
        return default if value is None else read_number(value, f"{name}=", most)

    def choice(self, name: str, choices: Sequence[str], default: str) -> int:
        value = self.value(name)
        if value is not None and value not in choices:
            raise NotationError(f"{name}= wants one of {', '.join(choices)}, not {value!r}")
        return choices.index(value if value is not None else default)

    def expect_empty(self) -> None:
        unknown = [*self.flags, *(f"{name}=" for name in self.values)]
        if unknown:
            raise NotationError(f"unknown word {unknown[0]!r}")


def read_number(text: str, what: str, most: int = MOST) -> int:
    if not text.isdecimal() or len(text) > 5 or int(text) > most:
        raise NotationError(f"{what} wants a number from 0 to {most}, not {text[:20]!r}")
    return int(text)


def split_list(value: str) -> list[str]:
    """Split at commas outside brackets; ``-`` alone is the empty list."""
    if value in ("", NOTHING):
        return []
    parts, depth = [""], 0
    for letter in value:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def read_pieces(words: Iterable[str]) -> list[int]:
    """Counts by kind of pieces such as ``<K``, ``2R``, ``G>``."""
    counts = [0] * N_KINDS
    for word in words:
        piece = word.lstrip("0123456789")
        number = word[: len(word) - len(piece)]
        if piece not in KIND_OF_TEXT:
            raise NotationError(
                f"a piece is written <K, K or K> in the letters {COLOURS}: {word!r}"
            )
        count = counts[KIND_OF_TEXT[piece]] + (read_number(number, repr(word)) if number else 1)
        if count > MOST:
            raise NotationError(f"{word!r} are more pieces than the game has")
        counts[KIND_OF_TEXT[piece]] = count
    return counts


def write_pieces(counts: Sequence[int]) -> str:
    """The inverse of `read_pieces`."""
    words = [
        f"{count if count > 1 else ''}{KIND_TEXTS[kind]}"
        for kind, count in enumerate(counts)
        if count
    ]
    return ",".join(words) or NOTHING
