"""Many games for one learner in step, as a Gymnasium `VectorEnv` over a batch.

>>> import gymnasium
>>> import coatl.env.gym  # needs the extra coatl[env]
>>> envs = gymnasium.make_vec("Coatl-v0", num_envs=8, players=2)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from coatl.compiler.arguments import check_whole
from coatl.encode.meanings import N_ACTIONS
from coatl.env.batch import Batch
from coatl.env.gym import MAX_SEED, RANDOM, bot_player, check_seat
from coatl.env.rendering import MODES, check_mode, render_game
from coatl.env.rewards import ILLEGAL_REWARD, Rewards, reward_weights, set_rewards
from coatl.env.seats import choose_with_player
from coatl.env.spaces import Observation, nothing_to_see, observation_space
from coatl.env.stepping import ILLEGAL
from coatl.options import Options

Step = tuple[
    Observation,
    npt.NDArray[np.float64],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    dict[str, Any],
]


class CoatlVectorEnv(VectorEnv):
    """`num_envs` games that are those of as many `CoatlEnv` with the same seeds.

    A game that ends is followed by the next one in the same step; `final_obs` and `final_info` of
    the infos say how it ended. With ``copy=False`` the arrays returned are those of the batch,
    which the next step overwrites.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": list(MODES),
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        players: int | None = None,
        bot: str = RANDOM,
        seat: int = 0,
        solo: Sequence[int] | None = None,
        tokens: bool | None = None,
        promo: bool = False,
        fewer_bodies: bool = False,
        rewards: Rewards = "win",
        render_mode: str | None = None,
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        self.num_envs = check_whole(num_envs, "the number of games", 1)
        self.options = Options.make(players, tokens, solo, promo, fewer_bodies)
        check_seat(seat, self.options)
        check_mode(render_mode)
        reward_weights(rewards)
        self.bot, self.seat, self.rewards, self.render_mode = bot, seat, rewards, render_mode
        self.threads, self.copy = threads, copy
        self.single_observation_space = observation_space()
        self.single_action_space = spaces.Discrete(N_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._rows = np.arange(self.num_envs)
        self._batch: Batch | None = None  # until `reset`

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal all games anew; a number seeds them with itself and those that follow it."""
        if self._batch is None or seed is not None:
            self._batch = self._new_batch(self._seeds(seed))
        self._batch.reset()
        self._let_bots_play(self._batch, np.zeros(self.num_envs, np.bool_))
        observation = self._observation(self._batch)
        return observation, self._info(observation)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int]:
        """What each game's batch is seeded with in a `CoatlEnv` that is reset with these."""
        if seed is None or isinstance(seed, int | np.integer):
            first = None if seed is None else int(seed)
            seed = [None if first is None else first + place for place in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds for {self.num_envs} games")
        return [int(np_random(one)[0].integers(MAX_SEED)) for one in seed]

    def _new_batch(self, seeds: list[int]) -> Batch:
        batch = Batch(
            [self.options] * self.num_envs,
            seeds,
            self.threads,
            seats=[self.seat] * self.num_envs if self.bot == RANDOM else None,
        )
        set_rewards(batch, self.rewards)
        self._players = [bot_player(self.bot, seed) for seed in seeds]
        return batch

    def step(self, actions: Any) -> Step:
        batch = self._batch
        if batch is None:
            raise ValueError("no game is under way: call reset first")
        illegal = self._carry_out(batch, np.asarray(actions))
        rewards = batch.rewards[:, self.seat].astype(np.float64)
        dones = batch.dones > 0
        if self.bot != RANDOM:
            rewards += self._let_bots_play(batch, dones)
        observation = self._observation(batch)
        info = self._info(observation)
        if illegal is not None:
            rewards[illegal] = ILLEGAL_REWARD
            info |= {"illegal": illegal, "_illegal": illegal.copy()}
        if dones.any():
            info |= self._final_info(batch, dones)
        return observation, rewards, dones, np.zeros_like(dones), info

    def _carry_out(self, batch: Batch, actions: npt.NDArray[Any]) -> npt.NDArray[np.bool_] | None:
        """Step the games whose action is legal, and say which are not; None: all of them were."""
        try:
            batch.step(actions)
        except ValueError:  # nothing has changed
            legal = self._are_legal(batch, actions)
            batch.step(actions, legal)
            return ~legal
        return None

    def _are_legal(self, batch: Batch, actions: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Which of the actions are legal; raises if one of them is not an action at all."""
        if actions.shape != (self.num_envs,):
            raise ValueError(f"an action for each of {self.num_envs} games, not {actions.shape}")
        if actions.min() < 0 or actions.max() >= N_ACTIONS:
            raise ValueError(f"an action is from 0 to {N_ACTIONS - 1}")
        return batch.decisions[self._rows, actions] != ILLEGAL

    def _let_bots_play(self, batch: Batch, dones: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """Until the seat is asked everywhere; what that brought it before the end of its game.

        A game that ends is added to `dones`, and the next one goes on to the seat's first decision.
        """
        gained = np.zeros(self.num_envs)
        others = batch.movers != self.seat
        actions = np.zeros(self.num_envs, np.int16)
        while others.any():
            for game in np.flatnonzero(others):
                player = self._players[game]
                assert player is not None
                actions[game] = choose_with_player(batch, int(game), player)
            batch.step(actions, others)
            gained += np.where(dones, 0.0, batch.rewards[:, self.seat])
            dones |= batch.dones > 0
            others = batch.movers != self.seat
        return gained

    def _observation(self, batch: Batch) -> Observation:
        shown = {"observation": batch.observations, "action_mask": batch.masks}
        return {name: array.copy() for name, array in shown.items()} if self.copy else shown

    def _info(self, observation: Observation) -> dict[str, Any]:
        """The masks are those of the observation, not a copy of them."""
        masks = observation["action_mask"]
        return {"action_mask": masks, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _final_info(self, batch: Batch, dones: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """What Gymnasium wants to know of games that ended in this step."""
        final_obs = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(dones):
            final_obs[game] = nothing_to_see()
        masks = np.zeros((self.num_envs, N_ACTIONS), np.int8)
        points = np.where(dones[:, None], batch.results["points"], 0)
        final_info = {"points": points, "_points": dones.copy()}
        final_info |= {"action_mask": masks, "_action_mask": dones.copy()}
        return {
            "final_obs": final_obs,
            "_final_obs": dones.copy(),
            "final_info": final_info,
            "_final_info": dones.copy(),
        }

    def render(self) -> tuple[Any, ...] | None:
        """What the learner's seat sees of each game; they are never over, the next one follows."""
        batch = self._batch
        if batch is None:
            raise ValueError("no game is under way: call reset first")
        if self.render_mode is None:
            return None
        return tuple(
            render_game(batch, game, self.seat, self.render_mode, over=False)
            for game in range(self.num_envs)
        )
