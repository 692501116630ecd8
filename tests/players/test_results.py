"""What a simulation keeps of a game: points, winners, and the cards on complete Cóatl."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.options import Options
from coatl.players import make_player
from coatl.rules.cards import Deck, DeckError, standard_deck
from coatl.rules.chance import new_chance
from coatl.rules.deckfile import parse_deck
from coatl.simulate import GameResult, play_game, play_out, player_chances, random_results
from tests.players.small_network import MODES

GAMES = 1 if DISABLED else 6
SEED = "results"


def played(options: Options, number: int) -> tuple[Game, GameResult]:
    """Game `number` of a simulation between random players, and what is kept of it."""
    game = Game(options, standard_deck(), new_chance(SEED, stream=number), None)
    players = [
        make_player("random", player_chances(SEED, seat, number)) for seat in range(options.players)
    ]
    return game, play_out(game, players)


def cards_on_complete_coatls(game: Game, seat: int) -> tuple[list[str], list[str]]:
    """Names of the Prophecy and Temple cards, from what the seat sees of itself."""
    coatls = [c for c in game.view(seat).data.seats[seat].coatls if c.complete]
    prophecies = [card.card for coatl in coatls for card in coatl.cards]
    return prophecies, [coatl.temple.card for coatl in coatls if coatl.temple is not None]


@pytest.mark.parametrize("options", MODES, ids=str)
def test_the_cards_are_those_on_the_table(options: Options) -> None:
    deck = standard_deck()
    for number in range(GAMES):
        game, result = played(options, number)
        laid = [cards_on_complete_coatls(game, seat) for seat in range(options.players)]
        prophecies = Counter(name for names, _ in laid for name in names)
        temples = Counter(name for _, names in laid for name in names)
        assert Counter(deck.prophecies[n].name for n in result.prophecies) == prophecies
        assert Counter(deck.temples[n].name for n in result.temples) == temples
        assert [len(a) + len(b) for a, b in laid] == list(result.cards[: options.players])
        outcome = game.outcome()
        assert (result.points, result.winners) == (outcome.points, outcome.winners)
        assert (result.end, result.turns) == (outcome.end, game.turn)


@pytest.mark.parametrize("options", [mode for mode in MODES if mode.players == 1], ids=str)
def test_adams_cards_are_the_fulfilled_ones(options: Options) -> None:
    for number in range(GAMES):
        game, result = played(options, number)
        adam = game.view(0).data.adam
        assert adam is not None
        assert len(result.cards) == 2
        assert result.cards[1] == len(adam.fulfilled)


@pytest.mark.parametrize("options", MODES, ids=str)
def test_both_ways_of_playing_keep_the_same(options: Options) -> None:
    names = ["random"] * options.players
    slow = [play_game(options, names, SEED, number) for number in range(GAMES)]
    quick = random_results(options, SEED, GAMES)
    for one, other in zip(slow, quick, strict=True):
        assert one.cards == other.cards
        assert one.prophecies == other.prophecies
        assert one.temples == other.temples
        assert one == other


def test_such_games_do_have_cards() -> None:
    """Otherwise the tests above would say little."""
    options = MODES[0]
    results = random_results(options, SEED, 3 * GAMES)
    assert sum(len(result.prophecies) for result in results) > 0
    assert all(len(result.cards) == 2 for result in results)


def test_cards_of_a_deck_of_ones_own_have_its_ids() -> None:
    deck = parse_deck(
        """
        [[prophecy]]
        colour = "red"
        copies = 9
        levels = { 1 = 1 }
        cards = ["{Y}", "{R}"]
        [[temple]]
        points = [1]
        copies = 9
        cards = ["no K"]
        """
    )
    results = random_results(Options(2, True), SEED, GAMES, deck=deck)
    assert {card for result in results for card in result.prophecies} <= {0, 1}
    assert {card for result in results for card in result.temples} <= {0}
    assert results == [
        play_game(Options(2, True), ["random", "random"], SEED, number, deck)
        for number in range(GAMES)
    ]


def test_no_games_are_no_results() -> None:
    assert random_results(MODES[0], SEED, 0) == []


# ---------------------------------------------------------------- what a simulation is given


@pytest.mark.parametrize(
    ("change", "kind", "reason"),
    [
        ({"games": -1}, ValueError, "the number of games is from 0 to .*, not -1"),
        ({"games": 1.5}, TypeError, r"the number of games is a whole number, not 1\.5"),
        ({"first": -1}, ValueError, "the number of a game is from 0 to .*, not -1"),
        ({"first": 2**63}, ValueError, "the number of a game is from 0 to"),
        ({"seed": None}, TypeError, "a seed is a number or a text, not None"),
        ({"options": 2}, TypeError, "a simulation is of coatl.options.Options, not 2"),
        ({"deck": "my.toml"}, TypeError, "a deck is a coatl.Deck, not 'my.toml'"),
    ],
)
def test_random_games_are_given_what_they_need(
    change: dict[str, Any], kind: type[Exception], reason: str
) -> None:
    many: dict[str, Any] = {"options": Options(2), "seed": SEED, "games": 2}
    one: dict[str, Any] = {
        "options": Options(2),
        "seed": SEED,
        "game": 0,
        "names": ["random", "random"],
    }
    with pytest.raises(kind, match=reason):
        random_results(**(many | change))
    named = {"game" if name == "first" else name: value for name, value in change.items()}
    if "games" not in change:
        with pytest.raises(kind, match=reason):
            play_game(**(one | named))


@pytest.mark.parametrize("names", [[], ["random"], ["random"] * 3])
def test_a_game_has_a_player_for_each_seat(names: list[str]) -> None:
    with pytest.raises(ValueError, match=f"2 players are needed, not {len(names)}"):
        play_game(Options(2), names, SEED, 0)


def test_a_deck_has_to_have_enough_cards() -> None:
    small = Deck(standard_deck().prophecies[:3], standard_deck().temples)
    for play in (
        lambda: random_results(Options(2), SEED, 1, deck=small),
        lambda: play_game(Options(2), ["random"] * 2, SEED, 0, small),
    ):
        with pytest.raises(DeckError, match="Prophecy cards are needed"):
            play()
