"""The best assembly, held against plain enumeration of the legal decisions."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.rules.state import N_PILES, NONE
from coatl.state import State
from tests.play import Mode, RandomGame
from tests.solver.checking import assert_best, assert_line
from tests.solver.positions import MadeUp

FIRST_BATCHES = range(1 if DISABLED else 3)
OTHER_BATCHES = range(FIRST_BATCHES.stop, 1 if DISABLED else 10)
BATCH = 4 if DISABLED else 200


@pytest.mark.parametrize(
    "batch",
    [*FIRST_BATCHES, *(pytest.param(batch, marks=pytest.mark.slow) for batch in OTHER_BATCHES)],
)
def test_it_is_what_brute_force_finds(batch: int) -> None:
    """`python -m tests.solver 5000` compares as many positions as one wants to wait for."""
    made_up = MadeUp(f"solver {batch}", most_pieces=3 if DISABLED else 5)
    closable = sum(assert_best(*made_up.position()) for _ in range(BATCH))
    assert closable > BATCH // 4 or DISABLED


# What the complete Cóatl are worth at best, and each Cóatl that can be closed, by its place.
POSITIONS = {
    "further body segments count": ("hand=RRR board=R,R,K> coatl=<BR", 3, {0: 3}),
    "they go to either side": ("hand=RRR,BBB board=R,B,<K,K> coatl=RRBB", 6, {0: 6}),
    "only a tail is needed": ("hand={R} board=K> coatl=<RRRB", 2, {0: 2}),
    "there is no tail": ("hand={R} board=R,R coatl=<RRRB", 0, {}),
    "a new one": ("hand=RB board=<R,B,K>", 1, {0: 1}),
    "a third one after one of two is closed (A1)": (
        "hand=RB,{K} board=<R,B,R>,K> coatl=<KKK coatl=Y", 3 + 1, {0: 3, 1: 1, 2: 1},
    ),
    "which takes a card": ("hand={K} board=<K,2K,R>,K> coatl=<KKK coatl=Y", 5, {0: 5, 1: 3}),
    "pieces are shared": ("hand={R},{K} board=R,K> coatl=<RRRB coatl=<KKK", 3, {0: 3, 1: 3}),
    "two copies for two Cóatl (A6)": (
        "hand={R},{R} board=K>,G> coatl=<RRRB coatl=<RRRR", 2 + 3, {0: 2, 1: 3},
    ),
    "a copy is there already (A6)": ("hand={R} board=K>,R coatl=<RRRB:{R}", 3, {0: 3}),
    "a card that the tail breaks still lets it be closed (R1, R2)": (
        "hand=!RR! temples=noY/7 board=R> coatl=<KKRR", 3, {0: 3},
    ),
    "a card laid that the tail breaks": ("hand= board=R> coatl=<KRR:!RR!", 0, {0: 0}),
}  # fmt: skip


def with_piles(text: str, *tops: str) -> State:
    """A position with these Temple cards on the piles, or none."""
    state = State.from_position(text)
    record = state.records[0]
    for pile in range(N_PILES):
        known = pile < len(tops)
        record.pile_top[pile] = state.deck.temple_ids[tops[pile]] if known else NONE
        record.pile_size[pile] = 3 if known else 0
    return state


def assert_values(state: State, value: int, values: dict[int, int]) -> None:
    assert state.best_assembly(0).value == value
    closings = enumerate(state.best_closings(0))
    assert {k: closing.value for k, closing in closings if closing is not None} == values
    assert_best(state, 0)


@pytest.mark.parametrize("name", POSITIONS)
def test_positions_by_hand(name: str) -> None:
    seat, value, values = POSITIONS[name]
    assert_values(with_piles(f"2p | {seat} |"), value, values)


def test_H2_what_lies_below_the_top_of_a_pile_is_not_planned_with() -> None:
    """{R} is 2 and {K} 3 points; noY is 3, for one of the two."""
    text = "hand={R},{K} board=B>,G> coatl=<RRRB coatl=<KKKK"
    state = with_piles(f"2p | {text} |", "noY/7")
    assert_values(state, 2 + 3 + 3, {0: 2 + 3, 1: 3 + 3})


def test_A9_the_one_being_completed_comes_first() -> None:
    text = "2p phase=fulfil pending=1 | hand={K},{R} board=K> coatl=<KKK> coatl=<RRR |"
    state = with_piles(text)
    assert_values(state, 2 + 2, {0: 2, 1: 2})
    closing = state.best_closings(0)[1]
    assert closing is not None
    assert [move.text for move in closing.moves] == ["1:{K}", "done", "2+K>", "2:{R}"]


def test_D10_level_4_counts_a_card_that_is_broken_later() -> None:
    """R2: !RR! is laid while there are two, and worth nothing in the end; RRR is 3, {R} 2, RB 1."""
    state = with_piles("solo levels=4 | hand=!RR!,RRR,{R},RB board=<K,R,B> coatl=RR |")
    assert_values(state, 3 + 2 + 1, {0: 3 + 2 + 1})
    moves = [move.text for move in state.best_assembly(0).moves]
    assert moves == ["1:!RR!", "<K+1", "1+R", "1+B>", "1:{R}", "1:RRR", "1:RB"]


def test_of_equal_ones_it_uses_the_fewest_pieces_and_cards() -> None:
    state = with_piles("2p | hand={R},YK board=2B,K> coatl=<RRRB |")
    assembly = state.best_assembly(0)
    assert [move.text for move in assembly.moves] == ["1+K>", "1:{R}", "done"]
    (closed,) = assembly.closed
    assert closed == (0, "<RRRBK>", ("{R}",), None, 2)


def test_nothing_to_gain() -> None:
    state = State.from_position("2p | coatl=<KKK>:{K} |")
    assert state.best_assembly(0) == (2, (), ())
    assert state.best_assembly(1) == (0, (), ())
    assert state.best_closings(0) == (None, None)
    over = State.from_position("2p phase=over end=passed passes=2 | board=K> hand={K} coatl=<KKK |")
    assert over.best_closings(0) == (None, None)


# ---------------------------------------------------------------- who may ask


def test_a_seat_finds_the_same_in_its_view_as_in_the_truth() -> None:
    """Also when it is another's turn; a spectator has nothing."""
    text = "2p seat=2 | hand=RRR,{R} temples=noY/7 board=2R,K> coatl=<BR | hand=YK,!RR! board=R>"
    game = Game.from_position(text, seed=1)
    for seat in (0, 1):
        assert game.view(seat).best_assembly() == game.state.best_assembly(seat)
        assert game.best_assembly(seat) == game.state.best_assembly(seat)
        assert game.best_closings(seat) == game.state.best_closings(seat)
    assert game.best_assembly() == game.best_assembly(1)
    assert game.best_assembly(0).value == 3 + 2 + 3
    with pytest.raises(ValueError, match="spectator"):
        game.view(None).best_assembly()
    for ask in (game.state.best_assembly, game.state.best_closings, game.best_assembly):
        with pytest.raises(ValueError, match="seats are 0 to 1"):
            ask(2)


# ---------------------------------------------------------------- whole games


@pytest.mark.games
@pytest.mark.parametrize("mode", [Mode(2, tokens=True, promo=True), Mode(1, levels=13)], ids=str)
def test_in_whole_games_its_moves_are_legal_and_no_closing_is_missed(mode: Mode) -> None:
    """Boards that are too full for brute force; `closings` counts a head and a tail only."""
    for seed in range(1 if DISABLED else 8):
        game = RandomGame(mode, seed)
        state = State.new(players=2) if mode.players > 1 else State.new(solo=[])
        for number, _ in enumerate(game.decisions()):
            if number % (50 if DISABLED else 5) or number < 10:
                continue
            state.restore(game.states.tobytes())
            for seat in range(mode.players):
                assert_line(state, seat, state.best_assembly(seat))
                if state.pending == NONE and not state.over:
                    assert_no_closing_missed(state, seat)


def assert_no_closing_missed(state: State, seat: int) -> None:
    for quick, closing in zip(state.closings(seat), state.best_closings(seat)[:-1], strict=True):
        assert quick is None or (closing is not None and closing.value >= quick)


def test_while_a_coatl_is_completed_the_estimate_of_views_is_exact() -> None:
    """The page tells "at best" from it then: no piece can be added any more."""
    seen = 0
    for seed in range(2 if DISABLED else 12):
        for state in closed_states(seed):
            seat = state.mover
            which = int(state.records[0].pending)
            assert state.view(seat).data.seats[seat].coatls[which].closing == closing_of(state)
            seen += 1
    assert seen >= (1 if DISABLED else 20)


def closing_of(state: State) -> int | None:
    best = state.best_closings()[int(state.records[0].pending)]
    return None if best is None else best.value


def closed_states(seed: int) -> Iterator[State]:
    """The steps after closing pieces (A9), in a game in which somebody closes what it can."""
    game, random = Game.new(players=2, seed=seed), Random(seed)
    while not game.over:
        if game.phase in ("fulfil", "temple"):
            yield game.state
        moves = game.legal_moves()
        ends = [move for move in moves if move.kind == "add" and set("<>") & set(move.pieces[0])]
        game.play(random.choice(ends or moves))
