"""One game of an arena. A player that fails loses it, and the reason is kept."""

from __future__ import annotations

import ctypes
import queue
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from coatl.arena.schedule import Fixture, Setup
from coatl.game import Game
from coatl.moves import Move
from coatl.players.base import Player
from coatl.players.registry import make_player, player_names
from coatl.rules.cards import standard_deck
from coatl.rules.chance import new_chance
from coatl.simulate import play_moves
from coatl.view import View

T = TypeVar("T")
MOST_OF_A_NAME = 36  # characters that a record has room for after "bot:"; the end says most


class Forfeit(msgspec.Struct, frozen=True):
    """Who failed, and how."""

    seat: int
    reason: str


class Played(msgspec.Struct, frozen=True):
    """One line of `games.jsonl`. Lists are by seat; in solo the second points are A.D.A.M.'s."""

    match: int
    game: int
    deal: int
    names: tuple[str, ...]
    shares: tuple[float, ...]  # of the win
    points: tuple[int, ...]
    coatls: tuple[tuple[int, ...], ...]  # values of the complete ones
    turns: int
    end: str
    decisions: tuple[int, ...]  # where there was a choice
    seconds: tuple[float, ...]  # thinking
    forfeit: Forfeit | None = None


class PlayerFailed(Exception):  # noqa: N818 - it ends a game, not the arena
    """A player raised, played illegally or did not answer."""


class ArenaSeat:
    """A player whose thinking is timed and limited; raises `PlayerFailed` for all it does wrong."""

    def __init__(self, make: Callable[[], Player], name: str, limit: float) -> None:
        self._limit = 0.0 if name in player_names() else limit  # ours are known to answer
        self.decisions = 0
        self.seconds = 0.0
        self._player = self._guarded(make)

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        began = time.perf_counter()
        chosen = self._guarded(lambda: self._player.choose(view, moves))
        if len(moves) > 1:
            self.seconds += time.perf_counter() - began
            self.decisions += 1
        if not any(chosen is move or chosen == move for move in moves):
            raise PlayerFailed(f"chose {str(chosen)[:60]!r}, which is not legal")
        return chosen

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return in_time(work, self._limit) if self._limit else work()
        except (KeyboardInterrupt, PlayerFailed):
            raise
        except BaseException as error:  # a stranger's player can raise anything, even SystemExit
            text = " ".join(f"{type(error).__name__}: {error}".split())
            raise PlayerFailed(f"raised {text}"[:200]) from None


def in_time(work: Callable[[], T], limit: float) -> T:
    """What `work` returns; raises what it raises, or `PlayerFailed` if it takes too long."""
    answers: queue.SimpleQueue[tuple[bool, T | BaseException]] = queue.SimpleQueue()

    def job() -> None:
        try:
            answers.put((True, work()))
        except BaseException as error:
            answers.put((False, error))

    thread = threading.Thread(target=job, daemon=True)
    thread.start()
    try:
        fine, answer = answers.get(timeout=limit)
    except queue.Empty:
        _end_thread(thread)
        raise PlayerFailed(f"gave no answer within {limit:g} s") from None
    if not fine:
        raise answer  # type: ignore[misc]
    return answer  # type: ignore[return-value]


def _end_thread(thread: threading.Thread) -> None:
    """Let a loop in Python end; what waits or runs in compiled code is left alone."""
    number = ctypes.c_ulong(thread.ident or 0)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(SystemExit))


def play_fixture(setup: Setup, fixture: Fixture, folder: str | None) -> Played:
    """Play a game; the same one wherever it is played."""
    options = setup.options(fixture.levels)
    seed = f"{setup.seed} deal {fixture.deal}"
    game = Game(options, standard_deck(), new_chance(seed), seed)
    game.seats = [f"bot:{name[-MOST_OF_A_NAME:]}" for name in fixture.names]
    seats: list[ArenaSeat] = []
    forfeit = None
    try:
        for number, name in enumerate(fixture.names):
            seats.append(_take_seat(setup, fixture, number, name))
        play_moves(game, seats)
    except PlayerFailed as failure:
        at = game.seat if len(seats) == len(fixture.names) else len(seats)
        forfeit = Forfeit(at or 0, str(failure))
    if setup.records and folder is not None and forfeit is None:
        file = Path(folder) / "records" / f"match{fixture.match}-game{fixture.game:05}.coatl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(game.record(reveal_seed=True), encoding="utf-8")
    return _played(fixture, game, seats, forfeit)


def _take_seat(setup: Setup, fixture: Fixture, number: int, name: str) -> ArenaSeat:
    text = f"{setup.seed} arena {fixture.match} {name} {number}"
    chances = new_chance(text, stream=fixture.game)
    return ArenaSeat(lambda: make_player(name, chances), name, setup.seconds)


def _played(
    fixture: Fixture, game: Game, seats: list[ArenaSeat], forfeit: Forfeit | None
) -> Played:
    n = len(fixture.names)
    points: tuple[int, ...] = ()
    coatls: tuple[tuple[int, ...], ...] = ()
    if forfeit is not None:
        others = max(n - 1, 1)
        shares = tuple(0.0 if at == forfeit.seat else 1 / others for at in range(n))
        end = "forfeit"
    else:
        outcome = game.outcome()
        won = len(outcome.winners)
        shares = tuple(1 / won if at in outcome.winners else 0.0 for at in range(n))
        points, end = outcome.points, outcome.end
        coatls = tuple(
            tuple(coatl.value for coatl in seat.coatls if coatl.complete)
            for seat in game.view(None).data.seats
        )
    return Played(
        match=fixture.match,
        game=fixture.game,
        deal=fixture.deal,
        names=fixture.names,
        shares=shares,
        points=points,
        coatls=coatls,
        turns=game.turn,
        end=end,
        decisions=tuple(seat.decisions for seat in seats),
        seconds=tuple(round(seat.seconds, 6) for seat in seats),
        forfeit=forfeit,
    )
