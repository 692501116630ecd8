"""The options that `play` and `simulate` share, from the words of the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from coatl.cli.console import Failure
from coatl.options import Options
from coatl.players.registry import find_player, stand_in_note
from coatl.rules.state import MAX_PLAYERS


def read_options(
    players: int | None,
    *,
    solo: bool,
    levels: str | None,
    tokens: bool | None,
    promo: bool,
    fewer_bodies: bool,
) -> Options:
    chosen = read_levels(levels) if solo or levels is not None else None
    if chosen is None and players is not None and not 2 <= players <= MAX_PLAYERS:
        raise Failure(f"2 to {MAX_PLAYERS} players (or --solo), not {players}")
    return Options.make(players, tokens, chosen, promo, fewer_bodies)


def read_levels(text: str | None) -> list[int]:
    """``13`` and ``1,3`` are levels 1 and 3; nothing is the base game."""
    digits = (text or "").replace(",", "").replace(" ", "")
    if not all(digit in "12345" for digit in digits):
        raise Failure(f"levels are some of 1 2 3 4 5, such as 13, not {text!r} (D10)")
    return [int(digit) for digit in digits]


def allow_own_bots() -> None:
    """Let Python find bots in the folder that one works in."""
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.insert(0, folder)


def read_bots(text: str | None) -> list[str]:
    """Names of bots, each of which exists."""
    if text is None:
        return []
    allow_own_bots()
    names = [name.strip() for name in text.split(",")]
    for name in names:
        find_player(name)
    print_stand_in_note(names)
    return names


def print_stand_in_note(names: Iterable[str]) -> None:
    """A line on standard error if a bot's weights cannot be used and another plays for it."""
    note = stand_in_note(names)
    if note is not None:
        print(f"coatl: {note}", file=sys.stderr)
