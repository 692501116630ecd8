"""One game of the lab: a bot against itself, and the facts that are kept of it."""

from __future__ import annotations

from collections.abc import Sequence

from coatl.game import Game
from coatl.lab.facts import FirstPick, GameFacts, SeatStart, read_facts
from coatl.lab.setup import Setup
from coatl.moves import Move, MoveKind
from coatl.parallel.runs import RunError
from coatl.players.base import Player
from coatl.players.randomness import PlayerRandom
from coatl.players.registry import make_player
from coatl.rules.cards import Deck
from coatl.rules.chance import new_chance
from coatl.simulate import play_moves, player_chances
from coatl.view import View


class WatchedPlayer:
    """A player of whom the beginning is kept; with `lots` it takes its first card by lot."""

    def __init__(self, player: Player, lots: PlayerRandom | None) -> None:
        self._player = player
        self._lots = lots
        self._has_begun = False
        self.start = SeatStart()

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        if not self._has_begun:
            self._has_begun = True
            mine = view.data.seats[view.seat]
            self.start.dealt, self.start.temple = mine.hand, next(iter(mine.temples), None)
        chosen = self._player.choose(view, moves)
        if self.start.first_pick is None and chosen.kind is MoveKind.PICK:
            chosen = self._pick_first(chosen, [m for m in moves if m.kind is MoveKind.PICK])
        return chosen

    def _pick_first(self, chosen: Move, picks: list[Move]) -> Move:
        if self._lots is not None:
            chosen = self._lots.choice(picks)
        offered = tuple(move.card or "" for move in picks)
        self.start.first_pick = FirstPick(chosen.card or "", offered, self._lots is not None)
        return chosen


def play_lab_game(setup: Setup, deck: Deck, players: int, number: int) -> GameFacts:
    """Play a game; the same one wherever it is played."""
    seed = f"{setup.seed} lab {players}"
    game = Game(setup.options(players), deck, new_chance(seed, stream=number), None)
    lots = PlayerRandom(new_chance(f"{seed} lots", stream=number))
    by_lot = lots.randrange(players) if setup.random_first_pick else None
    try:
        seats = [
            WatchedPlayer(
                make_player(setup.bot, player_chances(seed, seat, number)),
                lots if seat == by_lot else None,
            )
            for seat in range(players)
        ]
        play_moves(game, seats)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a stranger's bot can raise anything, even SystemExit
        text = " ".join(f"{type(error).__name__}: {error}".split())
        raise RunError(f"game {number} of {players} players, {setup.bot}: {text}"[:300]) from None
    return read_facts(game, number, [seat.start for seat in seats])
