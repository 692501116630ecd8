"""A network that knows nothing, and positions to ask players about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from coatl.game import Game
from coatl.net.weights import Policy, load_policy, save_random_policy
from coatl.options import Options
from coatl.players import make_player
from coatl.rules.chance import new_chance
from coatl.view import View
from tests.game.truth import replace_truth

THREE = Options(3, True)
MODES = [
    Options(2, True),
    Options(2, False, fewer_bodies=True),
    Options(3, True, promo=True),
    Options(4, True),
    Options(1, False, solo=()),
    Options(1, False, promo=True, solo=(1, 2, 3, 4, 5)),
]


def small_policy(folder: Path) -> Policy:
    path = folder / "small.npz"
    save_random_policy(path)
    return load_policy(path)


def new_game(options: Options, seed: str) -> Game:
    return Game.new(
        None if options.players == 1 else options.players,
        seed=seed,
        tokens=options.tokens,
        promo=options.promo,
        fewer_bodies=options.fewer_bodies,
        solo=options.solo if options.players == 1 else None,
    )


def views_of_two_truths(
    rounds: int, seed: str, options: Options = THREE
) -> Iterator[tuple[int, View, View]]:
    """Positions of a random game: the view, and the same view where the hidden cards are others."""
    game, other = new_game(options, seed), new_game(options, seed)
    driver = make_player("random", new_chance("driver"))
    for step in range(rounds):
        if game.seat is None:
            return
        view = game.view(game.seat)
        replace_truth(other, view.sample(new_chance(step)).records)
        yield step, view, other.view(game.seat)
        game.play(driver.choose(view, view.moves))


def first_view(seed: str) -> Game:
    """A game at its first turn, where there is much to choose from."""
    game = Game.new(players=2, seed=seed)
    driver = make_player("random", new_chance("driver"))
    while len(game.view(game.seat).moves) < 8:
        view = game.view(game.seat)
        game.play(driver.choose(view, view.moves))
    return game
