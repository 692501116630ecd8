"""The game for one learner as a Gymnasium environment: solo, or against a bot.

Importing this module registers it as ``Coatl-v0``:

>>> import gymnasium
>>> import coatl.env.gym  # needs the extra coatl[env]
>>> env = gymnasium.make("Coatl-v0", solo=(1, 3))
>>> env = gymnasium.make("Coatl-v0", players=2, bot="greedy", render_mode="ansi")
>>> envs = gymnasium.make_vec("Coatl-v0", num_envs=8)  # `coatl.env.vector`
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
from gymnasium import spaces

from coatl.compiler.arguments import check_whole
from coatl.encode.meanings import N_ACTIONS
from coatl.env.batch import Batch
from coatl.env.rendering import MODES, check_mode, render_game
from coatl.env.rewards import ILLEGAL_REWARD, Rewards, reward_weights, set_rewards
from coatl.env.seats import choose_with_player
from coatl.env.spaces import Observation, nothing_to_see, observation_space
from coatl.options import Options
from coatl.players.base import Player
from coatl.players.registry import make_player
from coatl.rules.chance import new_chance

RANDOM = "random"  # the bot that a batch plays by itself
MAX_SEED = 1 << 62

gymnasium.register(
    "Coatl-v0",
    entry_point="coatl.env.gym:CoatlEnv",
    vector_entry_point="coatl.env.vector:CoatlVectorEnv",
)


class CoatlEnv(gymnasium.Env):
    """One seat of a game; the others are a bot's. Solo if `solo` gives levels (perhaps none).

    `rewards` is one of `coatl.env.rewards.REWARDS` or weights for `Batch.set_weights`.
    `action_mask` in observation and info says what is legal; after the end all of it is 0.
    """

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        players: int | None = None,
        bot: str = RANDOM,
        seat: int = 0,
        solo: Sequence[int] | None = None,
        tokens: bool | None = None,
        promo: bool = False,
        fewer_bodies: bool = False,
        rewards: Rewards = "win",
        render_mode: str | None = None,
    ) -> None:
        self.options = Options.make(players, tokens, solo, promo, fewer_bodies)
        check_seat(seat, self.options)
        check_mode(render_mode)
        reward_weights(rewards)
        self.bot, self.seat, self.rewards, self.render_mode = bot, seat, rewards, render_mode
        self.observation_space = observation_space()
        self.action_space = spaces.Discrete(N_ACTIONS)
        self._batch: Batch | None = None  # until `reset`
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        if self._batch is None or seed is not None:
            self._batch = self._new_batch(int(self.np_random.integers(MAX_SEED)))
            self._batch.reset()
        elif not self._over:  # otherwise the next game is dealt already
            self._batch.reset()
        self._let_bots_play(self._batch)
        self._over = False
        self._show()
        return self._observation(), self._info()

    def _new_batch(self, seed: int) -> Batch:
        seats = [self.seat] if self.bot == RANDOM else None
        batch = Batch([self.options], seed, seats=seats, keep_finals=self.render_mode is not None)
        set_rewards(batch, self.rewards)
        self._player = bot_player(self.bot, seed)
        return batch

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        batch = self._batch
        if batch is None or self._over:
            raise ValueError("no game is under way: call reset first")
        number = check_whole(action, "an action", 0, N_ACTIONS - 1)
        if not batch.masks[0, number]:
            info = self._info() | {"illegal": True}
            return self._observation(), ILLEGAL_REWARD, False, False, info
        batch.step([number])
        reward, self._over = float(batch.rewards[0, self.seat]), bool(batch.dones[0])
        if not self._over:
            reward += self._let_bots_play(batch)
        info = self._info()
        if self._over:
            info["points"] = batch.results["points"][0].copy()
        self._show()
        return self._observation(), reward, self._over, False, info

    def _let_bots_play(self, batch: Batch) -> float:
        """Until the seat is asked again or the game is over: its reward meanwhile."""
        reward, self._over = 0.0, False
        while batch.movers[0] != self.seat and not self._over:
            assert self._player is not None
            batch.step([choose_with_player(batch, 0, self._player)])
            reward += float(batch.rewards[0, self.seat])
            self._over = bool(batch.dones[0])
        return reward

    def _observation(self) -> Observation:
        if self._over or self._batch is None:
            return nothing_to_see()
        return {
            "observation": self._batch.observations[0].copy(),
            "action_mask": self._batch.masks[0].copy(),
        }

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._observation()["action_mask"]}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """What the learner's seat sees: text (`ansi`), an SVG document (`svg`), or printed."""
        if self._batch is None:
            raise ValueError("no game is under way: call reset first")
        return render_game(self._batch, 0, self.seat, self.render_mode, self._over)


def check_seat(seat: int, options: Options) -> None:
    if not 0 <= seat < options.players:
        raise ValueError(f"there is no seat {seat} at a table of {options.players}")


def bot_player(bot: str, seed: int) -> Player | None:
    """Who plays the other seats of a game; None is the batch, which plays at random."""
    return None if bot == RANDOM else make_player(bot, new_chance(f"{seed} bot"))
