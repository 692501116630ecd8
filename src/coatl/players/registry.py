"""Players by name: our own, and ``module:Class`` for anybody's. Modules load when they are used.

``montecarlo:50`` is one of ours with a number of its own: whatever its `with_number` makes of it;
``priest:2.5s`` is one with a clock: whatever its `with_seconds` makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING

from coatl.players.base import Player
from coatl.players.bots import BOTS

if TYPE_CHECKING:
    from coatl.rules.chance import Chances

    Maker = Callable[[Chances], Player]

PLAYERS = {bot.name: bot.path for bot in BOTS}
_LADDER = "coatl.players.ladder"
_SECONDS = re.compile(r"\d{1,6}(\.\d{1,3})?s", re.ASCII)
_MOST_SECONDS = 600


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
    """The class of a player; raises `UnknownPlayer`."""
    if not isinstance(name, str):
        raise TypeError(f"a player has a name, not {name!r}")
    module, _, attribute = PLAYERS.get(name, name).partition(":")
    if module in PLAYERS and attribute.isdecimal():
        return _with_number(module, int(attribute))
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
    except BaseException as error:  # a module of somebody's can do anything, leave too
        raise UnknownPlayer(f"{name}: importing it raised {error!r}") from None
    if not callable(maker) or not hasattr(maker, "choose"):
        raise UnknownPlayer(f"{name}: a player is a class with a method choose(view, moves)")
    return maker  # type: ignore[no-any-return]


def _with_number(name: str, number: int) -> Maker:
    with_number = getattr(find_player(name), "with_number", None)
    if with_number is None:
        raise UnknownPlayer(f"{name} takes no number")
    if not 1 <= number <= 1_000_000:
        raise UnknownPlayer(f"{name}:{number}: a number from 1 to 1000000")
    return with_number(number)  # type: ignore[no-any-return]


def _with_seconds(name: str, seconds: float) -> Maker:
    with_seconds = getattr(find_player(name), "with_seconds", None)
    if with_seconds is None:
        raise UnknownPlayer(f"{name} takes no clock")
    if not 0 < seconds <= _MOST_SECONDS:
        raise UnknownPlayer(f"{name}:{seconds:g}s: more than 0 and up to {_MOST_SECONDS} seconds")
    return with_seconds(seconds)  # type: ignore[no-any-return]


# ---------------------------------------------------------------- stand-ins


def needs_weights(name: str) -> bool:
    """Is this one of the bots that were taught, and need the file with what they learnt?"""
    return PLAYERS.get(name.partition(":")[0], "").startswith(_LADDER)


def stand_in_note(names: Iterable[str]) -> str | None:
    """One line if a stand-in plays for any of these bots, since their weights cannot be used."""
    waiting = [name for name in dict.fromkeys(names) if needs_weights(name)]
    if not waiting:
        return None
    from coatl.players.ladder import STAND_IN, why_no_weights

    reason = why_no_weights()
    return reason and f"{STAND_IN} stands in for {', '.join(waiting)}: {reason}"


def needed_packages(name: str) -> tuple[str, ...]:
    """The compiled packages, besides the rules, that a bot calls; of others nothing is known."""
    plain = name.partition(":")[0]
    if stand_in_note([plain]):
        from coatl.players.ladder import STAND_IN

        plain = STAND_IN
    return next((bot.packages for bot in BOTS if bot.name == plain), ())


def load_compiled(names: Iterable[str]) -> None:
    """Compile or load the rules and what bots call, before several processes would do it."""
    from coatl.compiler import jit

    jit.load_all()
    for package in dict.fromkeys(package for name in names for package in needed_packages(name)):
        jit.load_all(package)


def default_bot() -> str:
    """The opponent for somebody who has not chosen one: a newcomer can beat it."""
    return "planner" if stand_in_note(["apprentice"]) else "apprentice"
