"""The registry of players: what a name stands for is loaded when it is used."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from coatl import Game
from coatl.players import make_player, player_names, registry
from coatl.players.registry import UnknownPlayer, find_player
from coatl.rules.chance import new_chance


def test_the_names_are_those_of_the_registry() -> None:
    assert player_names() == tuple(registry.PLAYERS)
    assert player_names()[:5] == ("novice", "apprentice", "artisan", "priest", "high-priest")
    assert set(player_names()[5:]) == {"planner", "greedy", "random", "montecarlo"}


@pytest.mark.parametrize("name", player_names())
def test_registered_players_exist(name: str) -> None:
    module, _, attribute = registry.PLAYERS[name].partition(":")
    maker = getattr(import_module(module), attribute)
    assert find_player(name) is maker
    assert callable(make_player(name).choose)


def test_a_player_draws_from_the_generator_it_is_given() -> None:
    view = Game.new(seed=1).view(0)
    choices = [
        [make_player("random", new_chance(seed)).choose(view, view.moves).text for seed in seeds]
        for seeds in ("aaaa", "aaaa", "abcdefgh")
    ]
    assert choices[0] == choices[1]
    assert len(set(choices[0])) == 1
    assert len(set(choices[2])) > 1


def test_without_a_generator_it_has_one_of_its_own() -> None:
    view = Game.new(seed=1).view(0)
    chosen = {make_player("random").choose(view, view.moves).text for _ in range(40)}
    assert len(chosen) > 1


@pytest.mark.parametrize("name", ["", "champion", "Random", " random", "random:", ":Bot", ":"])
def test_unknown_names(name: str) -> None:
    with pytest.raises(UnknownPlayer) as error:
        find_player(name)
    assert str(error.value) == (
        f"no player is called {name!r}; there are {', '.join(player_names())}, and module:Class"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 / 0", "importing it raised ZeroDivisionError"),
        ("def (", "importing it raised SyntaxError"),
        ("import no_such_thing", "No module named 'no_such_thing'"),
        ("raise ImportError('not today')", "not today"),
        ("Bot = 3", "a player is a class with a method choose"),
        ("class Bot: pass", "a player is a class with a method choose"),
        ("bot = 3", "the module bot_of_mine has no Bot"),
        pytest.param(
            *("raise SystemExit(1)", "importing it raised SystemExit"),
        ),
    ],
)
def test_modules_without_a_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, reason: str
) -> None:
    (tmp_path / "bot_of_mine.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "bot_of_mine", raising=False)
    with pytest.raises(UnknownPlayer) as error:
        find_player("bot_of_mine:Bot")
    sys.modules.pop("bot_of_mine", None)
    assert str(error.value).startswith("bot_of_mine:Bot: ")
    assert reason in str(error.value)
