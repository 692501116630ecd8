"""The light state for search: it plays as a game does, checks what it is given, and copies."""

from __future__ import annotations

import copy
import pickle
from random import Random

import numpy as np
import pytest

from coatl import Game, IllegalMove, NotationError, OptionsError, PositionError, State
from coatl.rules.chance import new_chance
from coatl.rules.decisions import N_DECISIONS
from tests.play import EVERY_MODE, MULTIPLAYER, Mode

MODES = [*MULTIPLAYER[::3], *EVERY_MODE[-40::13]]


def arguments(mode: Mode) -> dict[str, object]:
    if mode.players == 1:
        return {"solo": [n + 1 for n in range(5) if mode.levels >> n & 1], "promo": mode.promo}
    flags = {"tokens": mode.tokens, "promo": mode.promo, "fewer_bodies": mode.fewer}
    return {"players": mode.players, **flags}


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_state_plays_the_game_of_its_seed(mode: Mode) -> None:
    """Deal, legal decisions, effects, A.D.A.M. and scores are a `Game`'s with the same seed."""
    options, chooser = arguments(mode), Random(3)
    state = State.new(seed=4, **options)  # type: ignore[arg-type]
    game = Game.new(seed=4, **options)  # type: ignore[arg-type]
    while not game.over:
        moves = game.legal_moves()
        assert state.legal == tuple(move.decision for move in moves)
        assert state.moves() == moves
        assert (state.seat, state.turn, state.phase) == (game.seat, game.turn, game.phase)
        move = chooser.choice(moves)
        game.play(move)
        state.apply(move.decision)
    assert state.over
    assert (state.seat, state.legal) == (None, ())
    assert (state.scores(), state.winners()) == (game.scores(), game.outcome().winners)
    assert state.position == game.position


def clause_against(state: State, decision: int) -> str | None:
    """Why it is refused; None if it is not. So often `pytest.raises` would take a second."""
    try:
        state.apply(decision)
    except IllegalMove as refused:
        return refused.clause
    return None


def test_every_decision_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    state = State.new(players=2, seed=1)
    for _ in range(30):
        before = bytes(state.buffer), state.chances.tobytes(), state.legal
        for decision in set(range(N_DECISIONS)) - set(state.legal):
            assert clause_against(state, decision)
        assert before == (bytes(state.buffer), state.chances.tobytes(), state.legal)
        state.apply(state.legal[len(state.legal) // 2])


@pytest.mark.parametrize("wrong", [-1, -(2**40), N_DECISIONS, 10**30, 2.0, "take b1", None, [1]])
def test_what_is_no_decision_is_an_error(wrong: object) -> None:
    state = State.new(players=2, seed=1)
    before = bytes(state.buffer)
    with pytest.raises(ValueError, match="a decision is one of the numbers in `legal`"):
        state.apply(wrong)  # type: ignore[arg-type]
    assert bytes(state.buffer) == before


def test_numbers_of_numpy_are_numbers() -> None:
    state = State.new(players=2, seed=1)
    state.apply(np.int16(state.legal[-1]))  # type: ignore[arg-type]
    assert state.seat == 1


@pytest.mark.parametrize("seat", [-1, 2, 1.0, "0", None])
def test_what_is_no_seat_is_an_error(seat: object) -> None:
    state = State.new(players=2, seed=1)
    for ask in (state.values, state.closings):
        with pytest.raises(ValueError, match="seats are 0 to 1"):
            ask(seat)  # type: ignore[arg-type]


def test_wrong_options_and_positions_are_errors() -> None:
    with pytest.raises(OptionsError):
        State.new(players=5)
    with pytest.raises(NotationError):
        State.from_position("2p seets=2")
    with pytest.raises(PositionError):
        State.from_position("2p | board=4<K |")


# ---------------------------------------------------------------- copies


def play_on(state: State, seed: int, most: int = 10_000) -> State:
    chooser = Random(seed)
    for _ in range(most):
        if state.over:
            break
        state.apply(chooser.choice(state.legal))
    return state


def test_a_clone_is_independent_and_shares_only_the_generator() -> None:
    state = play_on(State.new(players=3, seed=6), 1, 40)
    twin = state.clone()
    assert twin == state
    assert twin.legal == state.legal
    assert twin.chances is state.chances
    before = bytes(state.buffer)
    play_on(twin, 2)
    assert bytes(state.buffer) == before
    assert state != twin


def test_a_clone_may_have_another_generator() -> None:
    state = play_on(State.new(players=2, seed=6), 1, 20)
    one, two = state.clone(new_chance(1)), state.clone(new_chance(1))
    assert play_on(one, 5) == play_on(two, 5)
    assert play_on(state.clone(new_chance(2)), 5) != one


@pytest.mark.parametrize(
    "make",
    [State.copy, copy.copy, copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))],
    ids=["copy", "copy.copy", "deepcopy", "pickle"],
)
def test_a_copy_has_the_same_future(make: object) -> None:
    state = play_on(State.new(players=4, seed=6), 1, 60)
    twin = make(state)  # type: ignore[operator]
    assert twin == state
    assert twin.chances is not state.chances
    assert play_on(twin, 5) == play_on(state, 5)


def test_a_state_is_no_key() -> None:
    with pytest.raises(TypeError):
        hash(State.new(seed=1))


def test_it_shows_itself_in_one_line() -> None:
    assert repr(State.new(solo=[], seed=1)) == "<State: solo, turn 0, seat 0 to move, setup>"
    assert repr(State.from_position("3p phase=over end=passed passes=3")) == (
        "<State: 3 players, turn 1, over, over>"
    )


# ---------------------------------------------------------------- what it is worth

TWO = "2p piles=noR/11,R=Y/12 | board=K> hand={K} coatl=<KKK:{K} coatl=YG |"


def test_values_and_closings() -> None:
    """F1; with K> the first is <KKKK>: {K} for four (3 points), and noR (3)."""
    state = State.from_position(TWO)
    assert state.values(0) == [2, 0]
    assert state.closings(0) == [6, None]
    assert (state.values(1), state.closings(1)) == ([], [])


def test_what_closing_would_score_while_another_is_completed() -> None:
    """A9: no more cards go on <KKK>, but RRR (3 points) and noY (3) may still go on the other."""
    state = State.from_position(
        "2p phase=temple pending=1 piles=noK/8,R=Y/12"
        " | hand=RRR temples=noY/7 board=B> coatl=<KKK>:{K} coatl=<RRRB |"
    )
    assert state.closings(0)[1] == 6


def test_a_long_game_counts_its_turns() -> None:
    """The number of the turn takes two bytes."""
    state = State.from_position("2p turn=258")
    assert state.turn == 258
    state.apply(state.parse("take b1").decision)
    assert state.turn == 259


def test_texts() -> None:
    state = State.from_position(TWO)
    move = state.parse("1+K>")
    assert state.move(move.decision) == move
    with pytest.raises(NotationError):
        state.parse("1+K>>")
    with pytest.raises(ValueError, match="decisions are 0 to"):
        state.move(-1)


# ---------------------------------------------------------------- views and observations


def test_a_sample_of_a_view_plays_on() -> None:
    game = Game.new(players=3, seed=9)
    chances = new_chance(1)
    for _ in range(60):
        if game.over:
            break
        assert game.seat is not None
        sample = game.view(game.seat).sample(chances)
        assert sample.legal == tuple(move.decision for move in game.legal_moves())
        assert sample.chances is chances
        play_on(sample, 3)
        game.play(game.legal_moves()[-1])


@pytest.mark.parametrize("wrong", [7, "seed", None, np.zeros(3), [new_chance(1)]])
def test_a_sample_needs_a_generator(wrong: object) -> None:
    with pytest.raises(TypeError, match="chances are made with new_chance"):
        Game.new(seed=1).view(0).sample(wrong)  # type: ignore[arg-type]


def test_a_sample_needs_a_generator_it_can_draw_from() -> None:
    chances = new_chance(1)
    chances.setflags(write=False)
    with pytest.raises(ValueError, match="a writeable array"):
        Game.new(seed=1).view(0).sample(chances)
    with pytest.raises(ValueError, match="no generator to draw from"):
        Game.new(seed=1).view(0).sample(new_chance(1)[:0])


def test_the_observation_is_of_what_the_seat_to_move_knows() -> None:
    """The same for every completion of its view, and one decision for each legal action."""
    game = Game.new(players=3, seed=2)
    for _ in range(25):
        game.play(game.legal_moves()[0])
    assert game.seat is not None
    state = game.state
    values, mask, decisions = state.observation()
    other = game.view(game.seat).sample(new_chance(5)).observation()
    assert np.array_equal(values, other.values)
    assert np.array_equal(mask, other.mask)
    assert set(decisions[mask == 1].tolist()) <= set(state.legal)


def test_nobody_observes_a_game_that_is_over() -> None:
    state = State.from_position("2p phase=over end=passed passes=2")
    with pytest.raises(ValueError, match="nobody is to move"):
        state.observation()
