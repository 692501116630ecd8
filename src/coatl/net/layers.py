"""The network in compiled code: the same sums as `coatl.learn.net`, one observation at a time.

Most numbers that meet a matrix are zero (flags of the observation, what ReLU cut off). Adding up
the rows of the others only is quicker than a library's matrix product, whatever the size of a
batch; so there are no batches, no library and no second thread.

The weights lie one after another in one row, matrices as [input, output] (`net.weights`).
"""

from __future__ import annotations

import math

import numpy as np

from coatl.compiler.arrays import FloatGrid, FloatRow, Int8Row
from coatl.compiler.functions import fast_kernel, kernel
from coatl.compiler.records import Int64, Int64s, RecordArray
from coatl.encode import layout as at
from coatl.encode.meanings import OPEN, OPEN_ACTIONS
from coatl.rules.state import MAX_INCOMPLETE

MAX_WIDTH = 1024  # of any layer
N_VALUES = 3
REWARD, WIN, POINTS = 0, 1, 2  # the values
_EPSILON = 1e-5  # of layer norms
_ZERO = np.float32(0)


class Sizes:
    """Widths of a network (`coatl.learn.settings.NetSize`)."""

    width: Int64
    blocks: Int64
    open_width: Int64
    other_width: Int64
    value_width: Int64


# Rows of the working space of one pass through the network, each `ROOM` long.
X, SEEN, CELLS, HALF, TRUNK, NORMED, INNER, LOGITS, VALUES, FACTORS = range(10)
N_ROWS = 10
ROOM = at.N_OBSERVED + 8


SizesArray = RecordArray[Sizes]
# What happens to the place a product goes to.
SET = 0  # it begins as the bias
ADD = 1  # the bias is added, too
PLAIN = 2  # there is no bias


@kernel
def relu(out: FloatRow, n: int) -> None:
    for j in range(n):
        out[j] = max(out[j], _ZERO)


@kernel
def linear(
    weights: FloatRow,
    place: int,
    work: FloatGrid,
    rows: Int64s,
    source: int,
    begin: int,
    n_in: int,
    target: int,
    first: int,
    n_out: int,
    mode: int,
) -> int:
    """A part of row `source` times a matrix, to a part of row `target`; the place after it."""
    into = work[target]
    if mode != PLAIN:
        for j in range(n_out):
            before = into[first + j] if mode == ADD else _ZERO
            into[first + j] = before + weights[place + j]
        place += n_out
    x, factors = work[source], work[FACTORS]
    n = 0
    for k in range(n_in):
        if x[begin + k] != _ZERO:
            rows[n] = place + k * n_out
            factors[n] = x[begin + k]
            n += 1
    while n % 8 != 0:
        rows[n] = place
        factors[n] = _ZERO
        n += 1
    for at_row in range(0, n, 8):
        add_eight_rows(weights, rows, factors, at_row, into[first : first + n_out], n_out)
    return place + n_in * n_out


@fast_kernel
def add_eight_rows(
    weights: FloatRow, rows: Int64s, factors: FloatRow, at_row: int, into: FloatRow, n: int
) -> None:
    f = factors[at_row : at_row + 8]
    f0, f1, f2, f3, f4, f5, f6, f7 = f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]
    w0 = weights[rows[at_row] : rows[at_row] + n]
    w1 = weights[rows[at_row + 1] : rows[at_row + 1] + n]
    w2 = weights[rows[at_row + 2] : rows[at_row + 2] + n]
    w3 = weights[rows[at_row + 3] : rows[at_row + 3] + n]
    w4 = weights[rows[at_row + 4] : rows[at_row + 4] + n]
    w5 = weights[rows[at_row + 5] : rows[at_row + 5] + n]
    w6 = weights[rows[at_row + 6] : rows[at_row + 6] + n]
    w7 = weights[rows[at_row + 7] : rows[at_row + 7] + n]
    for j in range(n):
        into[j] += (
            f0 * w0[j]
            + f1 * w1[j]
            + f2 * w2[j]
            + f3 * w3[j]
            + f4 * w4[j]
            + f5 * w5[j]
            + f6 * w6[j]
            + f7 * w7[j]
        )


@kernel
def layer_norm(weights: FloatRow, place: int, x: FloatRow, out: FloatRow, n: int) -> int:
    """The place after its weights and biases."""
    total, squares = 0.0, 0.0
    for j in range(n):
        total += float(x[j])
    mean = total / n
    for j in range(n):
        squares += (float(x[j]) - mean) * (float(x[j]) - mean)
    factor = np.float32(1.0 / math.sqrt(squares / n + _EPSILON))
    middle = np.float32(mean)
    for j in range(n):
        out[j] = (x[j] - middle) * factor * weights[place + j] + weights[place + n + j]
    return place + 2 * n


@kernel
def read_parts(weights: FloatRow, size: Sizes, work: FloatGrid, rows: Int64s) -> int:
    """The other seats and the open Cóatl, each by the same weights; the place after those."""
    width, other = int(size.open_width), int(size.other_width)
    begin, place, after = at.OTHERS, 0, 0
    for k in range(at.N_OTHERS):
        to = k * other
        after = linear(weights, place, work, rows, X, begin, at.OTHER_SIZE, SEEN, to, other, SET)
        begin += at.OTHER_SIZE
    relu(work[SEEN], at.N_OTHERS * other)
    place = after
    for k in range(MAX_INCOMPLETE):
        to = k * width
        after = linear(weights, place, work, rows, X, begin, at.OPEN_SIZE, HALF, to, width, SET)
        begin += at.OPEN_SIZE
    relu(work[HALF], MAX_INCOMPLETE * width)
    place = after
    for k in range(MAX_INCOMPLETE):
        to = k * width
        after = linear(weights, place, work, rows, HALF, to, width, CELLS, to, width, SET)
    relu(work[CELLS], MAX_INCOMPLETE * width)
    return after


@kernel
def join_parts(weights: FloatRow, place: int, size: Sizes, work: FloatGrid, rows: Int64s) -> int:
    """Table and parts into the trunk, and through its blocks; the place after all that."""
    n = int(size.width)
    seen, cells = at.N_OTHERS * int(size.other_width), MAX_INCOMPLETE * int(size.open_width)
    place = linear(weights, place, work, rows, X, 0, at.OTHERS, TRUNK, 0, n, SET)
    place = linear(weights, place, work, rows, SEEN, 0, seen, TRUNK, 0, n, PLAIN)
    place = linear(weights, place, work, rows, CELLS, 0, cells, TRUNK, 0, n, PLAIN)
    relu(work[TRUNK], n)
    for _ in range(size.blocks):
        place = layer_norm(weights, place, work[TRUNK], work[NORMED], n)
        place = linear(weights, place, work, rows, NORMED, 0, n, INNER, 0, n, SET)
        relu(work[INNER], n)
        place = linear(weights, place, work, rows, INNER, 0, n, TRUNK, 0, n, ADD)
    place = layer_norm(weights, place, work[TRUNK], work[NORMED], n)
    relu(work[NORMED], n)
    return place


@kernel
def judge_values(
    observation: Int8Row, weights: FloatRow, size: Sizes, work: FloatGrid, rows: Int64s
) -> int:
    """The values of an observation, into that row of `work`; the place of the policy's weights."""
    for i in range(at.N_USED):
        work[X, i] = observation[i]
    n, hidden = int(size.width), int(size.value_width)
    place = read_parts(weights, size, work, rows)
    place = join_parts(weights, place, size, work, rows)
    place = linear(weights, place, work, rows, NORMED, 0, n, INNER, 0, hidden, SET)
    relu(work[INNER], hidden)
    return linear(weights, place, work, rows, INNER, 0, hidden, VALUES, 0, N_VALUES, SET)


@kernel
def judge_actions(
    weights: FloatRow, place: int, size: Sizes, work: FloatGrid, rows: Int64s
) -> None:
    """Logits of all actions, into that row of `work`, after `judge_values`."""
    n, width = int(size.width), int(size.open_width)
    place = linear(weights, place, work, rows, NORMED, 0, n, LOGITS, 0, OPEN, SET)
    place = linear(weights, place, work, rows, NORMED, 0, n, INNER, 0, width, SET)
    for k in range(MAX_INCOMPLETE):
        judge_open(weights, place, k, width, work, rows)


@kernel
def judge_open(
    weights: FloatRow, place: int, k: int, width: int, work: FloatGrid, rows: Int64s
) -> None:
    """What can be done to an open Cóatl, judged from the trunk (`INNER`) and that Cóatl."""
    for j in range(width):
        work[HALF, j] = work[INNER, j]
    place = linear(weights, place, work, rows, CELLS, k * width, width, HALF, 0, width, PLAIN)
    relu(work[HALF], width)
    to = OPEN + k * OPEN_ACTIONS
    linear(weights, place, work, rows, HALF, 0, width, LOGITS, to, OPEN_ACTIONS, SET)
