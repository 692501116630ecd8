"""Many games without people: any players the slow way, random ones in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coatl.game import Game
from coatl.options import Options
from coatl.players.base import Player
from coatl.players.registry import make_player
from coatl.rules import kernel
from coatl.rules.actions import new_choices
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.chance import Chances, join_chances, new_chance
from coatl.rules.scoring import POINTS
from coatl.rules.state import ENDS, new_states
from coatl.rules.tables import card_tables


@dataclass(frozen=True, slots=True)
class Result:
    """One game: points of each seat (solo: yours and A.D.A.M.'s), who won, and how it went."""

    points: tuple[int, ...]
    winners: tuple[int, ...]
    end: str
    turns: int
    decisions: int


def player_chances(seed: int | str, seat: int, game: int) -> Chances:
    """The generator of a seat in one game of a simulation."""
    return new_chance(f"{seed} seat {seat}", stream=game)


def play_game(
    options: Options, names: Sequence[str], seed: int | str, game: int, deck: Deck | None = None
) -> Result:
    """Game number `game` of a simulation, move by move, between any players."""
    players = [
        make_player(name, player_chances(seed, seat, game)) for seat, name in enumerate(names)
    ]
    running = Game(options, deck or standard_deck(), new_chance(str(seed), stream=game), None)
    return play_out(running, players)


def play_out(game: Game, players: Sequence[Player]) -> Result:
    """Let players finish a game."""
    decisions = 0
    while game.seat is not None:
        view = game.view(game.seat)
        game.play(players[game.seat].choose(view, view.moves))
        decisions += 1
    outcome = game.outcome()
    return Result(outcome.points, outcome.winners, outcome.end, game.turn, decisions)


def random_results(
    options: Options, seed: int | str, games: int, first: int = 0, deck: Deck | None = None
) -> list[Result]:
    """The very games that `play_game` plays with random players, in compiled code."""
    cards = card_tables(deck or standard_deck())
    states = new_states(2)
    states[:1] = options.blank_states()
    chances, choices = new_chance(str(seed)), new_choices()
    seats = [player_chances(seed, seat, 0) for seat in range(options.players)]
    choosers = join_chances(seats)
    scores = np.zeros(12, np.int64)
    last = 3 * max(options.players, 2)
    results = []
    for game in range(first, first + games):
        decisions = kernel.random_games(
            cards, states, 1, game, options.bodies, chances, choosers, choices
        )
        bits = kernel.scores(cards, states, 1, scores)
        points = tuple(scores[POINTS:last:3].tolist())
        winners = tuple(seat for seat in range(len(points)) if bits >> seat & 1)
        end, turns = int(states["end"][1]), int(states["turn"][1])
        results.append(Result(points, winners, ENDS[end], turns, decisions))
    return results
