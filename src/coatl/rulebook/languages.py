"""The languages that the rules are written in, and which of them somebody reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Language = Literal["en", "fr", "de"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides, as POSIX has it


def find_language(environment: Mapping[str, str]) -> Language:
    """The language of a user, from the environment; English if we do not have it.

    >>> find_language({"LANG": "fr_CH.UTF-8"}), find_language({"LC_ALL": "C", "LANG": "de_DE"})
    ('fr', 'en')
    """
    locale = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    for language in LANGUAGES:
        if locale.replace("-", "_").split("_")[0].split(".")[0].lower() == language:
            return language
    return "en"
