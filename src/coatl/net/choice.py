"""Which network plays a game, with the room that it needs."""

from __future__ import annotations

from coatl.net.layers import Network
from coatl.net.weights import Policy
from coatl.view import View


class NetworkChoice:
    """The networks of a policy, for one thread; all but the usual one are made when needed."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.usual = policy.new_network()
        self._others: dict[int, Network] = {}  # by number of players

    def of(self, view: View) -> Network:
        """The network for the game that a view is of."""
        players = int(view.known["n_players"][0])
        policy = self._policy.for_game(players)
        if policy is self._policy:
            return self.usual
        if players not in self._others:
            self._others[players] = policy.new_network()
        return self._others[players]
