"""What an observation holds, and that it holds nothing a seat may not know."""

from __future__ import annotations

import random

import numpy as np
import pytest

from coatl.compiler.functions import DISABLED
from coatl.encode import layout as at
from coatl.encode import meanings as means
from coatl.encode.single import observe_state
from coatl.env.batch import Batch
from coatl.env.modes import training_mix
from coatl.options import Options
from coatl.rules import compiled
from coatl.rules.cards import standard_deck
from coatl.rules.chance import new_chance
from coatl.rules.decisions import new_choices
from coatl.rules.pieces import N_COLOURS
from coatl.rules.state import NONE, States, new_states
from coatl.rules.tables import card_tables
from tools import observation_docs

CARDS = card_tables(standard_deck())
GAMES, STEPS = (24, 60) if not DISABLED else (8, 40)


def encoded(states: States, seat: int) -> tuple[bytes, bytes]:
    """Observation and mask of a seat, from nothing but its known state."""
    known = new_states()
    compiled.known_to(states, 0, seat, known, 0)
    encoded = observe_state(standard_deck(), known)
    return encoded.observation.tobytes(), encoded.mask.tobytes()


def running_batch(options: list[Options], steps: int, seed: int = 0) -> Batch:
    batch = Batch(options, seed)
    batch.reset()
    play_on(batch, steps)
    return batch


def play_on(batch: Batch, steps: int) -> None:
    actions = np.zeros(batch.n, np.int16)
    for _ in range(steps):
        batch.random_actions(actions)
        batch.step(actions)


def test_hidden_cards_changed_and_not_one_byte_changes() -> None:
    batch = running_batch(training_mix(GAMES, 3, {2: 1, 3: 1, 4: 1}), 0)
    changed = 0
    for _ in range(4):
        play_on(batch, STEPS)
        for game in range(batch.n):
            seat = int(batch.movers[game])
            truth, known, other = batch.states[game : game + 1].copy(), new_states(), new_states()
            compiled.known_to(truth, 0, seat, known, 0)
            chances = new_chance(f"deal {game}")
            compiled.completed(CARDS, known, 0, seat, other, 0, chances, new_choices())
            changed += truth.tobytes() != other.tobytes()
            expected = batch.observations[game].tobytes(), batch.masks[game].tobytes()
            assert encoded(truth, seat) == expected
            assert encoded(other, seat) == expected
    assert changed > batch.n  # most deals differ from the truth


def test_every_mode_shows_in_its_flags() -> None:
    options = training_mix(GAMES, 5)
    batch = running_batch(options, 3)
    for row, option in zip(batch.observations, options, strict=True):
        assert row[at.PLAYERS + option.players - 1] == 1
        flags = row[at.OPTIONS : at.OPTIONS + 3].tolist()
        assert flags == [option.tokens, option.promo, option.fewer_bodies]
        levels = [n + 1 for n in range(5) if row[at.LEVELS + n]]
        assert levels == list(option.solo or ())


def test_the_hand_and_the_table_are_there() -> None:
    batch = running_batch([Options(3)] * GAMES, STEPS)
    for row, state, seat in zip(batch.observations, batch.states, batch.movers, strict=True):
        player = state.players[int(seat)]
        hand = np.bincount(player.hand[: player.n_hand], minlength=means.N_CARDS)
        assert row[at.HAND : at.HAND + means.N_CARDS].tolist() == hand.tolist()
        face_up = [card for card in state.row.tolist() if card != NONE]
        seen = np.bincount(face_up, minlength=means.N_CARDS)
        assert row[at.ROW : at.ROW + means.N_CARDS].tolist() == seen.tolist()
        assert row[at.BAG : at.BAG + 15].tolist() == state.bag.tolist()


def pieces_to_next_level(card: int, colours: list[int], left: bool) -> int:
    """Brute force: the fewest pieces at one end that raise the card's points; 5 for more."""
    prophecy = standard_deck().prophecies[card]
    now = prophecy.points_for(prophecy.automaton.count(colours))
    ends: list[list[int]] = [[]]
    for pieces in range(1, 5):
        ends = [[*end, colour] for end in ends for colour in range(N_COLOURS)]
        for end in ends:
            longer = end[::-1] + colours if left else colours + end
            if prophecy.points_for(prophecy.automaton.count(longer)) > now:
                return pieces
    return 5


def test_nearness_agrees_with_trying_all_pieces() -> None:
    """The left end is read by mirrored cards, which may count another match in rare patterns."""
    chooser = random.Random(4)
    batch = running_batch([Options(2, promo=True)] * GAMES, STEPS, 7)
    codes, compared = {1: 8, 2: 4, 3: 2, 4: 1, 5: 0}, 0
    for game in range(batch.n):
        player = batch.states[game].players[int(batch.movers[game])]
        still_open = [c for c in player.coatls[: player.n_coatls] if not c.complete]
        for slot, coatl in enumerate(still_open):
            row = batch.observations[game][at.OPENS + at.OPEN_SIZE * slot :]
            colours = coatl.colours[: coatl.length].tolist()
            for card in chooser.sample(range(means.N_CARDS), 6):
                right, left = int(row[at.O_NEAR_RIGHT + card]), int(row[at.O_NEAR_LEFT + card])
                if not coatl.has_tail:
                    assert right == codes[pieces_to_next_level(card, colours, False)]
                if not coatl.has_head:
                    assert left == codes[pieces_to_next_level(card, colours, True)]
                compared += 1
    assert compared


def test_all_fields_have_a_scale_and_lie_side_by_side() -> None:
    for block in at.BLOCKS:
        after = 0
        for entry in block.fields:
            assert entry.offset == after
            assert entry.scale > 0
            after += entry.size
        assert after == block.size
    assert np.count_nonzero(at.scales()) == at.N_USED


def test_actions_have_names_of_their_own() -> None:
    names = [means.action_text(action) for action in range(means.N_ACTIONS)]
    assert len(set(names)) == means.N_ACTIONS
    with pytest.raises(ValueError, match="no action -1"):
        means.action_text(-1)


def test_the_page_about_the_observation_is_current() -> None:
    page = observation_docs.PAGE.read_text(encoding="utf-8")
    assert page == observation_docs.make_page(), "run `make observation`"
