"""The files of the rulebook: `book.toml`, and one with the words of each language."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib import resources
from typing import Any

from coatl.rulebook.languages import Language


def read_book() -> dict[str, Any]:
    """Chapters, parts and items in their order, pictures and steps."""
    return _read("book.toml")


@lru_cache(maxsize=8)
def read_language(language: Language) -> dict[str, Any]:
    """The words of a language. Nobody may change what is returned."""
    return _read(f"{language}.toml")


def flowing(text: str) -> str:
    """A text that goes over several lines of a file, in one; no-break spaces stay what they are."""
    return re.sub(r"[ \n]+", " ", text).strip(" ")


def _read(name: str) -> dict[str, Any]:
    text = resources.files("coatl.rulebook").joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)
