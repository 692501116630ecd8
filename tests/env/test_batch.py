"""Many games in step: the same games however they are cut, and rewards that add up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from coatl.compiler.functions import DISABLED
from coatl.encode.meanings import action_text
from coatl.env.batch import Batch
from coatl.env.modes import training_mix
from coatl.env.seats import choose_with_player, view_of
from coatl.options import Options
from coatl.players.registry import make_player
from coatl.rules import compiled
from coatl.rules.cards import standard_deck
from coatl.rules.chance import new_chance
from coatl.rules.decisions import new_choices
from coatl.rules.state import OVER, States, new_states
from coatl.rules.tables import card_tables

GAMES = 40
compiled_only = pytest.mark.skipif(DISABLED, reason="whole games, too slow in plain Python")


def play(batch: Batch, steps: int) -> tuple[Any, Any]:
    """Random actions: the sums of rewards of each game that ended, and the results."""
    actions = np.zeros(batch.n, np.int16)
    sums, ended, results = np.zeros((batch.n, 4)), [], []
    batch.reset()
    for _ in range(steps):
        batch.random_actions(actions)
        batch.step(actions)
        sums += batch.rewards
        over = batch.dones > 0
        ended.append(sums[over])
        results.append(batch.results[over].copy())
        sums[over] = 0
    return np.concatenate(ended), np.concatenate(results)


@compiled_only
def test_threads_do_not_change_the_games() -> None:
    batches = [Batch(training_mix(GAMES), 1, threads) for threads in (1, 3)]
    for batch in batches:
        play(batch, 150)
    one, three = batches
    assert one.observations.tobytes() == three.observations.tobytes()
    assert one.states.tobytes() == three.states.tobytes()


def test_a_seed_decides_the_deals() -> None:
    first, again, other = (Batch(training_mix(6), seed) for seed in (1, 1, 2))
    for batch in (first, again, other):
        batch.reset()
    assert first.states.tobytes() == again.states.tobytes() != other.states.tobytes()


@compiled_only
@pytest.mark.parametrize("players", [2, 3, 4])
def test_winning_is_rewarded_once_and_sums_to_nothing(players: int) -> None:
    sums, results = play(Batch([Options(players)] * GAMES), 600)
    assert len(results) > GAMES // 2
    assert np.allclose(sums.sum(1), 0, atol=1e-5)
    alone = np.isin(results["winners"], [1, 2, 4, 8])
    best = sums[alone, np.log2(results["winners"][alone]).astype(int)]
    assert np.allclose(best, 1)


@compiled_only
def test_points_are_rewarded_as_they_are_scored() -> None:
    batch = Batch(training_mix(GAMES, 2, {2: 1, 3: 1, 4: 1}))
    batch.set_weights(points=1.0, open_points=0.25)
    sums, results = play(batch, 600)
    seats = np.arange(4) < results["players"][:, None]
    assert np.allclose(sums[seats], results["points"][seats], atol=1e-3)
    assert results["points"].max() > 0


@compiled_only
def test_solo_is_won_against_adam() -> None:
    batch = Batch([Options(1, False, solo=())] * GAMES)
    sums, results = play(batch, 300)
    won = results["points"][:, 0] > results["points"][:, 1]
    assert np.allclose(sums[:, 0], np.where(won, 1, -1))
    assert (results["points"][:, 1] > 0).any()
    batch.set_weights(points=1.0, rivals=1.0)
    sums, results = play(batch, 300)
    assert np.allclose(sums[:, 0], results["points"][:, 0] - results["points"][:, 1], atol=1e-3)


@compiled_only
def test_solo_may_be_rewarded_differently() -> None:
    batch = Batch([Options(1, False, solo=()), Options(2)] * (GAMES // 2))
    batch.set_weights(points=1.0, solo_points=3.0)
    sums, results = play(batch, 400)
    worth = np.where(results["players"] == 1, 3, 1)
    assert np.allclose(sums[:, 0], worth * results["points"][:, 0], atol=1e-3)
    assert set(worth) == {1, 3}


@compiled_only
def test_completing_is_rewarded_whatever_a_coatl_is_worth() -> None:
    batch = Batch([Options(1, False, solo=()), Options(2)] * (GAMES // 2))
    batch.set_weights(complete=1.0, solo_complete=2.0)
    sums, results = play(batch, 400)
    worth = np.where(results["players"] == 1, 2, 1)
    complete = results["complete"][:, 0]
    assert (sums[:, 0] <= worth * complete).all()  # one that is worth nothing does not count
    assert ((sums[:, 0] > 0) == (results["points"][:, 0] > 0)).all()
    assert (sums[:, 0] == worth * complete).mean() > 0.9
    assert complete.max() > 1


@compiled_only
def test_results_are_those_of_the_rules() -> None:
    """A game stopped just before its end, and ended by hand."""
    batch = Batch([Options(2)] * 8, 3)
    batch.reset()
    actions, before = np.zeros(8, np.int16), new_states(8)
    for _ in range(400):
        batch.random_actions(actions)
        before[:] = batch.states
        decisions = batch.decisions[np.arange(8), actions].copy()
        batch.step(actions)
        for game in np.flatnonzero(batch.dones):
            left = before[game : game + 1].copy()
            if left["turns_left"][0] == 0 and left["end"][0]:
                after = end_by_hand(left, int(decisions[game]))
                assert after[:2] == batch.results["points"][game, :2].tolist()
                return
    pytest.fail("no game came to its end")


def end_by_hand(states: States, decision: int) -> list[int]:
    cards, choices, chances = card_tables(standard_deck()), new_choices(), new_chance(1)
    compiled.apply(cards, states, 0, decision, chances, choices)
    while states["phase"][0] != OVER:
        compiled.legal_decisions(cards, states, 0, choices)
        assert choices["n"][0] == 1  # only forced decisions are left
        compiled.apply(cards, states, 0, int(choices["items"][0, 0]), chances, choices)
    out = np.zeros(12, np.int64)
    compiled.scores(cards, states, 0, out)
    return [int(out[0]), int(out[3])]


def test_actions_mean_what_the_moves_of_a_view_say() -> None:
    batch = Batch(training_mix(12 if not DISABLED else 4, 9), 2)
    batch.reset()
    actions = np.zeros(batch.n, np.int16)
    for _ in range(40 if not DISABLED else 4):
        batch.random_actions(actions)
        batch.step(actions)
        for game in range(batch.n):
            legal = {move.decision for move in view_of(batch, game).moves}
            offered = np.flatnonzero(batch.masks[game])
            assert len(offered) > 1
            for action in offered:
                assert int(batch.decisions[game, action]) in legal, action_text(int(action))


def test_players_of_the_registry_can_sit_in_a_batch() -> None:
    batch = Batch([Options(2)] * 2, 5)
    batch.reset()
    player = make_player("random", new_chance(3))
    for _ in range(5):
        actions = [choose_with_player(batch, game, player) for game in range(2)]
        batch.step(np.array(actions, np.int16))


def test_a_mix_has_every_size() -> None:
    options = training_mix(200)
    assert [sum(o.players == n for o in options) for n in (2, 3, 4, 1)] == [100, 30, 30, 40]
    assert {o.solo for o in options if o.players == 1} > {(), (1, 2, 3, 4, 5)}
    assert any(o.promo for o in options)
    assert any(o.fewer_bodies for o in options)
