"""Whole games by the thousand, in every mode: nothing is lost, everything listed works, all end."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from coatl.compiler.functions import DISABLED
from coatl.notation import format_position, parse_position, problems
from coatl.rules import compiled
from coatl.rules.cards import standard_deck
from coatl.rules.causes import ALLOWED
from coatl.rules.decisions import N_DECISIONS
from coatl.rules.pieces import N_KINDS
from coatl.rules.state import NONE, States
from tests.play import EVERY_MODE, MULTIPLAYER, SOLO, Mode, RandomGame
from tests.rules.digests import COMPARED, DIGESTS, digest

Counts = npt.NDArray[np.int64]
GAMES_A_MODE = 1 if DISABLED else 12
ASKED_EVERY = 4  # decisions; at each all numbers are tried


def pieces_in(states: States) -> Counts:
    """All pieces of each kind anywhere, for every state of a game."""
    total: Counts = states["bag"].astype(int) + states["gone"]
    players = states["players"]
    total += players["pieces"].sum(axis=1)
    total += states["adam"]["holding"] + states["adam"]["pieces"].sum(axis=1)
    first_kind = [10] * 6 + [0] * 2 + [5] * 2
    for space, kind in enumerate(first_kind):
        for slot in range(2):
            colour = states["supply"][:, space, slot]
            there = colour != NONE
            total[np.nonzero(there)[0], kind + colour[there]] += 1
    coatls = players["coatls"].reshape(len(states), -1)
    for i in range(coatls.shape[1]):
        total += pieces_on(coatls[:, i])
    return total


def pieces_on(coatls: npt.NDArray[Any]) -> Counts:
    """Pieces of each kind on one Cóatl in every state."""
    total = np.zeros((len(coatls), N_KINDS), int)
    position = np.arange(coatls["colours"].shape[1])
    length = coatls["length"][:, None]
    kind = np.full(coatls["colours"].shape, 10)
    kind[(position == 0) & (coatls["has_head"] == 1)[:, None]] = 0
    kind[(position == length - 1) & (coatls["has_tail"] == 1)[:, None]] = 5
    rows, columns = np.nonzero(position < length)
    np.add.at(total, (rows, kind[rows, columns] + coatls["colours"][rows, columns]), 1)
    return total


def cards_in(states: States) -> Counts:
    """All copies of each Prophecy card anywhere, for every state of a game."""
    total: Counts = states["deck"].astype(int) + states["discard"] + states["adam"]["fulfilled"]
    players, adam = states["players"], states["adam"]
    coatls = players["coatls"].reshape(len(states), -1)
    groups = [(states["row"], np.full(len(states), 6)), (adam["cards"], adam["n_cards"])]
    groups += [(players["hand"][:, s], players["n_hand"][:, s]) for s in range(4)]
    groups += [(coatls["cards"][:, i], coatls["n_cards"][:, i]) for i in range(coatls.shape[1])]
    for cards, number in groups:
        there = (np.arange(cards.shape[1]) < np.asarray(number)[:, None]) & (cards != NONE)
        rows, columns = np.nonzero(there)
        np.add.at(total, (rows, cards[rows, columns]), 1)
    return total


@pytest.mark.games
@pytest.mark.parametrize("mode", EVERY_MODE, ids=str)
def test_nothing_is_lost_and_every_game_ends(mode: Mode) -> None:
    """C2, C3, D1, R22: 150 pieces; 110 solo; 100 or 120 with fewer bodies; every card once."""
    solo_or_fewer = {1: 110, 2: 100, 3: 120}
    expected = solo_or_fewer[mode.players] if mode.players == 1 or mode.fewer else 150
    deck = standard_deck()
    copies = [card.copies if mode.promo or not card.promo else 0 for card in deck.prophecies]
    for seed in range(2):
        states = RandomGame(mode, seed).history()
        pieces = pieces_in(states)
        assert (pieces == pieces[0]).all()
        assert pieces[0].sum() == expected
        assert (cards_in(states)[:, : len(copies)] == copies).all()
        assert not problems(states[len(states) - 1], deck)


@pytest.mark.games
@pytest.mark.parametrize("mode", EVERY_MODE, ids=str)
def test_the_list_and_the_reasons_agree(mode: Mode) -> None:
    """What is listed is allowed, every other number is refused and changes nothing."""
    game = RandomGame(mode, seed=100)
    for decision, _ in enumerate(game.decisions()):
        if decision % ASKED_EVERY:
            continue
        legal = set(game.legal())
        assert len(legal) == game.choices["n"][0] > 0
        before = game.states.tobytes()
        for number in range(-1, N_DECISIONS + 1):
            clause = compiled.why_not(game.cards, game.states, 0, number)
            assert (clause == ALLOWED) == (number in legal), (number, clause)
            if clause != ALLOWED:
                assert -clause == compiled.advance(
                    game.cards, game.states, number, game.chances, game.choices
                )
        assert game.states.tobytes() == before


@pytest.mark.games
@pytest.mark.parametrize("mode", MULTIPLAYER + SOLO[::3], ids=str)
def test_every_position_reads_back_from_its_text(mode: Mode) -> None:
    game = RandomGame(mode, seed=5)
    for number, _ in enumerate(game.decisions()):
        if number % 7 == 0:
            text = format_position(game.states[0])
            assert parse_position(text).tobytes() == game.states.tobytes(), text


@pytest.mark.games
@pytest.mark.modes
@pytest.mark.parametrize("mode", COMPARED, ids=str)
def test_same_seeds_same_games_in_every_mode_of_the_kernel(mode: Mode) -> None:
    """Compiled, bounds checked and plain Python play the same games, bit for bit."""
    expected = json.loads(DIGESTS.read_text())[str(mode)]
    for seed in range(GAMES_A_MODE):
        assert digest(mode, seed) == expected[seed]
