"""A batch refuses what is wrong before anything has changed, and says what it is."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from coatl.encode.meanings import N_ACTIONS, action_text
from coatl.env.batch import Batch
from coatl.env.modes import training_mix
from coatl.env.seats import action_of, view_of
from coatl.options import Options

GAMES = 5


@pytest.fixture
def batch() -> Batch:
    dealt = Batch(training_mix(GAMES), 3)
    dealt.reset()
    return dealt


def legal_actions(batch: Batch) -> Any:
    return batch.masks.argmax(1)


def everything(batch: Batch) -> list[bytes]:
    games = batch._games
    kept = (games.states, games.chances, batch._random, games.deals, games.caches)
    shown = (batch.observations, batch.masks, batch.movers, batch.dones, batch.rewards)
    return [array.tobytes() for array in (*kept, *shown, batch.shares, batch.results)]


def refuses(batch: Batch, actions: Any, reason: str, kind: type[Exception] = ValueError) -> None:
    before = everything(batch)
    with pytest.raises(kind, match=reason):
        batch.step(actions)
    assert everything(batch) == before


def test_an_illegal_action_is_named_with_its_game_and_its_meaning(batch: Batch) -> None:
    actions = legal_actions(batch)
    actions[3] = int(np.flatnonzero(batch.masks[3] == 0)[0])
    meaning = action_text(int(actions[3]))
    refuses(batch, actions, rf"^game 3: action {actions[3]} \({meaning}\) is not legal now$")


@pytest.mark.parametrize(
    ("action", "dtype"),
    [
        *((action, np.int16) for action in (-1, -(2**15), N_ACTIONS, 2**15 - 1)),
        *((action, np.int64) for action in (-1, N_ACTIONS, 2**15, 2**16, 2**63 - 1)),
        *((action, np.uint64) for action in (N_ACTIONS, 2**16, 2**64 - 1)),
    ],
)
def test_an_action_that_does_not_exist_is_named(batch: Batch, action: int, dtype: Any) -> None:
    actions = legal_actions(batch).astype(dtype)
    actions[1] = action
    refuses(
        batch, actions, rf"^game 1: there is no action {action}, they are 0 to {N_ACTIONS - 1}$"
    )


@pytest.mark.parametrize(
    ("actions", "kind", "reason"),
    [
        (np.zeros(GAMES), TypeError, "whole numbers, not float64"),
        (np.zeros(GAMES, bool), TypeError, "whole numbers, not bool"),
        ([None] * GAMES, TypeError, "whole numbers, not object"),
        ([10**30] * GAMES, TypeError, "whole numbers, not object"),
        (np.zeros(GAMES + 1, np.int16), ValueError, r"5 games, not the shape \(6,\)"),
        (np.zeros((GAMES, 1), np.int16), ValueError, r"5 games, not the shape \(5, 1\)"),
        (np.int16(0), ValueError, r"5 games, not the shape \(\)"),
    ],
)
def test_actions_of_another_kind_or_shape(
    batch: Batch, actions: Any, kind: type[Exception], reason: str
) -> None:
    refuses(batch, actions, reason, kind)


def test_any_whole_numbers_will_do() -> None:
    """Of any type, order and length, in a list, or read only: the games are the same."""
    results = []
    for turn in range(7):
        batch = Batch(training_mix(GAMES), 3)
        batch.reset()
        for _ in range(5):
            batch.step(in_another_way(legal_actions(batch), turn))
        results.append(everything(batch))
    assert all(result == results[0] for result in results)


def in_another_way(actions: Any, turn: int) -> Any:
    locked = actions.astype(np.int16)
    locked.flags.writeable = False
    every_other = np.repeat(actions.astype(np.int16), 2)[::2]
    kinds = (actions.astype(np.int16), actions.astype(np.uint64), actions.astype(">i4"))
    return (*kinds, actions.tolist(), locked, every_other, actions.astype(np.uint16))[turn]


def test_reset_comes_first() -> None:
    batch = Batch([Options(2)])
    for early in (batch.step, batch.random_actions):
        with pytest.raises(ValueError, match="call reset first"):
            early(np.zeros(1, np.int16))
    with pytest.raises(ValueError, match="call reset first"):
        view_of(batch, 0)


@pytest.mark.parametrize(
    ("out", "kind", "reason"),
    [
        ([0] * GAMES, TypeError, "int16 or longer"),
        (np.zeros(GAMES), TypeError, "int16 or longer"),
        (np.zeros(GAMES, np.int8), TypeError, "int16 or longer"),
        (np.zeros(GAMES - 1, np.int16), ValueError, "does not fit"),
        (np.zeros((GAMES, 1), np.int16), ValueError, "does not fit"),
        (np.frombuffer(bytes(2 * GAMES), np.int16), ValueError, "can be written to"),
    ],
)
def test_random_actions_need_room(
    batch: Batch, out: Any, kind: type[Exception], reason: str
) -> None:
    before = everything(batch)
    with pytest.raises(kind, match=reason):
        batch.random_actions(out)
    assert everything(batch) == before


def test_random_actions_go_into_any_whole_numbers(batch: Batch) -> None:
    for out in (np.zeros(GAMES, np.int64), np.zeros(2 * GAMES, np.int16)[::2]):
        batch.random_actions(out)
        assert (batch.masks[np.arange(GAMES), out] == 1).all()


@pytest.mark.parametrize(
    ("weights", "kind", "reason"),
    [
        ({"win": float("nan")}, ValueError, "the weight win is a finite number, not nan"),
        ({"points": float("inf")}, ValueError, "the weight points is a finite number, not inf"),
        ({"solo_complete": -np.inf}, ValueError, "the weight solo_complete"),
        ({"rivals": "many"}, TypeError, "the weight rivals is a number, not 'many'"),
    ],
)
def test_weights_are_numbers(
    batch: Batch, weights: dict[str, Any], kind: type[Exception], reason: str
) -> None:
    batch.set_weights(win=0.5, points=2.0, solo_points=3.0)
    before = batch.weights.tobytes()
    with pytest.raises(kind, match=reason):
        batch.set_weights(**weights)
    assert batch.weights.tobytes() == before
    assert batch.weights["win"].tolist() == [0.5, 0.5]
    assert batch.weights["points"].tolist() == [2.0, 3.0]


@pytest.mark.parametrize(
    ("options", "named", "kind", "reason"),
    [
        ([], {}, ValueError, "at least one game"),
        ([2], {}, TypeError, "made of coatl.options.Options, not 2"),
        ([Options()], {"seed": None}, TypeError, "a seed is a number or a text, not None"),
        ([Options()], {"threads": 0}, ValueError, "threads is at least 1, not 0"),
        ([Options()], {"threads": -3}, ValueError, "threads is at least 1, not -3"),
        ([Options()], {"threads": 1.5}, TypeError, "threads is a whole number, not 1.5"),
    ],
)
def test_what_a_batch_is_made_of(
    options: Any, named: dict[str, Any], kind: type[Exception], reason: str
) -> None:
    with pytest.raises(kind, match=reason):
        Batch(options, **named)


@pytest.mark.parametrize(
    ("wrong", "kind", "reason"),
    [
        (lambda shape, _: np.zeros(shape), TypeError, "observations .* of int8, not float"),
        (lambda *_: [0], TypeError, "observations .* array of int8, not list"),
        (lambda shape, dtype: np.zeros((1, *shape), dtype), ValueError, "has the shape"),
        (lambda shape, dtype: np.zeros(shape, dtype, "F"), ValueError, "in C order"),
        (lambda shape, dtype: np.broadcast_to(dtype(0), shape), ValueError, "in C order"),
    ],
)
def test_memory_has_to_fit(wrong: Any, kind: type[Exception], reason: str) -> None:
    with pytest.raises(kind, match=reason):
        Batch([Options()] * 2, allocate=wrong)


def test_whoever_writes_to_the_arrays_changes_no_game(batch: Batch) -> None:
    other = Batch(training_mix(GAMES), 3)
    other.reset()
    actions = legal_actions(batch)
    for array in (batch.masks, batch.movers, batch.observations, batch.dones):
        array[:] = 1
    batch.rewards = np.zeros(3)
    for one in (batch, other):
        one.step(actions)
    assert batch.states.tobytes() == other.states.tobytes()
    assert batch.masks.tobytes() == other.masks.tobytes()
    for secret in (batch.states, batch.decisions):
        with pytest.raises(ValueError, match="read-only"):
            secret[:1] = secret[1:2]


def test_a_copy_is_a_batch_of_its_own(batch: Batch) -> None:
    twin = copy.deepcopy(batch)
    batch.step(legal_actions(batch))
    assert twin.states.tobytes() != batch.states.tobytes()
    twin.step(legal_actions(twin))
    assert everything(twin) == everything(batch)


@pytest.mark.parametrize("game", [-1, GAMES, 2**70])
def test_games_of_a_batch_have_numbers(batch: Batch, game: int) -> None:
    for ask in (lambda: view_of(batch, game), lambda: action_of(batch, game, 0)):
        with pytest.raises(ValueError, match="the number of a game is from 0 to 4"):
            ask()


def test_only_legal_decisions_mean_actions(batch: Batch) -> None:
    legal = {move.decision for move in view_of(batch, 0).moves}
    for decision in range(-1, 700):
        if decision in legal:
            assert batch.masks[0, action_of(batch, 0, decision)] == 1
        else:
            with pytest.raises(ValueError, match="decision"):
                action_of(batch, 0, decision)


@pytest.mark.parametrize(
    ("n", "shares", "kind", "reason"),
    [
        (-1, None, ValueError, "places is at least 0, not -1"),
        (2.5, None, TypeError, "places is a whole number, not 2.5"),
        (4, {2: -1.0, 3: 2.0}, ValueError, "not negative"),
        (4, {2: 0.0}, ValueError, "nor all of them 0"),
        (4, {2: float("nan")}, ValueError, "finite"),
        (4, {5: 1.0}, ValueError, "2 to 4 players"),
    ],
)
def test_a_mix_of_games(n: Any, shares: Any, kind: type[Exception], reason: str) -> None:
    with pytest.raises(kind, match=reason):
        training_mix(n, 0, shares)


@pytest.mark.parametrize(
    ("arguments", "kind", "reason"),
    [
        ({"seed": [1, 2]}, ValueError, "2 seeds for 3 games"),
        ({"seed": [1, 2, None]}, TypeError, "a seed is a number or a text"),
        ({"seats": [0]}, ValueError, "1 seats for 3 games"),
        ({"seats": [0, 0, 2]}, ValueError, "a seat is from 0 to 1"),
        ({"seats": [0, 0, 0.5]}, TypeError, "a seat is a whole number"),
    ],
)
def test_seeds_and_seats_that_do_not_fit(
    arguments: Any, kind: type[Exception], reason: str
) -> None:
    with pytest.raises(kind, match=reason):
        Batch([Options(2)] * 3, **arguments)


def test_which_games_step_are_bools(batch: Batch) -> None:
    before, actions = everything(batch), legal_actions(batch)
    for among in ([1] * GAMES, [True] * (GAMES - 1), True):
        with pytest.raises(ValueError, match=f"which games step are {GAMES} bools"):
            batch.step(actions, among)
    actions[2] = -1  # and what stands for waiting is no action
    for kind in (np.int16, np.int64):
        with pytest.raises(ValueError, match="game 2: there is no action -1"):
            batch.step(actions.astype(kind), [True] * GAMES)
    assert everything(batch) == before
