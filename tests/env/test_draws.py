"""Draws as steps of their own: the same games as the rules deal, with the odds they have."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from coatl.env.draws import NO_DRAW, DrawByDraw, result_text
from coatl.errors import IllegalMove
from coatl.options import Options
from coatl.rules.chance import CARD_DRAWN, TEMPLE_DRAWN, new_chance
from coatl.rules.pieces import BODIES_OF_A_COLOUR, BODY, N_COLOURS
from coatl.state import State

OPTIONS = [Options(2), Options(3, promo=True), Options(4, tokens=False), Options(1, False, solo=())]


def play_draws(game: DrawByDraw, draws: tuple[int, ...]) -> None:
    for result in draws:
        assert game.seat is None
        assert result in game.odds()
        game.draw(result)
    assert not game.odds()


def dealt(options: Options, seed: int) -> tuple[State, DrawByDraw]:
    """The same deal twice: by the generator, and draw by draw."""
    state = State.dealt(options, State.new(seed=1).deck, new_chance(seed))
    number = int(state.chances["n_drawn"][0])
    game = DrawByDraw(options)
    play_draws(game, state.drawn(number))
    return state, game


def pools(state: State, result: int) -> dict[int, int]:
    """What a draw like this one would be made from if it were the next."""
    record = state.records[0]
    if result >= TEMPLE_DRAWN:
        first, counts = TEMPLE_DRAWN, record.pool
    else:
        first = result // N_COLOURS * N_COLOURS
        counts = record.bag[first : first + N_COLOURS]
    return {first + int(at): int(counts[at]) for at in np.flatnonzero(counts)}


@pytest.mark.parametrize("options", OPTIONS, ids=["2", "3", "4", "solo"])
def test_games_are_those_of_the_rules(options: Options) -> None:
    """Whole games, with every draw that the generator made."""
    state, game = dealt(options, 3)
    chooser, drawn, compared = np.random.default_rng(1), 0, 0
    while not state.over:
        assert game.state == state
        assert game.seat == state.seat
        before, decision = state.clone(), int(chooser.choice(state.legal))
        draws = state.drawn(state.advance(decision))
        game.decide(decision)
        if draws and not CARD_DRAWN <= draws[0] < TEMPLE_DRAWN:
            assert game.odds() == pools(before, draws[0])  # nothing else moves before the first
            compared += 1
        play_draws(game, draws)
        drawn += len(draws)
    assert game.over
    assert game.state == state
    assert drawn > 30
    assert compared > 3


def test_odds_count_what_is_left() -> None:
    game = DrawByDraw(Options(2))
    bodies = {BODY + colour: BODIES_OF_A_COLOUR for colour in range(N_COLOURS)}
    assert game.odds() == bodies
    game.draw(BODY + 1)
    assert game.odds() == bodies | {BODY + 1: BODIES_OF_A_COLOUR - 1}
    assert result_text(BODY + 1) == "R"
    assert {result_text(CARD_DRAWN), result_text(TEMPLE_DRAWN)}.isdisjoint({"R"})


def test_card_odds_count_the_deck() -> None:
    """From the fourth draw on of a decision, too: what the others of it took is gone."""
    state, game = dealt(Options(2), 8)
    in_deck = int(state.records["n_deck"][0])
    chooser, seen = np.random.default_rng(4), 0
    while seen < 8:
        draws = state.drawn(state.advance(decision := int(chooser.choice(state.legal))))
        game.decide(decision)
        for result in draws:
            if CARD_DRAWN <= result < TEMPLE_DRAWN:
                assert sum(game.odds().values()) == in_deck
                in_deck, seen = in_deck - 1, seen + 1
            game.draw(result)


def test_what_cannot_be_is_refused_and_changes_nothing() -> None:
    game = DrawByDraw(Options(2))
    before = game.copy()
    with pytest.raises(ValueError, match="cannot be drawn now"):
        game.draw(CARD_DRAWN)
    with pytest.raises(ValueError, match="a draw is next, not a decision"):
        game.decide(0)
    with pytest.raises(ValueError, match="sampled at decisions"):
        game.sample(0, 1)
    assert game == before
    _, game = dealt(Options(2), 1)
    before = game.copy()
    illegal = next(number for number in range(100) if number not in game.state.legal)
    for wrong in (illegal, -1):
        with pytest.raises((IllegalMove, ValueError)):
            game.decide(wrong)
    assert game == before
    assert game.odds() is NO_DRAW


def test_copies_and_pickles_are_equal_and_independent() -> None:
    game = DrawByDraw(Options(1, False, solo=(1, 3)))
    for _ in range(4):
        game.draw(next(iter(game.odds())))
    for twin in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert twin == game
        assert twin.odds() == game.odds()
        twin.draw(next(iter(twin.odds())))
        assert twin != game


def test_a_sample_agrees_with_what_a_seat_knows_and_with_nothing_else() -> None:
    _, game = dealt(Options(3), 5)
    seat = game.seat
    assert seat is not None
    samples = [game.sample(seat, number) for number in range(6)]
    view = game.state.view(seat).to_json()
    assert all(one.state.view(seat).to_json() == view for one in samples)
    other = (seat + 1) % 3
    assert len({one.state.view(other).to_json() for one in samples}) > 1
    assert game.sample(seat, 2) == samples[2]
