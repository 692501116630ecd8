"""The door of the network: logits and values of one observation.

It trusts its arguments; `coatl.net.weights.Policy` and `coatl.players.network.Asker` check them.
"""

from __future__ import annotations

from coatl.compiler.arrays import FloatGrid, FloatRow, Int8Row
from coatl.compiler.jit import long_entry
from coatl.compiler.packages import describe
from coatl.compiler.records import Int64s
from coatl.net.layers import SizesArray, judge_actions, judge_values

describe(__name__, "the network", 5)


@long_entry
def evaluate(
    observation: Int8Row, weights: FloatRow, sizes: SizesArray, work: FloatGrid, rows: Int64s
) -> None:
    """Into the rows LOGITS and VALUES of `work`; `rows` is scratch."""
    place = judge_values(observation, weights, sizes[0], work, rows)
    judge_actions(weights, place, sizes[0], work, rows)
