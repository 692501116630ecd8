"""One search: its tree, its scenarios, and what ends it."""

from __future__ import annotations

import numpy as np
import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.net.weights import Policy
from coatl.options import Options
from coatl.players import make_player
from coatl.players.search import SearchPlayer
from coatl.rules.chance import new_chance
from coatl.search import search as searching
from coatl.search.search import REPLIES, Search
from coatl.search.settings import SearchSettings
from tests.players.small_network import first_view, new_game, small_policy

pytestmark = pytest.mark.skipif(DISABLED, reason="the search needs compiled code")


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return small_policy(tmp_path_factory.mktemp("weights"))


def test_ways_through_a_turn_that_meet_share_a_node(policy: Policy) -> None:
    """Two cards of the row, in either order, are the same choice."""
    game = first_view("merge")
    view = game.view(game.seat)
    search = Search(policy, new_chance(3), SearchSettings(simulations=3000, explore=50.0))
    search.run(view, np.zeros(1, np.int8))
    nodes, edges = search._tree.nodes, search._tree.edges
    used = int(search._tree.statistics["n_edges"][0])
    assert int(search._tree.statistics["n_nodes"][0]) <= search.simulations + 1
    children = edges["child"][:used]
    children = children[children >= 0]
    assert len(children) > len(set(children.tolist()))
    assert nodes["visits"][0] == search.simulations


def nodes_met_again(policy: Policy, game: Game, scenarios: int) -> int:
    """How many positions of a search more than one simulation has come to."""
    settings = SearchSettings(
        100, explore=0.5, scenarios=scenarios, scenarios_with_others=scenarios
    )
    search = Search(policy, new_chance(4), settings)
    assert game.seat is not None
    search.run(game.view(game.seat), np.zeros(1, np.int8))
    used = int(search._tree.statistics["n_nodes"][0])
    return int((search._tree.nodes["visits"][:used] > 1).sum())


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
    game, settings = Game.new(2, seed="once 7"), SearchSettings(64, scenarios_with_others=scenarios)
    mover = make_player("random", new_chance(7))
    asked = {REPLIES: 0, 1: 0}
    while game.seat is not None:
        view, visits = game.view(game.seat), []
        for room in asked:
            monkeypatch.setattr(searching, "REPLIES", room)
            player = SearchPlayer(new_chance(4), policy, settings)
            player.choose(view, view.moves)
            asked[room] += player._searches[0].evaluations
            visits.append(player._searches[0].visits())
        assert visits[0] == visits[1]
        game.play(mover.choose(view, view.moves))
    assert asked[REPLIES] <= share * asked[1]


def test_scenarios_are_new_at_each_decision(policy: Policy) -> None:
    game = Game.new(solo=(), seed="anew")
    view = game.view(game.seat)
    search = Search(policy, new_chance(5), SearchSettings(simulations=20, scenarios=2))
    keys = set()
    for _ in range(3):
        search.run(view, np.zeros(1, np.int8))
        keys.add(search._source["key"].tobytes())
    assert len(keys) == 3


def test_a_solo_search_has_room_for_its_simulations(policy: Policy) -> None:
    game = Game.new(solo=(), seed="room")
    view = game.view(game.seat)
    search = Search(policy, new_chance(6), SearchSettings(simulations=50, explore=9.0))
    search.run(view, np.zeros(1, np.int8))
    assert search.simulations > 200
    assert int(search._tree.statistics["n_nodes"][0]) < len(search._tree.nodes)


def test_a_search_is_told_to_stop_in_a_byte(policy: Policy) -> None:
    game = first_view("byte")
    search, locked = (
        Search(policy, new_chance(1), SearchSettings(simulations=24)),
        np.zeros(1, np.int8),
    )
    locked.flags.writeable = False
    for stop in (np.zeros(0, np.int8), np.zeros(2, np.int8), locked):
        with pytest.raises(ValueError, match="stop"):
            search.run(game.view(game.seat), stop)
    with pytest.raises(TypeError, match="stop is an array of int8, not int16"):
        search.run(game.view(game.seat), np.zeros(1, np.int16))
