"""The game for one learner as a Gymnasium environment: solo, or against a bot.

>>> from coatl.env.gym import CoatlEnv  # needs the extra coatl[env]
>>> env = CoatlEnv(solo=(1, 3))
>>> env = CoatlEnv(players=2, bot="greedy")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
from gymnasium import spaces

from coatl.compiler.arguments import check_whole
from coatl.encode.meanings import N_ACTIONS
from coatl.env.aec import Observation, observation_space
from coatl.env.batch import Batch
from coatl.env.seats import choose_with_player
from coatl.options import Options
from coatl.players.base import Player
from coatl.players.registry import make_player
from coatl.rules.chance import new_chance

ILLEGAL_REWARD = -0.01  # the reward of an illegal action, which changes nothing


class CoatlEnv(gymnasium.Env):
    """One seat of a game; the others are a bot's. Solo if `solo` gives levels (perhaps none).

    The reward comes at the end: 1 for winning alone, on average 0; solo 1 or -1. `action_mask` in
    observation and info says what is legal.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        players: int | None = None,
        bot: str = "random",
        seat: int = 0,
        solo: Sequence[int] | None = None,
        tokens: bool | None = None,
        promo: bool = False,
        fewer_bodies: bool = False,
    ) -> None:
        self.options = Options.make(players, tokens, solo, promo, fewer_bodies)
        if not 0 <= seat < self.options.players:
            raise ValueError(f"there is no seat {seat} at a table of {self.options.players}")
        self.bot, self.seat = bot, seat
        self.observation_space = observation_space()
        self.action_space = spaces.Discrete(N_ACTIONS)
        self._over = True  # until `reset`

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        number = int(self.np_random.integers(1 << 62))
        self._batch = Batch([self.options], number)
        self._player: Player = make_player(self.bot, new_chance(f"{number} bot"))
        self._batch.reset()
        self._over = False
        self._let_bots_play()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self._over:
            raise ValueError("no game is under way: call reset first")
        number = check_whole(action, "an action", 0, N_ACTIONS - 1)
        if not self._batch.masks[0, number]:
            info = self._info() | {"illegal": True}
            return self._observation(), ILLEGAL_REWARD, False, False, info
        self._batch.step([number])
        reward, over = float(self._batch.rewards[0, self.seat]), bool(self._batch.dones[0])
        if not over:
            more, over = self._let_bots_play()
            reward += more
        info, self._over = self._info(), over
        if over:
            info["points"] = self._batch.results["points"][0].tolist()
        return self._observation(), reward, over, False, info

    def _let_bots_play(self) -> tuple[float, bool]:
        """Until the seat is asked again or the game is over: its reward meanwhile, and if it is."""
        reward = 0.0
        while self._batch.movers[0] != self.seat:
            action = choose_with_player(self._batch, 0, self._player)
            self._batch.step([action])
            reward += float(self._batch.rewards[0, self.seat])
            if self._batch.dones[0]:
                return reward, True
        return reward, False

    def _observation(self) -> Observation:
        return {
            "observation": self._batch.observations[0].copy(),
            "action_mask": self._batch.masks[0].copy(),
        }

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._batch.masks[0].copy()}
