"""What a search says of a seat that is not to move, and of decisions that it thinks little of."""

from __future__ import annotations

import numpy as np
import pytest

from coatl import Game
from coatl.compiler.functions import DISABLED
from coatl.net.weights import Policy
from coatl.rules.chance import new_chance
from coatl.search.search import Search
from coatl.search.settings import SearchSettings
from tests.analysis.games import LAST_CHANCE
from tests.players.small_network import first_view, small_policy

pytestmark = pytest.mark.skipif(DISABLED, reason="the search needs compiled code")


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return small_policy(tmp_path_factory.mktemp("weights"))


def search(policy: Policy) -> Search:
    return Search(policy, new_chance("search"), SearchSettings(simulations=24))


STOP = np.zeros(1, np.int8)


def test_a_forced_decision_gets_its_visits(policy: Policy) -> None:
    game, searching = first_view("forced"), search(policy)
    searching.run(game.view(game.seat), STOP)
    before = searching.visits()
    decision = min(before, key=lambda one: before[one][0])
    searching.force(decision, 40, STOP)
    after = searching.visits()
    assert after[decision][0] == 40
    assert {one: after[one] for one in after if one != decision} == {
        one: before[one] for one in before if one != decision
    }
    searching.force(decision, 7, STOP)  # it has more already
    assert searching.visits() == after


def test_what_is_forced_does_not_last(policy: Policy) -> None:
    game, searching = first_view("forced"), search(policy)
    view = game.view(game.seat)
    searching.run(view, STOP)
    decision = min(searching.visits(), key=lambda one: searching.visits()[one][0])
    searching.force(decision, 3, STOP)
    searching.run(first_view("another").view(0), STOP)
    assert len([one for one in searching.visits().values() if one[0]]) > 1


def test_a_decision_that_was_not_searched_cannot_be_forced(policy: Policy) -> None:
    game, searching = first_view("forced"), search(policy)
    with pytest.raises(ValueError, match="none of those"):
        searching.force(0, 10, STOP)
    searching.run(game.view(game.seat), STOP)
    with pytest.raises(ValueError, match="none of those"):
        searching.force(412, 10, STOP)


def test_the_chance_of_a_seat_that_waits(policy: Policy) -> None:
    """In its last turn the second seat either closes its Cóatl and wins, or the first one wins."""
    game = Game.from_position(LAST_CHANCE, seed=1)
    waiting = search(policy).estimate(game.view(0), 200, STOP)
    assert 0.5 < waiting < 1
    game.play("take b1")
    assert search(policy).estimate(game.view(0), 3, STOP) == 1
    assert search(policy).estimate(game.view(1), 3, STOP) == 0


def test_an_estimate_begins_with_an_empty_tree(policy: Policy) -> None:
    """The seat to move is asked once: the network's value, whatever was searched before."""
    view, fresh, used = first_view("estimate").view(0), search(policy), search(policy)
    used.run(view, STOP)
    assert used.estimate(view, 1, STOP) == fresh.estimate(view, 1, STOP)


def test_a_spectator_has_no_chance(policy: Policy) -> None:
    with pytest.raises(ValueError, match="seat"):
        search(policy).estimate(first_view("estimate").view(None), 5, STOP)
