"""The places of a table: who sits there, and which names and bots may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coatl.game.names import has_invisible
from coatl.game.record import check_seats
from coatl.players.bots import BOTS
from coatl.players.registry import PLAYERS
from coatl.table.entries import PlaceKind, PlaceSpec
from coatl.table.errors import Code, TableError

STRONGEST_STAND_IN = "greedy"  # where hints are off: a stronger one would be a hint
_STRENGTHS = {bot.name: bot.strength for bot in BOTS}


@dataclass
class Place:
    """Somebody at the table. `bot` is who plays there now, for a person who left too."""

    kind: PlaceKind
    name: str
    bot: str | None = None
    nonce: str | None = None
    gave_up: int | None = None  # the version at which
    returns: bool = False  # the person plays on when the bot's turn is over

    @property
    def is_ready(self) -> bool:
        return self.kind == PlaceKind.BOT or self.nonce is not None

    @property
    def has_stand_in(self) -> bool:
        """Does a bot play for a person who may come back?"""
        return self.kind == PlaceKind.PERSON and self.bot is not None and self.gave_up is None

    @property
    def record_name(self) -> str:
        """The name in the record of the game."""
        return f"bot:{self.bot}" if self.kind == PlaceKind.BOT else self.name


def check_places(places: Sequence[PlaceSpec]) -> None:
    """Raises `TableError` unless everybody could sit down there."""
    for spec in places:
        if spec.kind == PlaceKind.BOT:
            check_bot(spec.bot or "")
        elif spec.bot is not None:
            raise TableError(Code.BAD_OPTIONS, "a person's place has no bot")
        if spec.name:
            check_name(spec.name)
    names = [spec.name for spec in places if spec.name]
    if len(set(names)) < len(names):
        raise TableError(Code.BAD_NAME, "two places have the same name")


def check_bot(name: str) -> None:
    """At a table only our own bots play: a name is never a module to import."""
    if name not in PLAYERS:
        raise TableError(
            Code.UNKNOWN_BOT, f"there is no bot {name!r}; there are {', '.join(PLAYERS)}"
        )


def check_stand_in(name: str) -> None:
    """Of a bot that is to play for a person where hints are off."""
    strength, most = _STRENGTHS.get(name), _STRENGTHS[STRONGEST_STAND_IN]
    if strength is None or most is None or strength > most:
        raise TableError(Code.BOT_TOO_STRONG)


def check_name(name: str) -> None:
    try:
        check_seats((name,), 1)
    except ValueError as error:
        raise TableError(Code.BAD_NAME, str(error)) from None
    if name.startswith("bot:"):
        raise TableError(Code.BAD_NAME, "a person's name does not begin with 'bot:'")


def check_new_name(name: str) -> None:
    """Of somebody who comes now; names in older logs may have characters that nobody sees."""
    check_name(name)
    if has_invisible(name):
        raise TableError(Code.BAD_NAME, "a name has no invisible characters")


def free_name(name: str, taken: set[str]) -> str:
    """A name that nobody else has: ``Ana``, else ``Ana 2``."""
    check_name(name)
    number, chosen = 1, name
    while chosen in taken:
        number += 1
        chosen = f"{name[:36]} {number}"
    return chosen
