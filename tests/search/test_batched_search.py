"""Many searches in step are the searches that each would be alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from coatl.compiler.functions import DISABLED
from coatl.encode.meanings import N_ACTIONS
from coatl.encode.reach import both_ways
from coatl.env.batch import Batch
from coatl.net import layers
from coatl.net.compiled import evaluate
from coatl.net.weights import Policy
from coatl.options import Options
from coatl.rules import compiled
from coatl.rules.chance import new_chance
from coatl.rules.decisions import new_choices
from coatl.rules.state import new_states
from coatl.search.batched.search import BatchedSearch
from coatl.search.search import Search
from coatl.search.settings import SearchSettings
from coatl.search.simulation import ROOT
from tests.players.small_network import small_policy

pytestmark = pytest.mark.skipif(DISABLED, reason="the search needs compiled code")

FEW = SearchSettings(simulations=24)
MODES = [Options(2), Options(3), Options(4), Options(1, False, solo=()), Options(2, promo=True)]


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return small_policy(tmp_path_factory.mktemp("weights"))


def games_under_way(steps: int) -> Batch:
    batch = Batch(MODES * 3, seed=steps)
    batch.reset()
    actions = np.zeros(batch.n, np.int16)
    for _ in range(steps):
        batch.random_actions(actions)
        batch.step(actions)
    return batch


def answer(batched: BatchedSearch, policy: Policy) -> None:
    """What a GPU would: logits and values of all observations."""
    network = policy.new_network()
    for i in range(batched.n):
        evaluate(network, batched.observations[i])
        batched.logits[i] = network.activations[layers.LOGITS, :N_ACTIONS]
        batched.values[i] = network.activations[layers.VALUES, : layers.N_VALUES]


def search_all(batched: BatchedSearch, policy: Policy) -> None:
    while len(batched.done) < batched.n:
        answer(batched, policy)
        batched.advance()


def alone(batched: BatchedSearch, policy: Policy, i: int) -> list[float]:
    """The shares of the visits if search i were the only one."""
    settings = batched.settings
    search = Search(policy, new_chance("fleet sea", stream=i), settings)
    search._tree.parameters[0] = batched._searches.trees.parameters[i]
    search._workspace.states[ROOT] = batched._searches.roots[i]
    search._budget = 10**9  # so that it never has made up its mind
    stop = np.zeros(1, np.int8)
    search._simulate(stop, True, 0)
    search._simulate(stop, False, settings.simulations)
    visits = [visits for visits, _, _ in search.visits().values()]
    return [count / sum(visits) for count in visits]


@pytest.mark.parametrize(
    "settings", [FEW, replace(FEW, others=0), replace(FEW, points=0.2)], ids=repr
)
@pytest.mark.parametrize("threads", [1, 2])
def test_each_search_is_as_if_it_were_alone(
    policy: Policy, settings: SearchSettings, threads: int
) -> None:
    batch = games_under_way(40)
    batched = BatchedSearch(20, settings, "sea", threads)
    batched.begin(batch)
    search_all(batched, policy)
    for i in range(batched.n):
        expected = alone(batched, policy, i)
        legal = np.flatnonzero(batched.root_masks[i])
        assert batched.shares[i, legal].tolist() == pytest.approx(expected)
        assert batched.shares[i].sum() == pytest.approx(1.0)
    assert len({tuple(row) for row in batched.shares}) > 5  # they are about several games


def test_those_that_are_done_begin_again(policy: Policy) -> None:
    """With what is seen of the games then; the others go on as if nothing had happened."""
    batched = BatchedSearch(12, FEW, "sea")
    batched.begin(games_under_way(10))
    while not 0 < len(batched.done) < batched.n:
        answer(batched, policy)
        batched.advance()
    done = batched.done
    others = np.setdiff1d(np.arange(batched.n), done)
    before = batched.seen.copy()
    batched.begin(games_under_way(60))
    assert len(batched.done) == 0
    assert (batched.seen[others] == before[others]).all()
    assert (batched.seen[done] != before[done]).any(axis=1).all()
    search_all(batched, policy)
    for i in others:
        legal = np.flatnonzero(batched.root_masks[i])
        assert batched.shares[i, legal].tolist() == pytest.approx(alone(batched, policy, int(i)))


def test_hidden_cards_do_not_matter(policy: Policy) -> None:
    """A search is of what its seat knows: the root has forgotten the rest."""
    both = []
    for swapped in (False, True):
        batch = games_under_way(30)
        if swapped:
            hide_otherwise(batch)
        batched = BatchedSearch(20, FEW, "sea")
        batched.begin(batch)
        search_all(batched, policy)
        both.append(batched)
    assert (both[0].shares == both[1].shares).all()


def hide_otherwise(batch: Batch) -> None:
    """Deal the cards anew that the seats to move do not see."""
    states, known, before = batch._games.states, new_states(batch.n), batch.states.copy()
    for i in range(batch.n):
        seat = int(batch.movers[i])
        compiled.known_to(states, i, seat, known, i)
        compiled.completed(both_ways(), known, i, seat, states, i, new_chance(i), new_choices())
    assert (states != before).sum() > batch.n // 3  # some games hide nothing that counts


def test_one_simulation_finds_nothing_out() -> None:
    with pytest.raises(ValueError, match="at least two"):
        BatchedSearch(1, SearchSettings(simulations=1), 1)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("part", ["logits", "values"])
def test_answers_are_numbers(policy: Policy, part: str, wrong: float) -> None:
    """A search without one goes on waiting; with a right one it comes to the same end."""
    both = [BatchedSearch(6, FEW, "sea") for _ in range(2)]
    for batched in both:
        batched.begin(games_under_way(20))
        answer(batched, policy)
    spoilt = both[0]
    getattr(spoilt, part)[4] = wrong
    with pytest.raises(ValueError, match=r"^search 4: the network's answer is infinite or not a"):
        spoilt.advance()
    for batched in both:
        search_all(batched, policy)
    assert (both[0].shares == both[1].shares).all()


def test_what_a_batched_search_is_made_of() -> None:
    dealt = games_under_way(1)
    for n, named, reason in (
        (0, {}, "the number of searches is at least 1, not 0"),
        (2, {"threads": 0}, "the number of threads is at least 1, not 0"),
        (2, {"allocate": lambda *_: dealt.masks}, "observations of `allocate` has the shape"),
    ):
        with pytest.raises(ValueError, match=reason):
            BatchedSearch(n, FEW, 1, **named)
    with pytest.raises(TypeError, match="a seed is a number or a text, not None"):
        BatchedSearch(2, FEW, None)  # type: ignore[arg-type]


def test_searches_are_at_games_that_are_dealt() -> None:
    batched = BatchedSearch(2, FEW, 1)
    with pytest.raises(ValueError, match="call reset first"):
        batched.begin(Batch(MODES))
    with pytest.raises(TypeError, match=r"of a coatl\.env\.Batch, not 7"):
        batched.begin(7)  # type: ignore[arg-type]


def test_whoever_writes_to_the_masks_does_no_harm(policy: Policy) -> None:
    batched = BatchedSearch(6, FEW, "sea")
    batched.begin(games_under_way(20))
    batched.root_masks[:] = 1
    search_all(batched, policy)
    assert np.isfinite(batched.shares).all()
