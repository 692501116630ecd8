"""The ladder with the weights that we ship, and without any."""

from __future__ import annotations

from pathlib import Path

import pytest

from coatl.game import Game
from coatl.net.weights import ENVIRONMENT, save_random_policy
from coatl.players import make_player, player_names
from coatl.players.base import Player
from coatl.players.bots import BOTS
from coatl.players.ladder import SIMULATIONS_UNDER_A_CLOCK, SearchBot
from coatl.players.network import (
    APPRENTICE,
    ARTISAN,
    NOVICE,
    NetworkPlayer,
    ViewEvaluator,
)
from coatl.players.planner import PlannerPlayer
from coatl.players.registry import (
    default_bot,
    find_player,
    needed_packages,
    needs_weights,
    stand_in_note,
)
from coatl.players.search import HIGH_PRIEST, PRIEST, SearchPlayer
from coatl.rules.chance import new_chance
from coatl.view import View

NETWORK_BOTS = {"novice": NOVICE, "apprentice": APPRENTICE, "artisan": ARTISAN}
SEARCH_BOTS = {"priest": PRIEST, "high-priest": HIGH_PRIEST}
LADDER_BOTS = [*NETWORK_BOTS, *SEARCH_BOTS]


def some_views() -> list[View]:
    """A few positions of a game, each with a choice."""
    game = Game.new(players=2, seed="ladder")
    driver = make_player("random", new_chance("driver"))
    views: list[View] = []
    while len(views) < 8:
        assert game.seat is not None
        view = game.view(game.seat)
        if len(view.moves) > 5:
            views.append(view)
        game.play(driver.choose(view, view.moves))
    return views


def search_bot(name: str) -> SearchBot:
    bot = find_player(name)
    assert isinstance(bot, SearchBot)
    return bot


def evaluator_of(player: Player) -> ViewEvaluator:
    assert isinstance(player, NetworkPlayer | SearchPlayer)
    return player._evaluator


# ---------------------------------------------------------------- with the shipped weights


def test_the_bots_of_the_ladder_are_those_that_need_weights() -> None:
    assert [bot.name for bot in BOTS if bot.needs_weights] == LADDER_BOTS
    assert all(needs_weights(name) for name in [*LADDER_BOTS, "priest:9"])


def test_weights_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an earlier edition is measured with: each side has its own network."""
    save_random_policy(tmp_path / "first.npz")
    monkeypatch.chdir(tmp_path)
    names = ["artisan@first.npz", "priest:9@first.npz", "artisan", "priest:9"]
    evaluators = [evaluator_of(make_player(name, new_chance(1))) for name in names]
    views, logits = some_views(), []
    for one in evaluators:
        one.observe(views[0])
        logits.append(one.evaluate()[0].tolist())
    assert logits[0] == logits[1] != logits[2] == logits[3]
    assert search_bot("priest:9@first.npz").settings == search_bot("priest:9").settings
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "none.npz"))
    assert stand_in_note(names) == stand_in_note(names[2:])
    assert isinstance(make_player(names[0], new_chance(1)), NetworkPlayer)


def test_with_weights_nobody_stands_in() -> None:
    assert stand_in_note(player_names()) is None
    assert default_bot() == "apprentice"


@pytest.mark.parametrize("name", NETWORK_BOTS)
def test_bots_that_ask_the_network_alone(name: str) -> None:
    """The same moves as the network gives at that strength."""
    for number, view in enumerate(some_views()):
        player = make_player(name, new_chance(number))
        assert isinstance(player, NetworkPlayer)
        same = NetworkPlayer(new_chance(number), strength=NETWORK_BOTS[name])
        assert player.choose(view, view.moves) == same.choose(view, view.moves)
        assert player.strength == NETWORK_BOTS[name]


@pytest.mark.parametrize("name", SEARCH_BOTS)
def test_bots_that_search(name: str) -> None:
    assert search_bot(name).settings == SEARCH_BOTS[name]
    view = some_views()[0]
    few, usual = make_player(f"{name}:8", new_chance(1)), make_player(name, new_chance(1))
    assert isinstance(few, SearchPlayer)
    assert isinstance(usual, SearchPlayer)
    few.choose(view, view.moves)
    usual.choose(view, view.moves)
    assert 0 < few.simulations <= 8 < usual.simulations <= SEARCH_BOTS[name].simulations


@pytest.mark.parametrize("name", SEARCH_BOTS)
def test_a_clock_instead_of_a_number(name: str) -> None:
    settings = search_bot(f"{name}:0.25s").settings
    assert (settings.seconds, settings.simulations) == (0.25, SIMULATIONS_UNDER_A_CLOCK)
    assert search_bot(name).settings.seconds == 0.0
    assert search_bot(f"{name}:70").settings.seconds == 0.0


# ---------------------------------------------------------------- without weights


@pytest.fixture
def no_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "nowhere.npz"))


@pytest.mark.usefixtures("no_weights")
@pytest.mark.parametrize("name", [*LADDER_BOTS, "priest:9", "high-priest:2.5s"])
def test_without_weights_the_planner_plays(name: str) -> None:
    assert isinstance(make_player(name, new_chance(1)), PlannerPlayer)
    assert needed_packages(name) == needed_packages("planner")


@pytest.mark.usefixtures("no_weights")
def test_without_weights_another_bot_is_the_default() -> None:
    assert default_bot() == "planner"


def test_the_note_names_the_bots_once_and_the_reason_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    damaged = tmp_path / "damaged.npz"
    damaged.write_bytes(b"these are no weights")
    monkeypatch.setenv(ENVIRONMENT, str(damaged))
    note = stand_in_note(["greedy", "artisan", "priest:9", "artisan"])
    assert note is not None
    assert note.startswith("planner stands in for artisan, priest:9: ")
    assert str(damaged) in note
    assert "\n" not in note


@pytest.mark.usefixtures("no_weights")
def test_nobody_waits_for_weights_that_are_not_needed() -> None:
    assert stand_in_note(["planner", "greedy", "tests.players.first_move:FirstMove"]) is None
