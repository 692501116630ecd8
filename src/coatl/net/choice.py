"""Which network plays a game, with the room that it needs."""

from __future__ import annotations

from functools import cached_property

from coatl.net.layers import Network
from coatl.net.weights import Policy
from coatl.view import View


class NetworkChoice:
    """The networks of a policy, for one thread; the one for solo is made when it is needed."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.usual = policy.new_network()

    def of(self, view: View) -> Network:
        """The network for the game that a view is of."""
        policy = self._policy.for_game(int(view.known["n_players"][0]))
        return self.usual if policy is self._policy else self._solo

    @cached_property
    def _solo(self) -> Network:
        assert self._policy.solo is not None
        return self._policy.solo.new_network()
