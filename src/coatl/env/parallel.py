"""The game as a PettingZoo parallel environment: all agents act at once, all but one by waiting.

>>> from coatl.env.parallel import WAIT, CoatlParallel  # needs the extra coatl[env]
>>> env = CoatlParallel(players=3)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from coatl.compiler.arguments import check_whole
from coatl.encode.meanings import N_ACTIONS
from coatl.env.batch import Batch
from coatl.env.rendering import MODES, check_mode, render_game
from coatl.env.rewards import ILLEGAL_REWARD, Rewards, reward_weights, set_rewards
from coatl.env.spaces import Observation, nothing_to_see, observation_space
from coatl.options import Options

WAIT = N_ACTIONS  # the one legal action of an agent that is not asked

Step = tuple[
    dict[str, Observation],
    dict[str, float],
    dict[str, bool],
    dict[str, bool],
    dict[str, dict[str, Any]],
]


class CoatlParallel(ParallelEnv):
    """2 to 4 players, of whom one decides in each step; the masks of the others allow WAIT alone.

    Actions, rewards and observations are otherwise those of `CoatlAEC`. Agents that wait see what
    they saw at their latest decision; before their first, and after the end, it is all zero. What
    they do does not matter. An illegal action of the agent that is asked changes nothing and is
    rewarded with `ILLEGAL_REWARD`.
    """

    metadata = {"name": "coatl_v1", "render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        players: int = 2,
        tokens: bool = True,
        promo: bool = False,
        fewer_bodies: bool = False,
        rewards: Rewards = "win",
        render_mode: str | None = None,
    ) -> None:
        check_mode(render_mode)
        reward_weights(rewards)
        self.render_mode, self._rewards = render_mode, rewards
        self.options = Options.make(players, tokens, None, promo, fewer_bodies)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.observation_spaces = {
            agent: observation_space(N_ACTIONS + 1) for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(N_ACTIONS + 1) for agent in self.possible_agents
        }
        self._random = np.random.default_rng()
        self.agents: list[str] = []  # until `reset`

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._batch = Batch([self.options], int(self._random.integers(1 << 62)), keep_finals=True)
        set_rewards(self._batch, self._rewards)
        self._batch.reset()
        self.agents = self.possible_agents[:]
        self._seen = [nothing_to_see()["observation"] for _ in self.agents]
        self._show()
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> Step:
        """Of these the one that counts is that of the agent that is asked."""
        agents = self.agents
        if not agents:
            raise ValueError("no game is under way: call reset first")
        mover, number = self._chosen(actions)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        rewards, over = dict.fromkeys(agents, 0.0), False
        if number == WAIT or not self._batch.masks[0, number]:
            rewards[mover], infos[mover] = ILLEGAL_REWARD, {"illegal": True}
        else:
            self._batch.step([number])
            gained, over = self._batch.rewards[0].tolist(), bool(self._batch.dones[0])
            rewards = dict(zip(agents, gained, strict=False))
        if over:
            points = self._batch.results["points"][0].tolist()
            infos = {agent: {"points": points[seat]} for seat, agent in enumerate(agents)}
            self.agents = []
        self._show()
        ended, cut = dict.fromkeys(agents, over), dict.fromkeys(agents, False)
        return self._observations(), rewards, ended, cut, infos

    def _chosen(self, actions: dict[str, int]) -> tuple[str, int]:
        """The agent that is asked, and its action, which need not be legal."""
        mover = self.agents[int(self._batch.movers[0])]
        if mover not in actions:
            raise ValueError(f"{mover} is asked, and has no action")
        return mover, check_whole(actions[mover], "an action", 0, N_ACTIONS)

    def _observations(self) -> dict[str, Observation]:
        if not self.agents:
            return {agent: nothing_to_see(N_ACTIONS + 1) for agent in self.possible_agents}
        mover = int(self._batch.movers[0])
        self._seen[mover] = self._batch.observations[0].copy()
        masks = np.zeros((len(self.agents), N_ACTIONS + 1), np.int8)
        masks[:, WAIT] = 1
        masks[mover, WAIT] = 0
        masks[mover, :N_ACTIONS] = self._batch.masks[0]
        return {
            agent: {"observation": self._seen[seat].copy(), "action_mask": masks[seat]}
            for seat, agent in enumerate(self.agents)
        }

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """What the seat to move sees: text (`ansi`), an SVG document (`svg`), or printed."""
        if not hasattr(self, "_batch"):
            raise ValueError("no game is under way: call reset first")
        over = not self.agents
        seat = None if over else int(self._batch.movers[0])
        return render_game(self._batch, 0, seat, self.render_mode, over)

    def close(self) -> None:
        """Nothing is held open."""
