"""The registry, one's own players, and the greedy one."""

from __future__ import annotations

import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.options import Options
from coatl.players import make_player, player_names
from coatl.players.greedy import GreedyPlayer
from coatl.players.registry import UnknownPlayer
from coatl.rules.chance import new_chance
from coatl.simulate import play_game
from tests.game.truth import replace_truth


def test_players_are_found_by_name() -> None:
    assert set(player_names()) >= {"random", "greedy"}
    assert isinstance(make_player("greedy"), GreedyPlayer)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownPlayer, match=r"'champion'.*planner, greedy.*module:Class"):
        make_player("champion")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no.such.module:Bot", "No module named"),
        ("tests.players.first_move:Nobody", "has no Nobody"),
        ("coatl.options:Options", "a player is a class with a method choose"),
        ("coatl:__version__", "a player is a class with a method choose"),
    ],
)
def test_a_player_elsewhere_has_to_be_one(name: str, reason: str) -> None:
    with pytest.raises(UnknownPlayer, match=reason):
        make_player(name)


def test_a_player_of_ones_own_plays_whole_games() -> None:
    own = "tests.players.first_move:FirstMove"
    for options in (Options(2, True), Options(1, False, solo=(1, 3))):
        result = play_game(options, [own] * options.players, seed=3, game=0)
        assert result.decisions > 10


@pytest.mark.games
@pytest.mark.parametrize("tokens", [True, False])
def test_greedy_beats_random_in_four_of_five_games(tokens: bool) -> None:
    games = 20
    won = 0
    for game in range(games):
        names = ["greedy", "random"] if game % 2 == 0 else ["random", "greedy"]
        result = play_game(Options(2, tokens), names, "four of five", game)
        won += result.winners == (game % 2,)
    assert won >= games * 4 / 5


@pytest.mark.games
@pytest.mark.parametrize(
    "options",
    [
        Options(2, True, promo=True),
        Options(3, True),
        Options(4, False),
        Options(1, False, solo=()),
        Options(1, False, promo=True, solo=(1, 2, 3, 4, 5)),
    ],
    ids=str,
)
def test_greedy_plays_every_mode(options: Options) -> None:
    result = play_game(options, ["greedy"] * options.players, "modes", 0)
    assert result.turns > 10


def test_greedy_is_fixed_by_its_seed_and_blind_to_hidden_cards() -> None:
    """The same view and the same generator give the same choice, whatever the truth is."""
    rounds = 15 if DISABLED else 60
    game = Game.new(players=2, seed="blind")
    other = Game.new(players=2, seed="blind")
    driver = make_player("random", new_chance("driver"))
    for step in range(rounds):
        if game.seat is None:
            break
        view = game.view(game.seat)
        replace_truth(other, view.sample(new_chance(step)).records)
        choices = [
            GreedyPlayer(new_chance("g", stream=step)).choose(seen, seen.moves).text
            for seen in (view, other.view(game.seat))
        ]
        assert choices[0] == choices[1]
        game.play(driver.choose(view, view.moves))


# ---------------------------------------------------------------- what a player is asked


@pytest.mark.parametrize("name", ["greedy", "planner", "montecarlo:4", "artisan", "priest:4"])
def test_a_player_is_asked_when_it_is_its_turn(name: str) -> None:
    """Compiled code would read what is not there; a view without moves has nothing to choose."""
    game = Game.new(players=2, seed="asked")
    player, legal = make_player(name, new_chance(1)), game.legal_moves()
    assert game.seat == 0
    for seat in (1, None):
        with pytest.raises(ValueError, match="it is not the turn of this view's seat"):
            player.choose(game.view(seat), legal)
    for moves in (legal[:2], legal[::-1], ()):
        with pytest.raises(ValueError, match=r"a player chooses from .*, all of them"):
            player.choose(game.view(0), moves)
    assert player.choose(game.view(0), list(legal)) in legal


@pytest.mark.parametrize("name", ["greedy", "planner", "montecarlo", "artisan", "priest:4"])
def test_a_player_draws_from_a_generator(name: str) -> None:
    with pytest.raises(ValueError, match="there is no generator to draw from"):
        make_player(name, new_chance(1)[:0])
    with pytest.raises(TypeError, match="chances are made with new_chance"):
        make_player(name, 7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a player has a name, not 7"):
        make_player(7)  # type: ignore[arg-type]
