"""The players that search."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.net.weights import Policy
from coatl.options import Options
from coatl.players import make_player
from coatl.players.search import SearchPlayer
from coatl.rules.chance import new_chance
from coatl.search.settings import SearchSettings
from coatl.simulate import play_out
from tests.players.small_network import (
    MODES,
    first_view,
    new_game,
    small_policy,
    views_of_two_truths,
)

pytestmark = pytest.mark.skipif(DISABLED, reason="the search needs compiled code")

FEW = SearchSettings(simulations=24)
MANY = 10**6


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return small_policy(tmp_path_factory.mktemp("weights"))


@pytest.mark.parametrize("options", [Options(3, True), Options(1, False, solo=(1, 3))], ids=str)
def test_it_is_fixed_by_its_seed_and_blind_to_hidden_cards(
    policy: Policy, options: Options
) -> None:
    settings = replace(FEW, scenarios=3, scenarios_with_others=3)
    for step, view, other in views_of_two_truths(60, "blind", options):
        choices = [
            SearchPlayer(new_chance("s", stream=step), policy, settings).choose(seen, seen.moves)
            for seen in (view, other)
        ]
        assert choices[0] == choices[1]


@pytest.mark.parametrize("options", MODES, ids=str)
@pytest.mark.parametrize(
    "settings",
    [
        FEW,
        replace(FEW, others=0),
        replace(FEW, points=0.2),
        replace(FEW, scenarios=3, scenarios_with_others=3),
    ],
    ids=repr,
)
def test_it_plays_every_mode(policy: Policy, options: Options, settings: SearchSettings) -> None:
    game = new_game(options, "modes")
    players = [make_player("random", new_chance(seat)) for seat in range(options.players)]
    players[0] = SearchPlayer(new_chance("s"), policy, settings)
    assert play_out(game, players).turns > 10


def test_a_seed_fixes_a_game_with_threads_too(policy: Policy) -> None:
    for settings in (FEW, replace(FEW, threads=2)):
        results = [
            play_out(
                Game.new(players=2, seed="twice"),
                [SearchPlayer(new_chance(seat), policy, settings) for seat in range(2)],
            )
            for _ in range(2)
        ]
        assert results[0] == results[1]


def test_a_budget_of_simulations_is_kept(policy: Policy) -> None:
    game = first_view("budget")
    view = game.view(game.seat)
    player = SearchPlayer(new_chance(1), policy, SearchSettings(simulations=200, explore=50.0))
    player.choose(view, view.moves)
    assert 100 < player.simulations <= 200
    sure = SearchPlayer(
        new_chance(1), policy, SearchSettings(simulations=200, explore=0.0, reduce=99.0)
    )
    sure.choose(view, view.moves)
    assert sure.simulations < 100


def test_no_search_where_there_is_no_choice(policy: Policy) -> None:
    game = first_view("forced")
    view = game.view(game.seat)
    player = SearchPlayer(new_chance(1), policy, FEW)
    assert player.choose(view, view.moves[:1]) == view.moves[0]
    assert player.simulations == 0


def test_it_stops_at_the_clock_and_when_told(policy: Policy) -> None:
    game = first_view("clock")
    view = game.view(game.seat)
    player = SearchPlayer(new_chance(1), policy, SearchSettings(simulations=MANY, seconds=0.5))
    assert player.choose(view, view.moves) in view.moves
    assert 0 < player.simulations < MANY
    patient = SearchPlayer(new_chance(1), policy, SearchSettings(simulations=MANY))
    timer = threading.Timer(0.1, patient.stop)
    timer.start()
    assert patient.choose(view, view.moves) in view.moves
    assert patient.simulations < MANY


def test_a_turn_goes_on_in_the_same_tree(policy: Policy) -> None:
    """The second decision of a turn begins with what the first one has found out."""
    game = Game.new(players=2, seed="on")
    settings = SearchSettings(simulations=300, explore=9.0)
    player = SearchPlayer(new_chance(1), policy, settings)
    went_on = 0
    for _ in range(60):
        if game.seat is None:
            break
        view = game.view(game.seat)
        game.play(player.choose(view, view.moves))
        assert player.simulations <= settings.simulations
        visits = sum(visits for visits, _, _ in player._searches[0].visits().values())
        went_on += visits > player.simulations
    assert went_on > 5
