"""The game as a PettingZoo AEC environment: agents take turns, each sees what its seat may know.

>>> from coatl.env.aec import CoatlAEC  # needs the extra coatl[env]
>>> env = CoatlAEC(players=3)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from coatl.compiler.arguments import check_whole
from coatl.encode.meanings import N_ACTIONS, action_text
from coatl.env.batch import Batch
from coatl.env.rendering import MODES, check_mode, render_game
from coatl.env.rewards import Rewards, reward_weights, set_rewards
from coatl.env.spaces import Observation, nothing_to_see, observation_space
from coatl.options import Options


class CoatlAEC(AECEnv):
    """2 to 4 players. `rewards` is one of `coatl.env.rewards.REWARDS` or weights for a batch.

    Decisions with one possible action are made for the players. An agent's observation is that of
    its latest decision; before its first, and after the end, it is all zero. `coatl.env.parallel`
    has the same game for those who want all agents to act at once.
    """

    metadata = {  # noqa: RUF012
        "name": "coatl_v1",
        "is_parallelizable": False,
        "render_modes": list(MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        players: int = 2,
        tokens: bool = True,
        promo: bool = False,
        fewer_bodies: bool = False,
        rewards: Rewards = "win",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_mode(render_mode)
        reward_weights(rewards)
        self.render_mode, self._rewards = render_mode, rewards
        self.options = Options.make(players, tokens, None, promo, fewer_bodies)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(N_ACTIONS) for agent in self.possible_agents}
        self._random = np.random.default_rng()
        self.agents: list[str] = []  # until `reset`

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._batch = Batch([self.options], int(self._random.integers(1 << 62)), keep_finals=True)
        set_rewards(self._batch, self._rewards)
        self._batch.reset()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._seen = {agent: nothing_to_see() for agent in self.agents}
        self._over = False
        self._ask()
        self._show()

    def observe(self, agent: str) -> Observation:
        return self._seen[agent]

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise ValueError("no game is under way: call reset first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = check_whole(action, "an action", 0, N_ACTIONS - 1)
        if not self._batch.masks[0, number]:
            raise ValueError(f"{agent} may not do that now: {action_text(number)}")
        self._batch.step([number])
        self._cumulative_rewards[agent] = 0.0
        for seat, name in enumerate(self.agents):
            self.rewards[name] = float(self._batch.rewards[0, seat])
        if self._batch.dones[0]:
            self._end()
        else:
            self._seen[agent]["action_mask"] = np.zeros(N_ACTIONS, np.int8)
            self._ask()
        self._accumulate_rewards()
        self._show()

    def _ask(self) -> None:
        """Whose decision comes next, and what it sees."""
        self.agent_selection = self.possible_agents[int(self._batch.movers[0])]
        self._seen[self.agent_selection] = {
            "observation": self._batch.observations[0].copy(),
            "action_mask": self._batch.masks[0].copy(),
        }

    def _end(self) -> None:
        self._over = True
        points = self._batch.results["points"][0].tolist()
        for seat, agent in enumerate(self.agents):
            self.terminations[agent] = True
            self.infos[agent] = {"points": points[seat]}
            self._seen[agent] = nothing_to_see()
        self.agent_selection = self.agents[0]

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """What the seat to move sees: text (`ansi`), an SVG document (`svg`), or printed."""
        if not hasattr(self, "_batch"):
            raise ValueError("no game is under way: call reset first")
        seat = None if self._over else int(self._batch.movers[0])
        return render_game(self._batch, 0, seat, self.render_mode, self._over)

    def close(self) -> None:
        """Nothing is held open."""
