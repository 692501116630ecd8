"""Solo games played with a search, and examples of them in files; needs no PyTorch."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from coatl.encode.layout import N_OBSERVED
from coatl.encode.meanings import N_ACTIONS
from coatl.env.modes import random_levels, solo_levels
from coatl.game import Game
from coatl.net.weights import Policy, load_policy
from coatl.players.last_action import best_last_move
from coatl.players.network import ViewEvaluator
from coatl.rules.chance import new_chance
from coatl.search.search import Search
from coatl.search.settings import SearchSettings
from coatl.view import View

PROMO = 0.1  # share of the games with the promo pack
WIN, POINTS, SEARCHED = 0, 1, 2  # what is known of a position: the result, and the search's guess


@dataclass(frozen=True)
class PlaySettings:
    """How games are played for others to learn from."""

    simulations: int = 400  # a decision
    scenarios: int = 8
    wander: float = 0.05  # how often a decision is drawn from those tried, to see other positions
    levels: str = "12345"  # such as "12345,12345,base,any", in equal shares
    games: int = 8  # in a file

    def __post_init__(self) -> None:
        for name in self.levels.split(","):
            solo_levels(name)


class Examples(NamedTuple):
    """Positions; what a search plays there; how the game ended and what the search expected."""

    observations: npt.NDArray[np.int8]  # (n, N_OBSERVED)
    masks: npt.NDArray[np.int8]  # (n, N_ACTIONS)
    shares: npt.NDArray[np.uint8]  # (n, N_ACTIONS), of the visits, in 255ths
    outcomes: npt.NDArray[np.float32]  # (n, 3): WIN, POINTS, SEARCHED


class Player:
    """Plays games with one network, and notes what it decides."""

    def __init__(self, policy: Policy, settings: PlaySettings, seed: str) -> None:
        self.settings = settings
        self._chances = new_chance(seed)
        search = SearchSettings(settings.simulations, solo_factor=1, scenarios=settings.scenarios)
        self._search = Search(policy, self._chances, search)
        self._evaluator = ViewEvaluator(policy)
        self._stop = np.zeros(1, np.int8)
        self._draw = np.random.default_rng(list(seed.encode()))
        self._levels = [solo_levels(name) for name in settings.levels.split(",")]

    def play(self, seed: str) -> Examples:
        """One game."""
        wanted = self._levels[int(self._draw.integers(len(self._levels)))]
        levels = random_levels(self._draw) if wanted is None else wanted
        game = Game.new(solo=levels, promo=bool(self._draw.random() < PROMO), seed=seed)
        noted: list[tuple[npt.NDArray[np.int8], npt.NDArray[np.int8], npt.NDArray[np.uint8]]] = []
        guesses: list[float] = []
        while (seat := game.seat) is not None:
            view = game.view(seat)
            if len(view.moves) == 1:
                game.play(view.moves[0])
                continue
            legal = self._evaluator.observe(view)
            decisions = self._evaluator.decisions[legal]
            shares, guess = self._decide(view, decisions)
            if len(legal) > 1:
                row = np.zeros(N_ACTIONS, np.uint8)
                row[legal] = np.rint(255 * shares)
                evaluator = self._evaluator
                noted.append((evaluator.observation.copy(), evaluator.mask.copy(), row))
                guesses.append(guess)
            decision = int(decisions[self._choose(shares)])
            game.play(next(move for move in view.moves if move.decision == decision))
        outcomes = np.empty((len(noted), 3), np.float32)
        outcomes[:, WIN], outcomes[:, POINTS] = 0 in game.state.winners(), game.scores()[0]
        outcomes[:, SEARCHED] = np.where(np.isnan(guesses), outcomes[:, WIN], guesses)
        observations, masks, rows = (np.array(column) for column in zip(*noted, strict=True))
        return Examples(observations, masks, rows, outcomes)

    def _decide(
        self, view: View, decisions: npt.NDArray[np.int16]
    ) -> tuple[npt.NDArray[np.float64], float]:
        """What is played, as shares, and the chance to win, which is NaN where nothing is searched.

        These are the shares of the search's visits.
        """
        if len(decisions) == 1:
            return np.ones(1), float("nan")
        if (move := best_last_move(view, self._chances)) is not None:
            found = (decisions == move.decision).astype(np.float64)
            if found.any():
                return found, float("nan")
        self._search.run(view, self._stop)
        tried = self._search.visits()
        visits = np.array([tried[int(d)][0] for d in decisions], np.float64)
        values = np.array([tried[int(d)][1] for d in decisions])
        return visits / visits.sum(), float(visits @ values / visits.sum())

    def _choose(self, shares: npt.NDArray[np.float64]) -> int:
        if self._draw.random() < self.settings.wander:
            return int(self._draw.choice(len(shares), p=shares))
        return int(shares.argmax())


def joined(parts: Sequence[Examples]) -> Examples:
    return Examples(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def save(examples: Examples, path: Path) -> None:
    """Write a file at once, so that nobody reads half of one.

    Neighbouring positions are alike, so they are stored number by number: a tenth of the size.
    """
    temporary = path.with_suffix(".part")
    with temporary.open("wb") as opened:
        np.savez_compressed(
            opened,
            observations=np.ascontiguousarray(examples.observations.T),
            masks=np.ascontiguousarray(examples.masks.T),
            shares=np.ascontiguousarray(examples.shares.T),
            outcomes=np.ascontiguousarray(examples.outcomes.T),
        )
    os.replace(temporary, path)


def load(path: Path) -> Examples:
    with np.load(path, allow_pickle=False) as stored:
        examples = Examples(**{name: stored[name].T for name in Examples._fields})
    if examples.observations.shape[1:] != (N_OBSERVED,):
        raise ValueError(f"{path} is of another layout of the observation")
    return examples


def play(
    weights: Path,
    folder: Path,
    settings: PlaySettings,
    name: str,
    seconds: float,
    log: Callable[[str], None],
) -> None:
    """Play until the time is up, a file after the other; the network is read anew when it changes.

    `name` makes the games and the files of this process differ from those of others.
    """
    folder.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + seconds
    for number in _numbers(folder, name):
        player = Player(load_policy(weights), settings, f"{name} {number}")
        games = [player.play(f"{name} {number} {game}") for game in range(settings.games)]
        save(joined(games), folder / f"{name}-{number}.npz")
        won = sum(float(game.outcomes[0, WIN]) for game in games)
        log(f"{name}-{number}: {len(games)} games, {won:g} won")
        if time.monotonic() > end:
            return


def _numbers(folder: Path, name: str) -> Iterator[int]:
    """Numbers of files that are not there yet."""
    number = 0
    while True:
        if not (folder / f"{name}-{number}.npz").exists():
            yield number
        number += 1
