"""Players by name: our own, and ``module:Class`` for anybody's. Modules load when they are used.

``montecarlo:50`` calls `with_number` of the bot that is named, ``priest:2.5s`` its `with_seconds`,
``artisan@FILE`` its `with_weights`. A bot without that method takes no number, clock or weights.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING

from coatl.players.base import Player
from coatl.players.bots import BOTS, FALLBACK_BOT, Bot

if TYPE_CHECKING:
    from coatl.rules.chance import Chances

    Maker = Callable[[Chances], Player]

PLAYERS = {bot.name: bot.path for bot in BOTS}
_SECONDS = re.compile(r"\d{1,6}(\.\d{1,3})?s", re.ASCII)
_MOST_SECONDS = 600
_HIGHEST_NUMBER = 1_000_000


class UnknownPlayer(ValueError):  # noqa: N818 - it is the player that is unknown
    """No such player; the message lists the known ones."""


def player_names() -> tuple[str, ...]:
    return tuple(PLAYERS)


def make_player(name: str, chances: Chances | None = None) -> Player:
    """A player by its name or ``module:Class``; it draws from `chances`, or from a fresh seed."""
    maker = find_player(name)
    return maker(chances if chances is not None else _fresh_chances())


def _fresh_chances() -> Chances:
    import secrets

    from coatl.rules.chance import new_chance

    return new_chance(secrets.token_hex(16))


def find_player(name: str) -> Maker:
    """What makes a player: a class, or for the ladder a factory; raises `UnknownPlayer`."""
    if not isinstance(name, str):
        raise TypeError(f"a player has a name, not {name!r}")
    plain, at, file = name.partition("@")
    if at and plain.partition(":")[0] in PLAYERS:
        return _with_weights(plain, file)
    module, _, attribute = PLAYERS.get(name, name).partition(":")
    if module in PLAYERS and attribute.isdecimal():
        return _with_number(module, int(attribute[:9]))
    if module in PLAYERS and _SECONDS.fullmatch(attribute):
        return _with_seconds(module, float(attribute[:-1]))
    known = ", ".join(PLAYERS)
    if not module or not attribute:
        raise UnknownPlayer(f"no player is called {name!r}; there are {known}, and module:Class")
    try:
        maker = getattr(import_module(module), attribute)
    except ImportError as error:
        raise UnknownPlayer(f"{name}: {error}") from None
    except AttributeError:
        raise UnknownPlayer(f"{name}: the module {module} has no {attribute}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a stranger's module can do anything, even exit
        raise UnknownPlayer(f"{name}: importing it raised {error!r}") from None
    if name not in PLAYERS and not (callable(maker) and hasattr(maker, "choose")):
        raise UnknownPlayer(f"{name}: a player is a class with a method choose(view, moves)")
    return maker  # type: ignore[no-any-return]


def _with_number(name: str, number: int) -> Maker:
    with_number = getattr(find_player(name), "with_number", None)
    if with_number is None:
        raise UnknownPlayer(f"{name} takes no number")
    if not 1 <= number <= _HIGHEST_NUMBER:
        raise UnknownPlayer(f"{name}:{number}: a number from 1 to {_HIGHEST_NUMBER}")
    return with_number(number)  # type: ignore[no-any-return]


def _with_seconds(name: str, seconds: float) -> Maker:
    with_seconds = getattr(find_player(name), "with_seconds", None)
    if with_seconds is None:
        raise UnknownPlayer(f"{name} takes no clock")
    if not 0 < seconds <= _MOST_SECONDS:
        raise UnknownPlayer(f"{name}:{seconds:g}s: more than 0 and up to {_MOST_SECONDS} seconds")
    return with_seconds(seconds)  # type: ignore[no-any-return]


def _with_weights(name: str, file: str) -> Maker:
    with_weights = getattr(find_player(name), "with_weights", None)
    if with_weights is None:
        raise UnknownPlayer(f"{name} takes no weights")
    from coatl.net.weights import WeightsError

    try:
        return with_weights(file)  # type: ignore[no-any-return]
    except WeightsError as error:
        raise UnknownPlayer(f"{name}@{file}: {error}") from None


# ---------------------------------------------------------------- bots that need weights


def _find_bot(name: str) -> Bot | None:
    """One of ours, with or without a number or weights after its name."""
    plain = name.partition("@")[0].partition(":")[0]
    return next((bot for bot in BOTS if bot.name == plain), None)


def needs_weights(name: str) -> bool:
    """Is this a bot that learnt by self-play, and needs the shipped file with what it learnt?"""
    bot = _find_bot(name)
    return bot is not None and bot.needs_weights and "@" not in name


def stand_in_note(names: Iterable[str]) -> str | None:
    """One line if the fallback bot plays for any of these, since their weights cannot be used."""
    waiting = [name for name in dict.fromkeys(names) if needs_weights(name)]
    if not waiting:
        return None
    from coatl.players.ladder import why_no_weights

    reason = why_no_weights()
    return reason and f"{FALLBACK_BOT} stands in for {', '.join(waiting)}: {reason}"


def needed_packages(name: str) -> tuple[str, ...]:
    """The compiled packages, besides the rules, that one of our bots calls."""
    bot = _find_bot(FALLBACK_BOT if stand_in_note([name]) else name)
    return () if bot is None else bot.packages


def load_compiled(names: Iterable[str]) -> None:
    """Compile or load the rules and what bots call, before several processes would do it."""
    from coatl.compiler import jit

    jit.load_all()
    for package in dict.fromkeys(package for name in names for package in needed_packages(name)):
        jit.load_all(package)


def default_bot() -> str:
    """The opponent for somebody who has not chosen one: a newcomer can beat it."""
    return FALLBACK_BOT if stand_in_note(["apprentice"]) else "apprentice"
