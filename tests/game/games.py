"""Games for the tests: of every mode, played on at random, or from a position."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from coatl import Game, Move
from coatl.compiler.functions import DISABLED
from coatl.rules.cards import Deck
from tests.play import EVERY_MODE, MOST_DECISIONS, Mode

MODES = EVERY_MODE if not DISABLED else [Mode(2, tokens=True), Mode(1, levels=31)]


def new_game(mode: Mode, seed: int | str = 1, deck: Deck | None = None) -> Game:
    """A game in one of the modes of `tests.play`."""
    if mode.players == 1:
        levels = [n + 1 for n in range(5) if mode.levels >> n & 1]
        return Game.new(solo=levels, promo=mode.promo, deck=deck, seed=seed)
    return Game.new(mode.players, mode.tokens, None, mode.promo, mode.fewer, deck, seed)


def at_position(text: str) -> Game:
    """A game that stands in a position given as text."""
    return Game.from_position(text)


def any_move(game: Game, chooser: Random) -> Move:
    """Any legal move; cards are laid more often than not, so that Cóatl get finished."""
    moves = game.legal_moves()
    laying = [move for move in moves if ":" in move.text]
    return chooser.choice(laying if laying and chooser.random() < 0.6 else moves)


def play_on(
    game: Game,
    seed: int = 0,
    most: int = MOST_DECISIONS,
    undo: float = 0.0,
    after: Callable[[Game], None] | None = None,
) -> Game:
    """Random decisions to the end, or `most` of them; some are taken back."""
    chooser = Random(seed)
    for _ in range(most):
        if game.over:
            break
        if game.can_undo and chooser.random() < undo:
            game.undo()
        else:
            game.play(any_move(game, chooser))
        if after is not None:
            after(game)
    return game


def bytes_of(game: Game) -> bytes:
    return bytes(game._state.buffer)
