"""A view as JSON is written by compiled code, or put together from parts: always the same bytes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

from coatl import Game
from coatl.compiler.functions import DISABLED
from coatl.game.game import states_of
from coatl.rules.cards import additions_of, standard_deck
from coatl.rules.knowledge import NOBODY
from coatl.rules.tables import card_tables
from coatl.view import texts
from coatl.view.view import written_view
from tests.game.decks import SMALL, deck_file
from tests.game.games import MODES, any_move, new_game
from tests.play import Mode

ENCODER = msgspec.json.Encoder()
EVERY = 40 if DISABLED else 5  # decisions
VARIANTS = [mode for mode in MODES if mode.players > 1 or mode.levels in (0, 31)]


def written(game: Game, seat: int | None) -> bytes | None:
    """What compiled code writes, also where it is run as plain Python."""
    found = texts.view_texts(game.deck)
    assert found is not None
    states = states_of(game)
    return written_view(found, card_tables(game.deck), states, NOBODY if seat is None else seat)


@pytest.mark.parametrize("mode", VARIANTS, ids=str)
def test_all_ways_to_encode_a_view_say_the_same(mode: Mode) -> None:
    """For every seat and for spectators, all through a game."""
    game, chooser, seen = new_game(mode, "json"), Random(4), 0
    while not game.over:
        game.play(any_move(game, chooser))
        seen += 1
        if seen % EVERY == 0 or game.over or game.phase == "temple":
            compare(game)


def test_a_deck_of_ones_own(tmp_path: Path) -> None:
    game = Game.new(players=2, deck=deck_file(tmp_path, SMALL), seed=2)
    chooser = Random(4)
    for _ in range(60):
        game.play(any_move(game, chooser))
    compare(game)


def compare(game: Game) -> None:
    for seat in (None, *range(game.options.players)):
        view = game.view(seat)
        plain = ENCODER.encode(view.data)
        assert view.to_json() == plain
        assert game.view_json(seat) == plain
        assert written(game, seat) == (plain if game.options.players > 1 else None)


def test_a_long_coatl_with_many_matches() -> None:
    """Cards that are met several times, sets and sequences; serpents as they hardly occur."""
    deck, chooser = standard_deck(), Random(9)
    game = Game.new(players=2, tokens=True, seed=3)
    while not any(seat.coatls for seat in game.view(0).data.seats[:1]):
        game.play(chooser.choice(game.legal_moves()))
    state = states_of(game)[0]
    coatl = state.players[0].coatls[0]
    for length in (5, 30, 60):
        colours = [chooser.randrange(3) for _ in range(length)]
        coatl.colours[:length] = colours
        coatl.length, coatl.has_head, coatl.has_tail = length, 1, 0
        coatl.counts = sum(colours.count(colour) << 8 * colour for colour in range(5))
        for first in range(0, len(deck.prophecies), 6):
            for place, card in enumerate(range(first, min(first + 6, len(deck.prophecies)))):
                state.row[place] = card
            assert written(game, 0) == ENCODER.encode(game.view(0).data)


def test_cards_that_are_too_complicated_for_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then views are put together from parts."""
    texts.view_texts.cache_clear()
    monkeypatch.setattr("coatl.rules.json_texts.MAX_EFFECTS", 100)
    try:
        assert texts.view_texts(standard_deck()) is None
        view = Game.new(players=2, seed=1).view(0)
        assert view.to_json() == ENCODER.encode(view.data)
    finally:
        texts.view_texts.cache_clear()


def test_effects_are_few_and_forgotten_where_they_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    card = standard_deck().prophecies[0]
    assert additions_of(card).effects.find_all(300)
    before = card.matches("KRRBGYK")
    monkeypatch.setattr("coatl.rules.cards.MOST_EFFECTS", 1)
    assert card.matches("KRRBGYK") == before
    assert len(additions_of(card).effects.walks) < 10
