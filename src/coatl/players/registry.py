"""Players by name: our own, and ``module:Class`` for anybody's. Modules load when they are used."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from coatl.players.base import Player

if TYPE_CHECKING:
    from coatl.rules.chance import Chances

    Maker = Callable[[Chances], Player]

PLAYERS = {
    "random": "coatl.players.random:RandomPlayer",
    "greedy": "coatl.players.greedy:GreedyPlayer",
}


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
    module, _, attribute = PLAYERS.get(name, name).partition(":")
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
