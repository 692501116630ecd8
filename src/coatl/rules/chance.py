"""Chance: a ChaCha8 generator and, before it, an optional script of forced draws.

Chance is not part of the state; who holds a state does not hold the future. A seed means the same
game on every machine and in every version, so the stream is fixed here, once and for all:

* The block function is ChaCha (D. J. Bernstein) with 8 rounds: 256-bit key, 64-bit block counter
  from 0 in words 12-13, 64-bit stream number in words 14-15. A block gives its 16 words in order.
* ``below(n)`` maps a word ``x`` to ``x * n >> 32`` and takes the next word instead whenever
  ``x * n mod 2**32 < 2**32 mod n`` (Lemire), so that every result is equally likely.
* A draw from a pool takes ``r = below(size of the pool)`` and walks the counts in the order of
  kinds or card ids until ``r`` pieces or cards have been passed.
* The key of a seed is the SHA-256 of its text (`seed_key`).

Sums are formed in 64 bits and cut to 32, so that plain Python and compiled code agree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Annotated, cast

import numpy as np

from coatl.compiler.arguments import check_array, check_seed, check_whole
from coatl.compiler.functions import kernel
from coatl.compiler.jit import side_entry
from coatl.compiler.records import (
    Int8,
    Int8s,
    Int16,
    Int16s,
    Int64s,
    RecordArray,
    UInt32,
    UInt32s,
    UInt64,
    dtype_of,
    record_array,
)

ROUNDS = 8
MAX_ROUNDS = 20  # ChaCha as it is published; ours are fewer
WORDS = 16
MAX_STREAM = (1 << 64) - 1
MAX_BELOW = (1 << 32) - 1  # a draw takes a word
MAX_SCRIPT = 512
MAX_DRAWN = 64  # power of two; more than one decision can draw

# What a draw can yield, in one numbering (script and log of draws).
PIECE_DRAWN = 0  # + kind
CARD_DRAWN = 16  # + Prophecy card id
TEMPLE_DRAWN = 80  # + Temple card id
N_DRAWN = 112

_MASK = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_C0, _C1 = np.uint32(0x61707865), np.uint32(0x3320646E)  # "expand 32-byte k"
_C2, _C3 = np.uint32(0x79622D32), np.uint32(0x6B206574)
_16, _12, _8, _7 = np.uint32(16), np.uint32(12), np.uint32(8), np.uint32(7)
_20, _24, _25 = np.uint32(20), np.uint32(24), np.uint32(25)
_ONE = np.uint64(1)


class Chance:
    """A generator with its place in the stream, the script before it, and the latest draws."""

    key: Annotated[UInt32s, 8]
    stream: UInt64
    counter: UInt64  # of the next block
    used: Int8  # words of `block` already given out
    misfit: Int8  # 1: a scripted draw was impossible where it stood, and chance decided
    n_script: Int16
    script_at: Int16
    n_drawn: Int16
    looks: Int8  # 1: note what the first draw after the script is made from; 2: it is noted
    block: Annotated[UInt32s, WORDS]
    drawn: Annotated[Int16s, MAX_DRAWN]  # the latest results, as a ring
    script: Annotated[Int16s, MAX_SCRIPT]
    offered: Annotated[Int8s, N_DRAWN]  # how many of each result that draw could yield


CHANCE = dtype_of(Chance)
Chances = RecordArray[Chance]


def new_chance(seed: int | str | bytes, stream: int = 0, script: Sequence[int] = ()) -> Chances:
    """A generator for `seed`: 32 bytes are the key itself, anything else is hashed to one."""
    chances = record_array(Chance, 1)
    chance = chances[0]
    key = seed if isinstance(seed, bytes) else seed_key(seed)
    if len(key) != 32:
        raise ValueError(f"a key has 32 bytes, not {len(key)}")
    chance.key[:] = np.frombuffer(key, "<u4")
    chance.stream = np.uint64(check_whole(stream, "a stream", 0, MAX_STREAM))
    chance.used = WORDS
    set_script(chances, script)
    return chances


def join_chances(chances: Sequence[Chances]) -> Chances:
    """Several generators in one array, such as one a seat."""
    return cast("Chances", np.concatenate(chances))


def seed_key(seed: int | str) -> bytes:
    check_seed(seed)
    return hashlib.sha256(f"coatl seed {seed}".encode()).digest()


def set_script(chances: Chances, script: Sequence[int]) -> None:
    """Let the next draws yield `script`: PIECE_DRAWN + kind, CARD_DRAWN + id and so on."""
    if len(script) > MAX_SCRIPT:
        raise ValueError(f"a script has at most {MAX_SCRIPT} draws, not {len(script)}")
    draws = [check_whole(drawn, "a draw", 0, N_DRAWN - 1) for drawn in script]
    check_chances(chances)
    chance = chances[0]
    chance.script[: len(draws)] = draws
    chance.n_script = len(script)
    chance.script_at = 0
    chance.misfit = 0


def look_ahead(chances: Chances, script: Sequence[int] = ()) -> None:
    """Let the next draws yield `script`, and note what the first one after them is made from."""
    set_script(chances, script)
    chances["looks"] = LOOKS
    chances["offered"] = 0


def offered_draw(chances: Chances) -> dict[int, int] | None:
    """How many of each result the first draw after the script could yield; None: there was none.

    What `look_ahead` asked for. Each piece or card is equally likely, so these are the odds.
    """
    if chances["looks"][0] != NOTED:
        return None
    counts = chances["offered"][0]
    return {int(result): int(counts[result]) for result in np.flatnonzero(counts)}


def numbers_below(chances: Chances, n: int, out: Int64s) -> None:
    """Fill `out` with whole numbers from 0 to `n` - 1, each equally likely."""
    bound = check_whole(n, "what the numbers are below", 1, MAX_BELOW)
    check_chances(chances)
    _check_out(out)
    fill_below(chances, bound, out)


def words(chances: Chances, rounds: int, out: Int64s) -> None:
    """Fill `out` with the words of the next blocks, for tests of the generator."""
    number = check_whole(rounds, "the number of rounds", 0, MAX_ROUNDS)
    check_chances(chances)
    _check_out(out)
    fill_words(chances, number, out)


def check_chances(chances: Chances) -> None:
    """Raises TypeError or ValueError if compiled code cannot draw from these."""
    if not isinstance(chances, np.ndarray) or chances.dtype != CHANCE or chances.ndim != 1:
        raise TypeError("chances are made with new_chance")
    if not len(chances):
        raise ValueError("there is no generator to draw from")
    if not (chances.flags.writeable and chances.flags.c_contiguous):
        raise ValueError("chances are a writeable array in C order")


def _check_out(out: Int64s) -> None:
    check_array(out, "the array for the numbers", np.shape(out)[:1], np.int64)


@kernel
def add(a: UInt32, b: UInt32) -> UInt32:
    return np.uint32((np.uint64(a) + np.uint64(b)) & _MASK)


@kernel
def quarter_round(
    a: UInt32, b: UInt32, c: UInt32, d: UInt32
) -> tuple[UInt32, UInt32, UInt32, UInt32]:
    a = add(a, b)
    d = np.uint32(d ^ a)
    d = np.uint32((d << _16) | (d >> _16))
    c = add(c, d)
    b = np.uint32(b ^ c)
    b = np.uint32((b << _12) | (b >> _20))
    a = add(a, b)
    d = np.uint32(d ^ a)
    d = np.uint32((d << _8) | (d >> _24))
    c = add(c, d)
    b = np.uint32(b ^ c)
    b = np.uint32((b << _7) | (b >> _25))
    return a, b, c, d


@kernel
def next_block(chance: Chance, rounds: int) -> None:
    """The ChaCha block at `counter`, into `block`."""
    key = chance.key
    k0, k1, k2, k3 = key[0], key[1], key[2], key[3]
    k4, k5, k6, k7 = key[4], key[5], key[6], key[7]
    n0, n1 = np.uint32(chance.counter & _MASK), np.uint32(chance.counter >> _32)
    s0, s1 = np.uint32(chance.stream & _MASK), np.uint32(chance.stream >> _32)
    x0, x1, x2, x3 = _C0, _C1, _C2, _C3
    x4, x5, x6, x7, x8, x9, x10, x11 = k0, k1, k2, k3, k4, k5, k6, k7
    x12, x13, x14, x15 = n0, n1, s0, s1
    for _ in range(rounds // 2):
        x0, x4, x8, x12 = quarter_round(x0, x4, x8, x12)
        x1, x5, x9, x13 = quarter_round(x1, x5, x9, x13)
        x2, x6, x10, x14 = quarter_round(x2, x6, x10, x14)
        x3, x7, x11, x15 = quarter_round(x3, x7, x11, x15)
        x0, x5, x10, x15 = quarter_round(x0, x5, x10, x15)
        x1, x6, x11, x12 = quarter_round(x1, x6, x11, x12)
        x2, x7, x8, x13 = quarter_round(x2, x7, x8, x13)
        x3, x4, x9, x14 = quarter_round(x3, x4, x9, x14)
    out = chance.block
    out[0], out[1], out[2], out[3] = add(x0, _C0), add(x1, _C1), add(x2, _C2), add(x3, _C3)
    out[4], out[5], out[6], out[7] = add(x4, k0), add(x5, k1), add(x6, k2), add(x7, k3)
    out[8], out[9], out[10], out[11] = add(x8, k4), add(x9, k5), add(x10, k6), add(x11, k7)
    out[12], out[13], out[14], out[15] = add(x12, n0), add(x13, n1), add(x14, s0), add(x15, s1)
    chance.counter += _ONE
    chance.used = 0


@kernel
def next_word(chance: Chance) -> UInt64:
    if chance.used >= WORDS:
        next_block(chance, ROUNDS)
    word = np.uint64(chance.block[chance.used])
    chance.used += 1
    return word


@kernel
def below(chance: Chance, n: int) -> int:
    """A whole number from 0 to n - 1, each equally likely."""
    size = np.uint64(n)
    product = next_word(chance) * size
    if product & _MASK < size:
        threshold = ((_MASK - size) + _ONE) % size
        while product & _MASK < threshold:
            product = next_word(chance) * size
    return int(product >> _32)


@kernel
def restart(chance: Chance, stream: int) -> None:
    """Go to the beginning of another stream of the same key."""
    chance.stream = np.uint64(stream)
    chance.counter = np.uint64(0)
    chance.used = WORDS


@kernel
def note_draw(chance: Chance, result: int) -> None:
    chance.drawn[chance.n_drawn & (MAX_DRAWN - 1)] = result
    chance.n_drawn = (int(chance.n_drawn) + 1) & 0x3FFF


@kernel
def draw(chance: Chance, pool: Int8s, first: int, size: int, drawn: int) -> int:
    """Take one of `size` things out of the counts `pool[first:]`; noted as `drawn` + its index."""
    index = NOTHING
    if chance.script_at < chance.n_script:
        index = scripted(chance, pool, first, drawn)
    if index == NOTHING:
        if chance.looks == LOOKS:
            note_pool(chance, pool, first, drawn)
        left = below(chance, size)
        index = first
        while left >= pool[index]:
            left -= int(pool[index])
            index += 1
    pool[index] -= 1
    note_draw(chance, drawn + index)
    return index


NOTHING = -1
LOOKS, NOTED = 1, 2


@kernel
def end_of_pool(pool: Int8s, first: int, drawn: int) -> int:
    """Where the counts end that a draw is made from: a bag holds heads, tails or bodies."""
    return min(len(pool), first + 5) if drawn == PIECE_DRAWN else len(pool)


@kernel
def note_pool(chance: Chance, pool: Int8s, first: int, drawn: int) -> None:
    """For who wants to know the odds of the next draw (`look_ahead`)."""
    for index in range(first, end_of_pool(pool, first, drawn)):
        chance.offered[drawn + index] = pool[index]
    chance.looks = NOTED


@kernel
def scripted(chance: Chance, pool: Int8s, first: int, drawn: int) -> int:
    """The next scripted draw, or NOTHING (and a note of the misfit) if it cannot be drawn here."""
    index = int(chance.script[chance.script_at]) - drawn
    chance.script_at += 1
    if index < first or index >= end_of_pool(pool, first, drawn) or pool[index] <= 0:
        chance.misfit = 1
        return NOTHING
    return index


# The entries trust their arguments; `words` and `numbers_below` check them.


@side_entry
def fill_words(chances: Chances, rounds: int, out: Int64s) -> None:
    chance = chances[0]
    for i in range(len(out)):
        if i % WORDS == 0:
            next_block(chance, rounds)
        out[i] = int(chance.block[i % WORDS])


@side_entry
def fill_below(chances: Chances, n: int, out: Int64s) -> None:
    for i in range(len(out)):
        out[i] = below(chances[0], n)
