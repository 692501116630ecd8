"""Which characters a name may have: letters of all scripts and emoji, and nothing invisible."""

from __future__ import annotations

import re

_EMOJI = "\u203c\u2049\u2122\u2139\u2190-\u27ff\u2900-\u2bff\U0001f000-\U0001faff"
# What makes one emoji of several stands between two of them, perhaps after the mark for colour.
_JOINER = re.compile(f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])")
_COLOUR_MARK = re.compile(f"(?<=[{_EMOJI}#*0-9])\ufe0f")

# Unicode calls these letters, marks or symbols, so `str.isprintable` lets them pass; they are
# drawn as nothing: fillers, the grapheme joiner, selectors of variants, blank Braille, and others.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U0001d159\U000e0100-\U000e01ef]"
)


def is_printable(name: str) -> bool:
    """No control characters, nothing that changes the direction, joiners only between emoji."""
    return _JOINER.sub("", name).isprintable()


def has_invisible(name: str) -> bool:
    """Does a name have a character that nobody can see, so that two names could look the same?"""
    return bool(_INVISIBLE.search(_COLOUR_MARK.sub("", name))) or not is_printable(name)
