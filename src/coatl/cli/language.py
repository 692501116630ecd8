"""The language in which a command answers: the one asked for, or that of the user's locale."""

from __future__ import annotations

import os

from coatl.cli.console import Failure
from coatl.rulebook import LANGUAGES, Language, find_language


def choose_language(asked: str | None) -> Language:
    """Of `--lang`; raises `Failure` if we do not have it."""
    if asked is None:
        return find_language(os.environ)
    for language in LANGUAGES:
        if asked.lower() == language:
            return language
    raise Failure(f"the languages are {', '.join(LANGUAGES)}, not {asked!r}")
