"""Many games in step: the same games however they are cut, and rewards that add up."""

from __future__ import annotations

from inspect import signature
from pathlib import Path
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


def recorded(batch: Batch, steps: int, seed: int = 1) -> list[tuple[bytes, ...]]:
    """What each step of a batch shows, with actions that depend on nothing but that, by place."""
    batch.reset()
    shown = []
    for step in range(steps):
        rows = [
            int(np.flatnonzero(batch.masks[game])[(step * 7 + seed) % int(batch.masks[game].sum())])
            for game in range(batch.n)
        ]
        batch.step(rows)
        arrays = (batch.observations, batch.masks, batch.movers, batch.dones, batch.rewards)
        shown.append(tuple(array.tobytes() for array in arrays))
    return shown


@compiled_only
def test_a_place_with_a_seed_plays_the_games_of_a_batch_of_one() -> None:
    options = [Options(2), Options(1, False, solo=(2,)), Options(3)]
    seeds: list[int | str] = [5, "six", 7]
    together = Batch(options, seeds, seats=[1, 0, None])
    alone = [
        Batch([option], seed, seats=[seat])
        for option, seed, seat in zip(options, seeds, [1, 0, None], strict=True)
    ]
    recorded(together, 220)  # long enough for a second game
    for place, batch in enumerate(alone):
        recorded(batch, 220)
        assert batch.observations[0].tobytes() == together.observations[place].tobytes()
        assert batch.states.tobytes() == together.states[place : place + 1].tobytes()
    assert together.results["decisions"].all()  # games ended everywhere


@compiled_only
def test_only_one_seat_is_asked_and_the_others_play_at_random() -> None:
    asked = [place % 4 for place in range(GAMES)]
    batch = Batch([Options(4)] * GAMES, 2, seats=asked)
    batch.reset()
    actions, wins, ended = np.zeros(GAMES, np.int16), np.zeros(4), 0
    for _ in range(250):
        assert batch.movers.tolist() == asked
        batch.random_actions(actions)
        batch.step(actions)
        over = batch.dones > 0
        ended += int(over.sum())
        wins += batch.shares[over].sum(0)
    assert ended > 2 * GAMES
    assert wins.min() > 0.1 * ended  # all of them play, and the same way
    first, again = (Batch([Options(3)] * 4, 2, threads, seats=[0] * 4) for threads in (1, 2))
    assert recorded(first, 30) == recorded(again, 30)


def test_games_that_wait_stay_as_they_are() -> None:
    batch = Batch([Options(2)] * 3, 4)
    batch.reset()
    for _ in range(3):
        before, shown = batch.states.copy(), batch.observations.copy()
        batch.rewards[:], batch.dones[:] = 1, 1
        actions = batch.masks.argmax(1)
        actions[1] = 12_345  # of a game that waits: it does not matter
        batch.step(actions, [True, False, True])
        assert batch.states[1:2].tobytes() == before[1:2].tobytes()
        assert batch.states[:1].tobytes() != before[:1].tobytes()
        assert batch.observations[1].tobytes() == shown[1].tobytes()
        assert not batch.rewards[1].any()
        assert not batch.dones[1]


@compiled_only
def test_finished_games_are_kept_as_they_ended() -> None:
    batch = Batch([Options(2)] * 8, 3, keep_finals=True)
    batch.reset()
    actions, out = np.zeros(8, np.int16), np.zeros(12, np.int64)
    while not batch.dones.any():
        batch.random_actions(actions)
        batch.step(actions)
    game = int(batch.dones.argmax())
    final = batch.finals[game : game + 1].copy()
    assert final["phase"][0] == OVER
    compiled.scores(card_tables(standard_deck()), final, 0, out)
    assert [out[0], out[3]] == batch.results["points"][game, :2].tolist()
    assert len(Batch([Options(2)]).finals) == 0


def test_the_documentation_names_everything_a_batch_shows_and_rewards() -> None:
    page = (Path(__file__).parents[2] / "docs" / "learning.md").read_text(encoding="utf-8")
    batch = Batch([Options(2)])
    fields = batch.results.dtype.names
    weights = [name for name in signature(batch.set_weights).parameters if name != "self"]
    arrays = ("observations", "masks", "movers", "rewards", "dones", "results", "shares", "finals")
    for name in (*fields, *weights, *arrays):
        assert f"`{name}`" in page, name
    for array in (batch.observations, batch.masks):
        assert f"int8, (n, {array.shape[1]})" in page
