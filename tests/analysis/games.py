"""Short finished games to analyse, and a network that is quick to ask."""

from __future__ import annotations

from functools import lru_cache

from coatl import Game
from coatl.players import make_player
from coatl.players.base import Player
from coatl.rules.chance import new_chance

# The last turn of the second seat: it wins by closing its Cóatl (4 points to 3), and nothing else.
LAST_CHANCE = (
    "2p seat=2 turn=41 end=third trigger=1 left=0"
    " | coatl=<KRB>:RB coatl=<BYG>:YG coatl=<RKG>:RK"
    " | board=G>,K coatl=<KRRGYYBB:!RR!,!YY!"
)
LAST_TURNS = 6


def bots(players: int) -> list[Player]:
    return [make_player("greedy", new_chance(f"bot {seat}")) for seat in range(players)]


def play_on(game: Game) -> Game:
    """Bots play to the end."""
    players = bots(game.options.players)
    while game.seat is not None:
        view = game.view(game.seat)
        game.play(players[game.seat].choose(view, view.moves))
    return game


@lru_cache(maxsize=8)
def short_record(players: int) -> str:
    """The record of a game that began a few turns before its end; 1: solo."""
    whole = Game.new(players=players, seed=5) if players > 1 else Game.new(solo=[1], seed=5)
    play_on(whole)
    steps = Game.steps(whole.record())
    late = next(game for game in steps if game.turn >= whole.turn - LAST_TURNS)
    game = Game.from_position(late.position, seed=2)
    game.seats = ("Ana", "bot:greedy", "Ben", "Cleo")[:players]
    return play_on(game).record()


def missed_win() -> str:
    """The record of a game in which a win was passed up."""
    game = Game.from_position(LAST_CHANCE, seed=1)
    game.play("take b1")
    return game.record()
