"""Which compressed form of an answer a client takes, by its header `Accept-Encoding`."""

from __future__ import annotations

import gzip
from collections.abc import Iterable

LEVEL = 5  # of gzip: the higher ones take several times as long and save a few percent
WORTH_IT = 1024  # bytes; less is one packet either way


def choose_encoding(accepted: str, offered: Iterable[str]) -> str | None:
    """The first of those offered that is accepted; None if it goes out as it is."""
    weights = dict(_read(part) for part in accepted.lower().split(","))
    for encoding in offered:
        if weights.get(encoding, weights.get("*", 0.0)) > 0:
            return encoding
    return None


def _read(part: str) -> tuple[str, float]:
    """One encoding and its weight, as in ``br;q=0.5``; one that cannot be read is not wanted."""
    name, _, weight = part.partition(";")
    if not weight:
        return name.strip(), 1.0
    try:
        return name.strip(), float(weight.strip().removeprefix("q="))
    except ValueError:
        return name.strip(), 0.0


def compress(content: bytes) -> bytes:
    """With gzip; the same bytes give the same bytes, whenever that is done."""
    return gzip.compress(content, LEVEL, mtime=0)
