"""The numbers in a view are right, and it is small."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec
import numpy as np
import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game, states_of
from coatl.options import Options
from coatl.rules import compiled
from coatl.rules.cards import Deck, Prophecy, standard_deck
from coatl.rules.chance import new_chance
from coatl.rules.decisions import add, new_choices
from coatl.rules.pieces import HEAD, N_COLOURS, TAIL
from coatl.rules.state import (
    ADAM,
    ASSEMBLE,
    FULFIL,
    NONE,
    OVER,
    SETUP,
    TEMPLE,
    Coatl,
    States,
    new_states,
)
from coatl.rules.tables import card_tables
from coatl.view import CardProgress, CoatlView, ViewData, make_view, parts
from tests.game.truth import truth_of
from tests.view.known import every_mode, game_at, hand_of, positions, seats_of, with_truth

EVERY = 60 if DISABLED else 4
MOST_BYTES = 6 * 1024


def coatls_in(data: ViewData) -> Iterator[tuple[int, int, CoatlView]]:
    for seat, shown in enumerate(data.seats):
        for which, coatl in enumerate(shown.coatls):
            yield seat, which, coatl


# ---------------------------------------------------------------- cards on a Cóatl


def assert_right(found: CardProgress, card: Prophecy, pieces: str) -> None:
    """Against `Prophecy.matches`, which is tested by brute force elsewhere."""
    matches = card.matches(pieces)
    assert found.card == card.name
    assert (found.times, found.points) == (matches.times, matches.points)
    assert found.next_points == matches.next_points
    assert found.matches == matches.positions
    assert found.points == card.points(pieces)
    lacks = matches.lacks
    assert found.lacks == (None if lacks is None else (lacks.left, lacks.right))


@pytest.mark.games
@every_mode
def test_cards_on_a_coatl_and_in_the_hand_are_counted_right(options: Options) -> None:
    for game in positions(options, every=EVERY):
        cards = game.deck.prophecies
        for viewer in seats_of(game):
            for seat, which, shown in coatls_in(game.view(viewer).data):
                player = truth_of(game).players[seat]
                coatl = player.coatls[which]
                laid = coatl.cards[: coatl.n_cards].tolist()
                for found, card in zip(shown.cards, laid, strict=True):
                    assert_right(found, cards[card], shown.pieces)
                own = seat == viewer and not coatl.complete
                held = [card for card, _ in hand_of(player)] if own else []
                for found, card in zip(shown.hand, held, strict=True):
                    assert_right(found, cards[card], shown.pieces)


def test_the_matches_of_a_card_name_the_pieces_it_uses() -> None:
    game = game_at("2p | hand=YG coatl=<YGYG:GY+G | hand=YK")
    coatl = game.view(0).data.seats[0].coatls[0]
    (held,) = coatl.hand
    assert (held.times, held.points, held.next_points) == (2, 3, 5)
    assert held.matches == ((0, 1), (2, 3))
    assert held.lacks == ("", "YG")
    (laid,) = coatl.cards
    assert (laid.times, laid.points, laid.next_points) == (1, 2, 6)


# ---------------------------------------------------------------- values


def value_of(coatl: Coatl, deck: Deck) -> int:
    """F1, from the cards themselves."""
    pieces = "".join("KRBYG"[colour] for colour in coatl.colours[: coatl.length].tolist())
    laid = [deck.prophecies[card] for card in coatl.cards[: coatl.n_cards].tolist()]
    value: int = sum(card.points(pieces) for card in laid)
    if coatl.temple != NONE:
        value += deck.temples[coatl.temple].points(pieces, laid)
    return value


def values_by_kernel(game: Game, seat: int) -> list[int]:
    out = np.zeros(6, np.int64)
    cards = card_tables(game.deck)
    compiled.coatl_values(cards, states_of(game), 0, seat, new_states(), out)
    values: list[int] = out[:3].tolist()
    return values


@pytest.mark.games
@every_mode
def test_values_and_points_are_those_of_the_kernel_and_of_the_cards(options: Options) -> None:
    for game in positions(options, every=EVERY):
        data = game.view(0).data
        for seat, which, shown in coatls_in(data):
            coatl = truth_of(game).players[seat].coatls[which]
            assert shown.value == value_of(coatl, game.deck)
            assert shown.value == values_by_kernel(game, seat)[which]
            assert shown.value == sum(card.points for card in shown.cards) + (
                shown.temple.points if shown.temple else 0
            )
        adam = [data.adam.points] if data.adam is not None else []
        assert [seat.points for seat in data.seats] + adam == game.scores()


# ---------------------------------------------------------------- closing, by brute force


class Closing:
    """Every way to complete a Cóatl, played out by legal decisions on copies."""

    def __init__(self, states: States, deck: Deck, seat: int, which: int) -> None:
        self.deck, self.cards, self.seat, self.which = deck, card_tables(deck), seat, which
        self.chances, self.choices = new_chance("closing"), new_choices()
        self.states = states

    def best(self) -> int | None:
        """The most points; None if it cannot be closed with what is on the board."""
        found: set[int] = set()
        for closed in self.closed():
            found |= self.completions(closed, set())
        return max(found, default=None)

    def closed(self) -> Iterator[States]:
        """The state with the Cóatl just closed, in every way; all in the owner's turn."""
        state = self.states[0]
        coatl = state.players[self.seat].coatls[self.which]
        if state.current == self.seat and state.pending == self.which:
            yield self.states.copy()
            return
        heads = [NONE] if coatl.has_head else list(range(HEAD, HEAD + N_COLOURS))
        tails = [NONE] if coatl.has_tail else list(range(TAIL, TAIL + N_COLOURS))
        for head in heads:
            for tail in tails:
                start: States = self.states.copy()
                start["current"], start["phase"], start["pending"] = self.seat, ASSEMBLE, NONE
                start["actions_left"] = 1
                ends = [add(self.which, kind) for kind in (head, tail) if kind != NONE]
                if all(self.play(start, decision) for decision in ends):
                    yield start

    def play(self, states: States, decision: int) -> bool:
        """False if it is not legal."""
        return compiled.advance(self.cards, states, decision, self.chances, self.choices) >= 0

    def completions(self, states: States, known: set[bytes]) -> set[int]:
        """What the Cóatl is worth at the end of each way through A9."""
        if states.tobytes() in known:
            return set()
        known.add(states.tobytes())
        coatl = states[0].players[self.seat].coatls[self.which]
        if coatl.complete:
            return {value_of(coatl, self.deck)}
        assert states[0].phase in (FULFIL, TEMPLE)
        found: set[int] = set()
        compiled.legal_decisions(self.cards, states, 0, self.choices)
        for decision in self.choices["items"][0, : self.choices["n"][0]].tolist():
            after: States = states.copy()
            assert self.play(after, decision)
            found |= self.completions(after, known)
        return found


def assert_closings(game: Game, seat: int) -> int:
    """Compare a seat's own open Cóatl; how many could be closed."""
    closable = 0
    for which, shown in enumerate(game.view(seat).data.seats[seat].coatls):
        if not shown.complete:
            best = Closing(states_of(game), game.deck, seat, which).best()
            if seat == game.seat and truth_of(game).pending not in (NONE, which):
                best = None  # another one has to be completed first (A9)
            assert shown.closing == best, (game.position, seat, which)
            closable += best is not None
    return closable


@pytest.mark.games
@every_mode
def test_what_closing_would_score_is_the_best_of_all_ways_to_do_it(options: Options) -> None:
    closable = 0
    for game in positions(options, games=1 if DISABLED else 6, every=EVERY):
        if truth_of(game).phase not in (SETUP, ADAM, OVER):
            for seat in range(options.players):
                closable += assert_closings(game, seat)
    assert closable or DISABLED or options.solo


CLOSINGS = {
    "a head and a tail are needed": "2p | hand=RRR,RB board=<K,K>,R> coatl=RRRB",
    "no tail on the board": "2p | hand=RRR board=<K coatl=RRRB",
    "no body segment": "2p | hand=RK board=K> coatl=<R",
    "no card fits": "2p | hand=YG board=K> coatl=<RRRB",
    "a card lies on it already": "2p | hand=YG board=K> coatl=<RRRB:RRR",
    "the tail decides which card fits": "2p | hand=RB,RK,YG board=K>,B>,Y> coatl=<GGGR",
    "the tail breaks a laid card": "2p | hand= board=R>,K> coatl=<KRR:!RR!",
    "at most four cards (A6)": "2p | hand=RK,KG,GB,RGRG,YB board=B> coatl=<RKGRGBRKGK:{R},{G},{K}",
    "two copies count once (A6)": "2p | hand={R},{R} board=K> coatl=<RRRB",
    "a copy lies on it already (A6)": "2p | hand={R} board=K> coatl=<RRRB:{R}",
    "a Temple card from the hand": "2p | hand={R} temples=noY/7 board=K> coatl=<RRRRRB",
    "a Temple card from a pile": "2p piles=noG/9,noY/7 | hand={R} board=K> coatl=<RRRRRB",
    "head and tail change a Temple card": (
        "2p piles=noG/9,R=Y/12 | hand={R} temples=noB/K=R board=<B,<K,B>,K> coatl=RRR"
    ),
    "a promo Temple card wants no blue card": (
        "2p promo piles=noblue/R=B/10,noY/7 | hand=RB,RRR board=K> coatl=<RRRB"
    ),
    "level 1, no pile fits": "solo levels=1 piles=noR/11,noK/8 | hand=RRR board=K> coatl=<RRRB |",
    "level 1 with one": "solo levels=1 piles=noR/11,noY/7 | hand=RRR board=K> coatl=<RRRB |",
    "level 3 wants different colours": "solo levels=3 | hand=RRR,!KK!,RB board=K> coatl=<RRRBKK |",
    "level 4 wants four cards": "solo levels=4 | hand=RRR,{R},RB board=K> coatl=<RRRB |",
    "level 4 with four": "solo levels=4 | hand=RRR,RB,KG board=K> coatl=<RRRBKG:{R} |",
    "another seat's turn": "2p seat=2 | hand=RRR board=K> coatl=<RRRB",
    "while another seat completes one": (
        "2p seat=2 phase=temple pending=1 | hand=RRR board=K> coatl=<RRRB"
        " | temples=noY/7 coatl=<KKK>:{K}"
    ),
    "another one has to be completed first (A9)": (
        "2p phase=fulfil pending=1 | hand={K},RRR board=K> coatl=<KKK> coatl=<RRRB"
    ),
    "in the first completion step": (
        "2p phase=fulfil pending=1 | hand=RRR,{R} temples=noY/7 coatl=<RRRRRBK>"
    ),
    "in the second completion step cards are past": (
        "2p phase=temple pending=1 | hand=RB temples=noY/7 coatl=<RRRRRBK>:RRR"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CLOSINGS)
def test_closing_in_positions_set_up_for_it(name: str) -> None:
    assert_closings(game_at(CLOSINGS[name]), 0)


def test_closing_by_hand() -> None:
    """RRR twice is 7, {R} six times 5, no yellow 3, and exactly 7 pieces would make it 7."""
    game = game_at("2p | hand=RRR,{R},YG temples=noY/7 board=K>,Y> coatl=<RRRRRR | hand=YK")
    (coatl,) = game.view(0).data.seats[0].coatls
    assert (coatl.value, coatl.closing) == (0, 7 + 5 + 7)
    assert game.view(1).data.seats[0].coatls[0].closing is None
    assert game.view(None).data.seats[0].coatls[0].closing is None


def test_what_lies_open_is_held_against_your_open_coatl_only() -> None:
    text = "2p row=RRR,{R},-,-,-,- piles=noY/7:7,noR/11:7 | temples=noK/8 coatl=<RRRB | hand=YK"
    game = game_at(text)
    (coatl,) = game.view(0).data.seats[0].coatls
    assert [(card.card, card.times, card.points) for card in coatl.row] == [
        ("RRR", 1, 3),
        ("{R}", 3, 2),
    ]
    assert [(temple.card, temple.met, temple.points) for temple in coatl.temples] == [
        ("noK/8", (True, False), 3),
        ("noY/7", (True, False), 3),
        ("noR/11", (False, False), 0),
    ]
    (seen,) = game.view(1).data.seats[0].coatls
    assert (seen.row, seen.temples) == ((), ())


# ---------------------------------------------------------------- JSON


@pytest.mark.games
@every_mode
def test_a_view_is_a_few_kilobytes_that_decode_to_the_same_data(options: Options) -> None:
    for game in positions(options, every=EVERY):
        for seat in seats_of(game):
            view = game.view(seat)
            text = view.to_json()
            assert len(text) < MOST_BYTES
            assert msgspec.json.decode(text, type=ViewData) == view.data
            assert isinstance(json.loads(text), dict)


def test_the_moves_of_a_view_are_the_legal_moves_of_the_seat_to_move() -> None:
    game = Game.new(players=3, seed=5)
    for _ in range(60):
        for seat in seats_of(game):
            view = game.view(seat)
            expected = game.legal_moves() if seat == game.seat else ()
            assert view.moves == expected
            assert view.data.moves == expected
            assert view.data.to_move == game.seat
        game.play(game.legal_moves()[-1])


# ---------------------------------------------------------------- who looks


def test_a_spectator_sees_no_hand_and_no_moves() -> None:
    data = Game.new(players=3, seed=5).view().data
    assert (data.seat, data.moves) == (None, ())
    for seat, shown in enumerate(data.seats):
        assert (shown.hand, shown.temples, shown.buried) == ((), (), ())
        assert (shown.hand_size, shown.temple_count) == (3 + seat, 1)


@pytest.mark.parametrize("seat", [-1, 2, 4])
def test_a_wrong_seat_is_refused(seat: int) -> None:
    with pytest.raises(ValueError, match=f"seats are 0 to 1, not {seat}"):
        Game.new(players=2, seed=1).view(seat)
    with pytest.raises(ValueError, match="seats are 0 to 0"):
        Game.new(solo=[], seed=1).view(1)


def test_the_solo_view_shows_adam_with_his_cards_and_what_he_lacks() -> None:
    game = game_at(
        "solo levels=35 | hand=YB | cards=RRR(3R,<R),{B},YG(Y,G>,G),KBKB fulfilled=YYY,{R},{R}"
    )
    for seat in (0, None):
        data = game.view(seat).data
        assert (data.players, data.levels) == (1, (3, 5))
        assert data.adam is not None
        assert [card.card for card in data.adam.cards] == ["RRR", "{B}", "YG", "KBKB"]
        assert [card.missing for card in data.adam.cards] == ["RR", "B" * 6, "YYG", "KKBB"]
        assert data.adam.points == 7 + 5 + 5
        assert sorted(data.adam.fulfilled) == ["YYY", "{R}", "{R}"]
    assert Game.new(players=2, seed=1).view(0).data.adam is None


def test_make_view_needs_no_game() -> None:
    deck = standard_deck()
    states = states_of(Game.new(players=2, seed=4))
    view = make_view(deck, card_tables(deck), states, 0)
    assert view.data.seats[0].hand_size == 3
    assert len(view.data.seats[0].hand) == 3


# ---------------------------------------------------------------- what cannot be taken back


@every_mode
def test_a_move_is_final_exactly_if_it_cannot_be_undone(options: Options) -> None:
    for game in positions(options):
        seat = game.seat
        if seat is None:
            continue
        view = game.view(seat)
        for move in view.moves:
            tried = with_truth(game, states_of(game))
            tried.play(move)
            assert (move in view.final) == (not tried.can_undo), (move.text, game.position)


def test_what_is_remembered_of_a_view_is_what_would_be_made_anew() -> None:
    """The parts of earlier views are used again; a part must never be used where it is wrong."""
    caches = (parts.seat_part, parts.coatl_json, parts.progress_part, parts.supply_part)
    remembered: list[bytes] = []
    anew: list[bytes] = []
    for forget in (False, True):
        game = Game.new(players=3, seed="memory")
        chance = np.random.default_rng(5)
        while not game.over:
            if forget:
                for cache in caches:
                    cache.cache_clear()
            (anew if forget else remembered).extend(
                game.view(seat).to_json() for seat in (None, 0, 1, 2)
            )
            moves = game.legal_moves()
            game.play(moves[int(chance.integers(len(moves)))])
    assert remembered == anew
