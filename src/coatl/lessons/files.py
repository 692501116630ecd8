"""The files of the lessons: their order, each lesson, and its words in each language."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

from coatl.rulebook.languages import Language


def read_order() -> dict[str, Any]:
    """What belongs to all lessons: their names in order."""
    return _read("lessons.toml")


def read_lesson(name: str) -> dict[str, Any]:
    return _read(f"{name}/lesson.toml")


def read_words(name: str, language: Language) -> dict[str, Any]:
    return _read(f"{name}/{language}.toml")


def read_common_words(language: Language) -> dict[str, Any]:
    """Words that every lesson needs."""
    return _read(f"{language}.toml")


def _read(name: str) -> dict[str, Any]:
    text = resources.files("coatl.lessons").joinpath("data", name).read_text(encoding="utf-8")
    return tomllib.loads(text)
