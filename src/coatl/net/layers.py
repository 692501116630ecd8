"""The network in compiled code: the same sums as `coatl.learn.net`, one observation at a time.

Most inputs of a matrix product are zero (flags of the observation, what ReLU cut off). Adding up
only the rows of the others is quicker than a library's matrix product, whatever the size of a
batch; so there are no batches, no library and no second thread.

Reading the weights from memory takes longest, so those of matrices are whole numbers of one byte
(`net.weights` rounds them), as [input, output]: what an input is multiplied by first, the scale of
its row, is a number among the biases. All layers lie one after another in two arrays. Each is told
where its weights begin, and returns where those of the next do.
"""

from __future__ import annotations

import math
from typing import NamedTuple

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


SizesArray = RecordArray[Sizes]

# Rows of the activations, each `ROOM` long.
X, SEEN, CELLS, HALF, TRUNK, NORMED, INNER, LOGITS, VALUES, FACTORS = range(10)
N_ROWS = 10
ROOM = at.N_OBSERVED + 8


class Network(NamedTuple):
    """A network, and the room that one pass through it needs; for one thread at a time."""

    matrices: Int8Row  # weights of matrices, in units of the scale of their row
    vectors: FloatRow  # of a matrix the biases and the scales; of a layer norm weights and biases
    sizes: SizesArray
    activations: FloatGrid
    factor_rows: Int64s  # where the rows of a matrix begin whose factors are not zero


class Place(NamedTuple):
    """Where the weights of a layer begin in both arrays."""

    matrix: int
    vector: int


class Span(NamedTuple):
    """A part of a row of the activations."""

    row: int
    first: int
    size: int


# What a matrix product does with the span it goes to.
SET = 0  # it begins as the bias
ADD = 1  # bias and product are added to what is there
ADD_WITHOUT_BIAS = 2  # there is no bias: the product is added


@kernel
def relu(out: FloatRow, n: int) -> None:
    for j in range(n):
        out[j] = max(out[j], _ZERO)


@kernel
def linear(network: Network, place: Place, source: Span, target: Span, mode: int) -> Place:
    """The span `source` times a matrix, into `target`; the place after its weights."""
    first, n_out, scales = target.first, target.size, place.vector
    into = network.activations[target.row]
    if mode != ADD_WITHOUT_BIAS:
        for j in range(n_out):
            before = into[first + j] if mode == ADD else _ZERO
            into[first + j] = before + network.vectors[place.vector + j]
        scales += n_out
    n = list_factors(network, place.matrix, scales, source, n_out)
    rows, factors = network.factor_rows, network.activations[FACTORS]
    for at_row in range(0, n, 8):
        add_eight_rows(network.matrices, rows, factors, at_row, into[first : first + n_out], n_out)
    return Place(place.matrix + source.size * n_out, scales + source.size)


@kernel
def list_factors(network: Network, matrix: int, scales: int, source: Span, n_out: int) -> int:
    """Where the rows of a matrix begin that count, and their factors; how many, a multiple of 8."""
    x, rows, factors = (
        network.activations[source.row],
        network.factor_rows,
        network.activations[FACTORS],
    )
    n = 0
    for k in range(source.size):
        if x[source.first + k] != _ZERO:
            rows[n] = matrix + k * n_out
            factors[n] = x[source.first + k] * network.vectors[scales + k]
            n += 1
    while n % 8 != 0:
        rows[n] = matrix
        factors[n] = _ZERO
        n += 1
    return n


@fast_kernel
def add_eight_rows(
    weights: Int8Row, rows: Int64s, factors: FloatRow, at_row: int, into: FloatRow, n: int
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
            f0 * np.float32(w0[j])
            + f1 * np.float32(w1[j])
            + f2 * np.float32(w2[j])
            + f3 * np.float32(w3[j])
            + f4 * np.float32(w4[j])
            + f5 * np.float32(w5[j])
            + f6 * np.float32(w6[j])
            + f7 * np.float32(w7[j])
        )


@kernel
def layer_norm(vectors: FloatRow, place: Place, x: FloatRow, out: FloatRow, n: int) -> Place:
    """Returns the place after its weights and biases."""
    total, squares, first = 0.0, 0.0, place.vector
    for j in range(n):
        total += float(x[j])
    mean = total / n
    for j in range(n):
        squares += (float(x[j]) - mean) * (float(x[j]) - mean)
    factor = np.float32(1.0 / math.sqrt(squares / n + _EPSILON))
    middle = np.float32(mean)
    for j in range(n):
        out[j] = (x[j] - middle) * factor * vectors[first + j] + vectors[first + n + j]
    return Place(place.matrix, first + 2 * n)


@kernel
def read_parts(network: Network) -> Place:
    """The other seats and the open Cóatl, each by the same weights; the place after those."""
    size, activations = network.sizes[0], network.activations
    width, other = int(size.open_width), int(size.other_width)
    begin, place, after = at.OTHERS, Place(0, 0), Place(0, 0)
    for k in range(at.N_OTHERS):
        seat, target = Span(X, begin, at.OTHER_SIZE), Span(SEEN, k * other, other)
        after = linear(network, place, seat, target, SET)
        begin += at.OTHER_SIZE
    relu(activations[SEEN], at.N_OTHERS * other)
    place = after
    for k in range(MAX_INCOMPLETE):
        coatl, target = Span(X, begin, at.OPEN_SIZE), Span(HALF, k * width, width)
        after = linear(network, place, coatl, target, SET)
        begin += at.OPEN_SIZE
    relu(activations[HALF], MAX_INCOMPLETE * width)
    place = after
    for k in range(MAX_INCOMPLETE):
        half, target = Span(HALF, k * width, width), Span(CELLS, k * width, width)
        after = linear(network, place, half, target, SET)
    relu(activations[CELLS], MAX_INCOMPLETE * width)
    return after


@kernel
def join_parts(network: Network, place: Place) -> Place:
    """Table and parts into the trunk, and through its blocks; the place after all that."""
    size, activations, vectors = network.sizes[0], network.activations, network.vectors
    n = int(size.width)
    seen, cells = at.N_OTHERS * int(size.other_width), MAX_INCOMPLETE * int(size.open_width)
    trunk, normed, inner = Span(TRUNK, 0, n), Span(NORMED, 0, n), Span(INNER, 0, n)
    place = linear(network, place, Span(X, 0, at.OTHERS), trunk, SET)
    place = linear(network, place, Span(SEEN, 0, seen), trunk, ADD_WITHOUT_BIAS)
    place = linear(network, place, Span(CELLS, 0, cells), trunk, ADD_WITHOUT_BIAS)
    relu(activations[TRUNK], n)
    for _ in range(size.blocks):
        place = layer_norm(vectors, place, activations[TRUNK], activations[NORMED], n)
        place = linear(network, place, normed, inner, SET)
        relu(activations[INNER], n)
        place = linear(network, place, inner, trunk, ADD)
    place = layer_norm(vectors, place, activations[TRUNK], activations[NORMED], n)
    relu(activations[NORMED], n)
    return place


@kernel
def compute_values(network: Network, observation: Int8Row) -> Place:
    """The values of an observation, into the row VALUES; the place of the policy's weights."""
    for i in range(at.N_USED):
        network.activations[X, i] = observation[i]
    n, hidden = int(network.sizes[0].width), int(network.sizes[0].value_width)
    inner = Span(INNER, 0, hidden)
    place = join_parts(network, read_parts(network))
    place = linear(network, place, Span(NORMED, 0, n), inner, SET)
    relu(network.activations[INNER], hidden)
    return linear(network, place, inner, Span(VALUES, 0, N_VALUES), SET)


@kernel
def compute_logits(network: Network, place: Place) -> None:
    """Logits of all actions, into the row LOGITS, after `compute_values`."""
    n, width = int(network.sizes[0].width), int(network.sizes[0].open_width)
    normed = Span(NORMED, 0, n)
    place = linear(network, place, normed, Span(LOGITS, 0, OPEN), SET)
    place = linear(network, place, normed, Span(INNER, 0, width), SET)
    for k in range(MAX_INCOMPLETE):
        compute_open_logits(network, place, k, width)


@kernel
def compute_open_logits(network: Network, place: Place, k: int, width: int) -> None:
    """What can be done to an open Cóatl, from the trunk (in INNER) and from that Cóatl."""
    activations, half = network.activations, Span(HALF, 0, width)
    for j in range(width):
        activations[HALF, j] = activations[INNER, j]
    place = linear(network, place, Span(CELLS, k * width, width), half, ADD_WITHOUT_BIAS)
    relu(activations[HALF], width)
    logits = Span(LOGITS, OPEN + k * OPEN_ACTIONS, OPEN_ACTIONS)
    linear(network, place, half, logits, SET)
