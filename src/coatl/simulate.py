"""Games without people: any players move by move, random ones in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coatl.compiler.arguments import check_seed, check_whole
from coatl.compiler.records import copy_records
from coatl.game import Game, states_of
from coatl.options import Options
from coatl.players.base import Player
from coatl.players.registry import make_player
from coatl.rules import compiled
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.chance import Chances, join_chances, new_chance
from coatl.rules.decisions import new_choices
from coatl.rules.scoring import CARDS_LAID, POINTS
from coatl.rules.state import ENDS, MAX_CARDS_ON_COATL, NONE, States, new_states
from coatl.rules.tables import card_tables

MOST_GAMES = 1 << 62  # of one seed: numbers of streams of chance


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game: points of each seat (solo: yours and A.D.A.M.'s), who won, and how it went."""

    points: tuple[int, ...]
    winners: tuple[int, ...]
    end: str
    turns: int
    decisions: int
    cards: tuple[int, ...] = ()  # on complete Cóatl, by seat; A.D.A.M.: fulfilled
    prophecies: tuple[int, ...] = ()  # ids of the Prophecy cards on complete Cóatl, all seats
    temples: tuple[int, ...] = ()


class LaidCards:
    """The cards on complete Cóatl in many final states, read together since that is quick."""

    def __init__(self, states: States) -> None:
        coatls = states["players"]["coatls"]
        complete = coatls["complete"] == 1
        used = np.arange(MAX_CARDS_ON_COATL) < coatls["n_cards"][..., None]
        self._cards, self._laid = coatls["cards"], used & complete[..., None]
        self._temples, self._has_temple = coatls["temple"], complete & (coatls["temple"] != NONE)
        self._adam = states["adam"]["fulfilled"].sum(axis=-1).tolist()
        self._solo = (states["n_players"] == 1).tolist()

    def of_game(self, game: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Ids of the Prophecy and the Temple cards of one state."""
        prophecies = self._cards[game][self._laid[game]].tolist()
        return tuple(prophecies), tuple(self._temples[game][self._has_temple[game]].tolist())

    def by_seat(self, game: int, cards: Sequence[int]) -> tuple[int, ...]:
        """Cards of each seat; in solo A.D.A.M.'s fulfilled ones stand in the second place."""
        return (cards[0], self._adam[game]) if self._solo[game] else tuple(cards)


def player_chances(seed: int | str, seat: int, game: int) -> Chances:
    """The generator of a seat in one game of a simulation."""
    check_seed(seed)
    return new_chance(f"{seed} seat {seat}", stream=game)


def play_game(
    options: Options, names: Sequence[str], seed: int | str, game: int, deck: Deck | None = None
) -> GameResult:
    """Game number `game` of a simulation, move by move, between any players."""
    cards, game = _check(options, seed, deck), _check_game(game)
    players = [
        make_player(name, player_chances(seed, seat, game)) for seat, name in enumerate(names)
    ]
    running = Game(options, cards, new_chance(str(seed), stream=game), None)
    return play_out(running, players)


def play_moves(game: Game, players: Sequence[Player]) -> int:
    """Let players finish a game, one for each seat; how many decisions they made.

    If a player raises, or chooses what is not legal, `game.seat` is still its seat.
    """
    if len(players) != game.options.players:
        raise ValueError(f"{game.options.players} players are needed, not {len(players)}")
    decisions = 0
    while game.seat is not None:
        view = game.view(game.seat)
        game.play(players[game.seat].choose(view, view.moves))
        decisions += 1
    return decisions


def play_out(game: Game, players: Sequence[Player]) -> GameResult:
    """Let players finish a game, one for each seat; its result."""
    decisions = play_moves(game, players)
    outcome = game.outcome()
    laid = LaidCards(states_of(game))
    prophecies, temples = laid.of_game(0)
    return GameResult(
        outcome.points,
        outcome.winners,
        outcome.end,
        game.turn,
        decisions,
        laid.by_seat(0, outcome.cards),
        prophecies,
        temples,
    )


def random_results(
    options: Options, seed: int | str, games: int, first: int = 0, deck: Deck | None = None
) -> list[GameResult]:
    """The very games that `play_game` plays with random players, in compiled code."""
    cards, first = card_tables(_check(options, seed, deck)), _check_game(first)
    games = check_whole(games, "the number of games", 0, MOST_GAMES - first)
    states, finals = new_states(2), new_states(games)
    copy_records(states[:1], options.blank_states())
    chances, choices = new_chance(str(seed)), new_choices()
    seats = [player_chances(seed, seat, 0) for seat in range(options.players)]
    choosers = join_chances(seats)
    decisions, winners = [0] * games, [0] * games
    scores = np.zeros((games, 12), np.int64)
    for game in range(games):
        decisions[game] = compiled.random_games(
            cards, states, 1, first + game, options.bodies, chances, choosers, choices
        )
        winners[game] = compiled.scores(cards, states, 1, scores[game])
        copy_records(finals[game : game + 1], states[1:])
    return _results(finals, scores.tolist(), winners, decisions)


def _check_game(game: int) -> int:
    return check_whole(game, "the number of a game", 0, MOST_GAMES)


def _check(options: Options, seed: int | str, deck: Deck | None) -> Deck:
    """What a simulation is given; the deck it is for, or the standard one."""
    if not isinstance(options, Options):
        raise TypeError(f"a simulation is of coatl.options.Options, not {options!r}")
    check_seed(seed)
    cards = standard_deck() if deck is None else deck
    if not isinstance(cards, Deck):
        raise TypeError(f"a deck is a coatl.Deck, not {deck!r}")
    cards.check_enough_for(options.players, options.promo)
    return cards


def _results(
    finals: States, scores: list[list[int]], winners: list[int], decisions: list[int]
) -> list[GameResult]:
    laid = LaidCards(finals)
    ends, turns = finals["end"].tolist(), finals["turn"].tolist()
    columns = max(int(finals["n_players"][0]), 2) if len(finals) else 2
    results = []
    for game, numbers in enumerate(scores):
        prophecies, temples = laid.of_game(game)
        results.append(
            GameResult(
                points=tuple(numbers[POINTS : 3 * columns : 3]),
                winners=tuple(seat for seat in range(columns) if winners[game] >> seat & 1),
                end=ENDS[ends[game]],
                turns=turns[game],
                decisions=decisions[game],
                cards=laid.by_seat(game, numbers[CARDS_LAID : 3 * columns : 3]),
                prophecies=prophecies,
                temples=temples,
            )
        )
    return results
