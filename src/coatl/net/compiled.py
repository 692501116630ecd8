"""The entry of the network: logits and values of one observation.

It trusts its arguments; `coatl.net.weights.Policy` and `coatl.players.network.ViewEvaluator` check
them.
"""

from __future__ import annotations

from coatl.compiler.arrays import Int8Row
from coatl.compiler.jit import long_entry
from coatl.compiler.packages import describe
from coatl.net.layers import Network, compute_logits, compute_values

describe(__name__, "the network", 5)


@long_entry
def evaluate(network: Network, observation: Int8Row) -> None:
    """Into the rows LOGITS and VALUES of the network's activations."""
    compute_logits(network, compute_values(network, observation))
