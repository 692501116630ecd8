"""Players by name: our own, and ``module:Class`` for anybody's."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from coatl.players.base import Player
from coatl.players.greedy import GreedyPlayer
from coatl.players.random import RandomPlayer
from coatl.rules.chance import Chances, new_chance

Maker = Callable[[Chances], Player]

PLAYERS: dict[str, Maker] = {"random": RandomPlayer, "greedy": GreedyPlayer}


class UnknownPlayer(ValueError):  # noqa: N818 - it is the player that is unknown
    """No such player; the message lists the known ones."""


def player_names() -> tuple[str, ...]:
    return tuple(PLAYERS)


def make_player(name: str, chances: Chances | None = None) -> Player:
    """A player by its name or ``module:Class``; it draws from `chances`, or from a fresh seed."""
    maker = PLAYERS.get(name) or _maker_elsewhere(name)
    return maker(chances if chances is not None else new_chance(_fresh_seed()))


def _fresh_seed() -> str:
    import secrets

    return secrets.token_hex(16)


def _maker_elsewhere(name: str) -> Maker:
    module, colon, attribute = name.partition(":")
    known = ", ".join(PLAYERS)
    if not colon:
        raise UnknownPlayer(f"no player is called {name!r}; there are {known}, and module:Class")
    try:
        maker = getattr(import_module(module), attribute)
    except ImportError as error:
        raise UnknownPlayer(f"{name}: {error}") from None
    except AttributeError:
        raise UnknownPlayer(f"{name}: the module {module} has no {attribute}") from None
    if not callable(maker) or not hasattr(maker, "choose"):
        raise UnknownPlayer(f"{name}: a player is a class with a method choose(view, moves)")
    return maker  # type: ignore[no-any-return]
