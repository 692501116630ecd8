"""The game as OpenSpiel knows it. Importing this module registers it as ``python_coatl``.

>>> import pyspiel  # needs the extra coatl[openspiel]
>>> import coatl.env.openspiel
>>> game = pyspiel.load_game("python_coatl(players=3,promo=True)")
>>> solo = pyspiel.load_game("python_coatl(players=1,levels=135)")

Actions are the decisions of the rules (`coatl.rules.decisions`); every draw is a chance node, whose
actions are what it can yield (`coatl.env.draws`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from coatl.encode.layout import N_OBSERVED
from coatl.env.draws import DrawByDraw, result_text
from coatl.env.stepping import win_reward
from coatl.options import Options
from coatl.rules.chance import N_DRAWN
from coatl.rules.decisions import N_DECISIONS
from coatl.rules.state import MAX_PLAYERS

# More than any game has: every action uses up pieces or cards, of which there are a few hundred,
# and whoever can do nothing passes at most once between two actions of the others.
MOST_DECISIONS = 3000
MOST_DRAWS = 1000

PARAMETERS: dict[str, Any] = {
    "players": 2,  # 1 is solo
    "tokens": True,  # not in solo
    "promo": False,
    "fewer_bodies": False,
    "levels": 0,  # A.D.A.M.'s in solo as digits, such as 135; 0 is the base game
}


def _game_type(solo: bool) -> Any:
    """In solo there is nobody to lose what the player wins."""
    kinds = pyspiel.GameType
    return kinds(
        short_name="python_coatl",
        long_name="Cóatl",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if solo else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=MAX_PLAYERS,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


def _game_info(players: int) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=N_DECISIONS,
        max_chance_outcomes=N_DRAWN,
        num_players=players,
        min_utility=win_reward(0.0, players),
        max_utility=win_reward(1.0, players),
        utility_sum=None if players == 1 else 0.0,
        max_game_length=MOST_DECISIONS,
    )


class CoatlGame(pyspiel.Game):
    """Options of a table; `params` are those of `PARAMETERS`, which are checked."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = PARAMETERS | (params or {})
        self.options = _options(given)
        players = self.options.players
        super().__init__(_game_type(players == 1), _game_info(players), params or {})

    def new_initial_state(self) -> CoatlState:
        return CoatlState(self)

    def max_chance_nodes_in_history(self) -> int:
        return MOST_DRAWS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> CoatlObserver:
        """What a player sees now; there is no observer that remembers all it has seen."""
        if params:
            raise ValueError(f"an observer has no parameters, such as {params}")
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            raise ValueError("there is no observer with perfect recall")
        return CoatlObserver()


def _options(given: dict[str, Any]) -> Options:
    promo, fewer_bodies = given["promo"], given["fewer_bodies"]
    if given["players"] == 1:
        levels = [int(level) for level in str(given["levels"] or "")]
        return Options.make(1, False, levels, promo, fewer_bodies)
    if given["levels"]:
        raise ValueError("levels are for solo: players=1")
    return Options.make(given["players"], given["tokens"], None, promo, fewer_bodies)


class CoatlState(pyspiel.State):
    """A game under way; `played` is all of it, secrets included."""

    def __init__(self, game: CoatlGame) -> None:
        super().__init__(game)
        self.played = DrawByDraw(game.options)

    def current_player(self) -> int:
        if self.played.over:
            return int(pyspiel.PlayerId.TERMINAL)
        seat = self.played.seat
        return int(pyspiel.PlayerId.CHANCE) if seat is None else seat

    def is_terminal(self) -> bool:
        return self.played.over

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.played.state.legal) if player == self.played.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        odds = self.played.odds()
        size = sum(odds.values())
        return [(result, count / size) for result, count in odds.items()]

    def _apply_action(self, action: int) -> None:
        if self.played.odds():
            self.played.draw(action)
        else:
            self.played.decide(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return result_text(action)
        return self.played.state.move(action).text

    def returns(self) -> list[float]:
        players = self.played.options.players
        if not self.played.over:
            return [0.0] * players
        winners = self.played.state.winners()
        share = 1.0 / len(winners)
        return [win_reward(share if seat in winners else 0.0, players) for seat in range(players)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> CoatlState:
        """A state that agrees with everything a player has seen, each equally likely.

        Its history is empty: it has not been played to, but dealt as it is.
        """
        sampled = self.get_game().new_initial_state()
        sampled.played = self.played.sample(player, int(sampler() * (1 << 53)))
        return sampled

    def __str__(self) -> str:
        open_draw = " ".join(f"{result_text(r)}:{n}" for r, n in self.played.odds().items())
        position = self.played.state.position
        return f"{position}\nto be drawn: {open_draw}" if open_draw else position


class CoatlObserver:
    """What a player may know: the view as JSON, and the observation (docs/observation.md).

    The numbers are those of whoever is to move; for the others, at draws and at the end they are 0.
    """

    def __init__(self) -> None:
        self.tensor = np.zeros(N_OBSERVED, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: CoatlState, player: int) -> None:
        self.tensor.fill(0)
        if state.played.seat == player:
            self.tensor[:] = state.played.state.observation().values

    def string_from(self, state: CoatlState, player: int) -> str:
        return state.played.state.view(player).to_json().decode()


pyspiel.register_game(_game_type(solo=False), CoatlGame)
