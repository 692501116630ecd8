"""Many games in step: observations, legal actions and rewards as arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from coatl.compiler import jit
from coatl.compiler.arguments import check_array, check_finite, check_seed, check_whole
from coatl.compiler.records import copy_records, record_array
from coatl.encode.layout import N_OBSERVED
from coatl.encode.meanings import N_ACTIONS, action_text
from coatl.encode.observe import ReadingCache
from coatl.encode.reach import encoding_tables
from coatl.env.compiled import first_illegal, random_actions, step_games
from coatl.env.stepping import (
    ALL_LEGAL,
    AT_THE_TABLE,
    EVERY_SEAT,
    ILLEGAL,
    IN_SOLO,
    WAIT,
    Deal,
    FinishedGame,
    Games,
    RewardWeights,
    StepOutput,
    StepWorkspace,
)
from coatl.options import Options
from coatl.rules.chance import Chance, Chances, new_chance
from coatl.rules.decisions import new_choices
from coatl.rules.state import MAX_PLAYERS, States, new_states

Allocate = Callable[[tuple[int, ...], Any], npt.NDArray[Any]]
Array = TypeVar("Array", bound=npt.NDArray[Any])


def cores() -> int:
    """Those this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Slices:
    """Rows of a batch, cut into one piece for each thread."""

    def __init__(self, n: int, threads: int) -> None:
        self.threads = min(check_whole(threads, "the number of threads", 1), n)
        self._bounds = list(pairwise(n * k // self.threads for k in range(self.threads + 1)))
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def run(self, job: Callable[[int, int, int], None]) -> None:
        """Call `job` with first row, end and thread of each piece, and wait for all of them."""
        if self._pool is None:
            job(*self._bounds[0], 0)
            return
        waiting = [
            self._pool.submit(job, first, last, thread)
            for thread, (first, last) in enumerate(self._bounds)
        ]
        for done in waiting:
            done.result()


class Batch:
    """Games with the options given, one in each place; a new game follows a finished one at once.

    After `reset` and each `step`, row i of the arrays is about the seat to move in game i:

    * `observations` (`encode.layout`), `masks` (1: legal; `encode.meanings`), `movers` (the seat);
    * `dones`: a game ended in this step; its `results` and `shares` (of the win, by seat) stay
      until the next one ends;
    * `rewards`: what this step brought each seat, by `weights`.

    They are written, never read: changing them changes no game. The same seed gives the same
    games, whatever the number of threads. A batch is for one thread of Python at a time.

    `seed` may be a sequence, a seed for each place: it plays the games of a batch of one with that
    seed. `seats` has for each place the seat that is asked, as if the others' decisions, which are
    then made at random, were part of the game; None is every seat. With `keep_finals` the latest
    finished game of each place stays in `finals` as it ended.
    """

    def __init__(
        self,
        options: Sequence[Options],
        seed: int | str | Sequence[int | str] = 0,
        threads: int = 1,
        allocate: Allocate = np.zeros,
        seats: Sequence[int | None] | None = None,
        keep_finals: bool = False,
    ) -> None:
        self.places = _check_options(options)
        self.n = len(self.places)
        self.modes = list(dict.fromkeys(self.places))  # what `results.mode` counts
        self._slices = Slices(self.n, threads)
        self.threads = self._slices.threads
        self._make_arrays(allocate)
        asked = _check_seats(seats, self.places)
        self._prepare(_check_seeds(seed, self.n), asked, self.n if keep_finals else 0)
        self.weights = self._games.weights
        self.set_weights(win=1.0)
        jit.load_all("coatl.env")  # before threads meet there

    def _make_arrays(self, allocate: Allocate) -> None:
        def make(name: str, dtype: Any, *shape: int) -> Any:
            shape = (self.n, *shape)
            return check_array(allocate(shape, dtype), f"{name} of `allocate`", shape, dtype)

        self.observations = make("observations", np.int8, N_OBSERVED)
        self.masks = make("masks", np.int8, N_ACTIONS)
        self.movers = make("movers", np.int8)
        self.dones = make("dones", np.int8)
        self.rewards = make("rewards", np.float32, MAX_PLAYERS)
        self.shares = make("shares", np.float32, MAX_PLAYERS)
        self.results: Any = record_array(FinishedGame, self.n)
        # Kept besides the attributes, which somebody may set to other arrays.
        self._output = StepOutput(
            self.observations,
            self.masks,
            self.movers,
            self.dones,
            self.rewards,
            self.shares,
            self.results,
        )

    def _prepare(self, seed: int | str | list[int | str], seats: list[int], kept: int) -> None:
        n = self.n
        numbers = {option: mode for mode, option in enumerate(self.modes)}
        deals = record_array(Deal, n)
        deals["mode"] = [numbers[option] for option in self.places]
        deals["bodies"] = [option.bodies for option in self.places]
        deals["asked"] = seats
        if isinstance(seed, list):
            deals["streams"] = 1
        else:  # no two places ever use the same stream
            deals["stream"], deals["streams"] = np.arange(n), n
        by_chance = any(seat != EVERY_SEAT for seat in seats)
        self._games = Games(
            states=new_states(n),
            finals=new_states(kept),
            deals=deals,
            chances=_generators("batch {}", seed, n),
            choosers=_generators("batch {} others", seed, n if by_chance else 0),
            caches=record_array(ReadingCache, n),
            decisions=np.full((n, N_ACTIONS), ILLEGAL, np.int16),
            actions=np.zeros(n, np.int16),
            blanks=self._blanks(),
            weights=record_array(RewardWeights, 2),
        )
        self._workspaces = [
            StepWorkspace(new_states(), new_choices(), np.zeros(12, np.int64))
            for _ in range(self.threads)
        ]
        self._random = new_chance(f"batch {seed} random")
        self._dealt = False

    def _blanks(self) -> States:
        """A state of each mode to deal from.

        Numba compares the types of arguments at each call, which is slow where equal types are
        different objects; `np.concatenate` would make one.
        """
        blanks = new_states(len(self.modes))
        for mode, option in enumerate(self.modes):
            copy_records(blanks[mode : mode + 1], option.blank_states())
        return blanks

    @property
    def states(self) -> States:
        """The games themselves, every secret included; read only."""
        return _read_only(self._games.states)

    @property
    def finals(self) -> States:
        """The latest finished game of each place as it ended, if they are kept; read only."""
        return _read_only(self._games.finals)

    @property
    def decisions(self) -> npt.NDArray[np.int16]:
        """The decision of the rules for each legal action, ILLEGAL for the others; read only."""
        return _read_only(self._games.decisions)

    def set_weights(
        self,
        win: float = 0.0,
        points: float = 0.0,
        open_points: float = 0.0,
        rivals: float = 0.0,
        convex: float = 0.0,
        complete: float = 0.0,
        solo_points: float | None = None,
        solo_complete: float | None = None,
    ) -> None:
        """What the next steps reward (`stepping.RewardWeights`); the last two are for solo."""
        given = {
            "win": win,
            "points": points,
            "open_points": open_points,
            "rivals": rivals,
            "convex": convex,
            "complete": complete,
            "solo_points": points if solo_points is None else solo_points,
            "solo_complete": complete if solo_complete is None else solo_complete,
        }
        weights = [check_finite(value, f"the weight {name}") for name, value in given.items()]
        *table, solo_points, solo_complete = weights
        self._games.weights[AT_THE_TABLE] = tuple(table)
        self._games.weights[IN_SOLO] = (table[0], solo_points, *table[2:5], solo_complete)

    def reset(self) -> None:
        """Deal all games anew."""
        self._run(True)
        self._dealt = True

    def step(self, actions: npt.ArrayLike, among: npt.ArrayLike | None = None) -> None:
        """One legal action a game: whole numbers of any type, in an array or a list.

        If one of them is not legal, ValueError names it and nothing has changed. With `among`, a
        bool for each game, only those step for which it is true. The others wait, whatever their
        action: nothing of them changes but `dones` and `rewards`, which are 0.
        """
        self._take(actions, None if among is None else self._check_among(among))
        self._run(False)

    def _check_among(self, among: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        given = np.asarray(among)
        if given.dtype != np.bool_ or given.shape != (self.n,):
            raise ValueError(f"which games step are {self.n} bools")
        return given

    def random_actions(self, out: npt.NDArray[np.integer[Any]]) -> None:
        """A legal action for each game, at random, into an array of int16 or longer."""
        self.check_dealt()
        if not isinstance(out, np.ndarray) or out.dtype.kind not in "iu" or out.itemsize < 2:
            raise TypeError("the actions go to an array of int16 or longer whole numbers")
        if out.shape != (self.n,):
            raise ValueError(f"an action for each of {self.n} games does not fit into {out.shape}")
        if not out.flags.writeable:
            raise ValueError("the actions go to an array that can be written to")
        random_actions(self._games.decisions, self._random, self._games.actions)
        out[:] = self._games.actions

    def _take(self, actions: npt.ArrayLike, among: npt.NDArray[np.bool_] | None) -> None:
        """Copy actions to where nobody else can change them, and check them."""
        self.check_dealt()
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {given.dtype}")
        if given.shape != (self.n,):
            raise ValueError(f"an action for each of {self.n} games, not the shape {given.shape}")
        if among is not None:
            given = np.where(among, given, 0)
        if given.dtype != np.int16 or among is not None:
            self._check_exist(given)
        self._games.actions[:] = given
        if among is not None:
            self._games.actions[~among] = WAIT
        game = first_illegal(self._games.decisions, self._games.actions, among is not None)
        if game != ALL_LEGAL:
            raise ValueError(_why_illegal(game, int(given[game])))

    def check_dealt(self) -> None:
        """Raises ValueError before the first `reset`."""
        if not self._dealt:
            raise ValueError("no games are dealt yet: call reset first")

    def _check_exist(self, actions: npt.NDArray[Any]) -> None:
        """Before they are cut to 16 bits."""
        unknown = (actions < 0) | (actions >= N_ACTIONS)
        if unknown.any():
            game = int(unknown.argmax())
            raise ValueError(_why_illegal(game, int(actions[game])))

    def _run(self, fresh: bool) -> None:
        tables = encoding_tables()

        def step_slice(first: int, last: int, thread: int) -> None:
            workspace = self._workspaces[thread]
            step_games(tables, self._games, self._output, workspace, first, last, fresh)

        self._slices.run(step_slice)


def _check_options(options: Sequence[Options]) -> list[Options]:
    places = list(options)
    for option in places:
        if not isinstance(option, Options):
            raise TypeError(f"a batch is made of coatl.options.Options, not {option!r}")
    if not places:
        raise ValueError("a batch has at least one game")
    return places


def _check_seeds(seed: int | str | Sequence[int | str], n: int) -> int | str | list[int | str]:
    if isinstance(seed, str) or not isinstance(seed, Sequence):
        check_seed(seed)
        return seed
    seeds = list(seed)
    if len(seeds) != n:
        raise ValueError(f"{len(seeds)} seeds for {n} games: there is one for each, or one for all")
    for one in seeds:
        check_seed(one)
    return seeds


def _check_seats(seats: Sequence[int | None] | None, places: list[Options]) -> list[int]:
    if seats is None:
        return [EVERY_SEAT] * len(places)
    asked = list(seats)
    if len(asked) != len(places):
        raise ValueError(f"{len(asked)} seats for {len(places)} games: one of each is asked")
    return [
        EVERY_SEAT if seat is None else check_whole(seat, "a seat", 0, option.players - 1)
        for seat, option in zip(asked, places, strict=True)
    ]


def _generators(name: str, seed: int | str | list[int | str], n: int) -> Chances:
    """One for each of `n` places; with one seed for all they differ in their stream."""
    generators = record_array(Chance, n)
    if isinstance(seed, list):
        for place in range(n):
            copy_records(generators[place : place + 1], new_chance(name.format(seed[place])))
    elif n:
        generators[:] = new_chance(name.format(seed))
        generators["stream"] = np.arange(n)
    return generators


def _why_illegal(game: int, action: int) -> str:
    if not 0 <= action < N_ACTIONS:
        return f"game {game}: there is no action {action}, they are 0 to {N_ACTIONS - 1}"
    return f"game {game}: action {action} ({action_text(action)}) is not legal now"


def _read_only(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view
