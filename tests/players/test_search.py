"""The players that search."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.net.weights import Policy
from coatl.options import Options
from coatl.players import make_player
from coatl.players import search as searching
from coatl.players.search import ANSWERS, Plan, Search, SearchPlayer
from coatl.rules.chance import new_chance
from coatl.simulate import play_out
from tests.players.small_network import MODES, new_game, small_policy, views_of_two_truths

pytestmark = pytest.mark.skipif(DISABLED, reason="the search needs compiled code")

FEW = Plan(simulations=24)
MANY = 10**6


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return small_policy(tmp_path_factory.mktemp("weights"))


@pytest.mark.parametrize("options", [Options(3, True), Options(1, False, solo=(1, 3))], ids=str)
def test_it_is_fixed_by_its_seed_and_blind_to_hidden_cards(
    policy: Policy, options: Options
) -> None:
    plan = replace(FEW, scenarios=3, scenarios_with_others=3)
    for step, view, other in views_of_two_truths(60, "blind", options):
        choices = [
            SearchPlayer(new_chance("s", stream=step), policy, plan).choose(seen, seen.moves)
            for seen in (view, other)
        ]
        assert choices[0] == choices[1]


@pytest.mark.parametrize("options", MODES, ids=str)
@pytest.mark.parametrize(
    "plan",
    [
        FEW,
        replace(FEW, others=0),
        replace(FEW, points=0.2),
        replace(FEW, scenarios=3, scenarios_with_others=3),
    ],
    ids=repr,
)
def test_it_plays_every_mode(policy: Policy, options: Options, plan: Plan) -> None:
    game = new_game(options, "modes")
    players = [make_player("random", new_chance(seat)) for seat in range(options.players)]
    players[0] = SearchPlayer(new_chance("s"), policy, plan)
    assert play_out(game, players).turns > 10


def test_a_seed_fixes_a_game_with_threads_too(policy: Policy) -> None:
    for plan in (FEW, replace(FEW, threads=2)):
        results = [
            play_out(
                Game.new(players=2, seed="twice"),
                [SearchPlayer(new_chance(seat), policy, plan) for seat in range(2)],
            )
            for _ in range(2)
        ]
        assert results[0] == results[1]


def first_view(seed: str) -> Game:
    """A game at its first turn, where there is much to choose from."""
    game = Game.new(players=2, seed=seed)
    driver = make_player("random", new_chance("driver"))
    while len(game.view(game.seat).moves) < 8:
        view = game.view(game.seat)
        game.play(driver.choose(view, view.moves))
    return game


def test_a_budget_of_simulations_is_kept(policy: Policy) -> None:
    game = first_view("budget")
    view = game.view(game.seat)
    player = SearchPlayer(new_chance(1), policy, Plan(simulations=200, explore=50.0))
    player.choose(view, view.moves)
    assert 100 < player.simulations <= 200
    sure = SearchPlayer(new_chance(1), policy, Plan(simulations=200, explore=0.0, reduce=99.0))
    sure.choose(view, view.moves)
    assert sure.simulations < 100


def test_a_turn_takes_about_as_long_at_every_table() -> None:
    assert [Plan(simulations=600).budget(players) for players in (1, 2, 3, 4)] == [
        3600,
        600,
        300,
        200,
    ]


def test_no_search_where_there_is_no_choice(policy: Policy) -> None:
    game = first_view("forced")
    view = game.view(game.seat)
    player = SearchPlayer(new_chance(1), policy, FEW)
    assert player.choose(view, view.moves[:1]) == view.moves[0]
    assert player.simulations == 0


def test_it_stops_at_the_clock_and_when_told(policy: Policy) -> None:
    game = first_view("clock")
    view = game.view(game.seat)
    player = SearchPlayer(new_chance(1), policy, Plan(simulations=MANY, seconds=0.5))
    assert player.choose(view, view.moves) in view.moves
    assert 0 < player.simulations < MANY
    patient = SearchPlayer(new_chance(1), policy, Plan(simulations=MANY))
    timer = threading.Timer(0.1, patient.stop)
    timer.start()
    assert patient.choose(view, view.moves) in view.moves
    assert patient.simulations < MANY


def test_ways_through_a_turn_that_meet_share_a_node(policy: Policy) -> None:
    """Two cards of the row, in either order, are the same choice."""
    game = first_view("merge")
    view = game.view(game.seat)
    search = Search(policy, new_chance(3), Plan(simulations=3000, explore=50.0))
    search.run(view, np.zeros(1, np.int8))
    nodes, edges = search._nodes, search._edges
    used = int(search._tree["n_edges"][0])
    assert int(search._tree["n_nodes"][0]) <= search.simulations + 1
    children = edges["child"][:used]
    children = children[children >= 0]
    assert len(children) > len(set(children.tolist()))
    assert nodes["visits"][0] == search.simulations


def test_a_turn_goes_on_in_the_same_tree(policy: Policy) -> None:
    """The second decision of a turn begins with what the first one has found out."""
    game = Game.new(players=2, seed="on")
    player, plan = SearchPlayer(new_chance(1), policy, Plan(simulations=300, explore=9.0)), 300
    went_on = 0
    for _ in range(60):
        if game.seat is None:
            break
        view = game.view(game.seat)
        game.play(player.choose(view, view.moves))
        assert player.simulations <= plan
        visits = sum(visits for visits, _, _ in player._searches[0].visits().values())
        went_on += visits > player.simulations
    assert went_on > 5


def nodes_met_again(policy: Policy, game: Game, scenarios: int) -> int:
    """How many positions of a search more than one simulation has come to."""
    plan = Plan(100, explore=0.5, scenarios=scenarios, scenarios_with_others=scenarios)
    search = Search(policy, new_chance(4), plan)
    assert game.seat is not None
    search.run(game.view(game.seat), np.zeros(1, np.int8))
    used = int(search._tree["n_nodes"][0])
    return int((search._nodes["visits"][:used] > 1).sum())


@pytest.mark.parametrize("options", [Options(1, False, solo=()), Options(2, True)], ids=str)
def test_scenarios_let_a_search_look_further_ahead(policy: Policy, options: Options) -> None:
    """Where each simulation draws anew, none comes to another's position of a later turn."""
    game = new_game(options, "ahead")
    assert nodes_met_again(policy, game, 4) > 1.5 * nodes_met_again(policy, game, 0)


@pytest.mark.parametrize(("scenarios", "share"), [(4, 0.8), (64, 1.0)])
def test_what_others_do_in_a_scenario_is_asked_once(
    policy: Policy, monkeypatch: pytest.MonkeyPatch, scenarios: int, share: float
) -> None:
    """Where nothing can be kept it is found out anew, with the same result.

    In some of this game's positions others may do different things in the same place.
    """
    game, plan = Game.new(2, seed="once 7"), Plan(64, scenarios_with_others=scenarios)
    mover = make_player("random", new_chance(7))
    asked = {ANSWERS: 0, 1: 0}
    while game.seat is not None:
        view, visits = game.view(game.seat), []
        for room in asked:
            monkeypatch.setattr(searching, "ANSWERS", room)
            player = SearchPlayer(new_chance(4), policy, plan)
            player.choose(view, view.moves)
            asked[room] += player._searches[0].asked
            visits.append(player._searches[0].visits())
        assert visits[0] == visits[1]
        game.play(mover.choose(view, view.moves))
    assert asked[ANSWERS] <= share * asked[1]


def test_scenarios_are_new_at_each_decision(policy: Policy) -> None:
    game = Game.new(solo=(), seed="anew")
    view = game.view(game.seat)
    search = Search(policy, new_chance(5), Plan(simulations=20, scenarios=2))
    keys = set()
    for _ in range(3):
        search.run(view, np.zeros(1, np.int8))
        keys.add(search._source["key"].tobytes())
    assert len(keys) == 3


def test_a_solo_search_has_room_for_its_simulations(policy: Policy) -> None:
    game = Game.new(solo=(), seed="room")
    view = game.view(game.seat)
    search = Search(policy, new_chance(6), Plan(simulations=50, explore=9.0))
    search.run(view, np.zeros(1, np.int8))
    assert search.simulations > 200
    assert int(search._tree["n_nodes"][0]) < len(search._nodes)


@pytest.mark.parametrize(
    ("wish", "kind", "reason"),
    [
        ({"simulations": 0}, ValueError, "the number of simulations is from 1 to"),
        ({"simulations": 2.5}, TypeError, "the number of simulations is a whole number"),
        ({"simulations": 10**30}, ValueError, "the number of simulations is from 1 to"),
        ({"others": -1}, ValueError, "the number of others' decisions"),
        ({"scenarios": -1}, ValueError, "the number of scenarios"),
        ({"threads": 0}, ValueError, "the number of threads"),
        ({"seconds": float("nan")}, ValueError, "seconds is a finite number, not nan"),
        ({"explore": float("inf")}, ValueError, "explore is a finite number, not inf"),
        ({"points": "many"}, TypeError, "points is a number, not 'many'"),
    ],
)
def test_a_plan_is_made_of_numbers(
    wish: dict[str, Any], kind: type[Exception], reason: str
) -> None:
    with pytest.raises(kind, match=reason):
        Plan(**wish)


def test_a_search_is_told_to_stop_in_a_byte(policy: Policy) -> None:
    game = first_view("byte")
    search, locked = Search(policy, new_chance(1), FEW), np.zeros(1, np.int8)
    locked.flags.writeable = False
    for stop in (np.zeros(0, np.int8), np.zeros(2, np.int8), locked):
        with pytest.raises(ValueError, match="stop"):
            search.run(game.view(game.seat), stop)
    with pytest.raises(TypeError, match="stop is an array of int8, not int16"):
        search.run(game.view(game.seat), np.zeros(1, np.int16))
