"""Texts in lines. Rich would break them at no-break spaces too."""

from __future__ import annotations

import textwrap

LEAST_WIDTH = 20


def wrap_text(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(width, LEAST_WIDTH), break_on_hyphens=False)
