"""The generator behind every draw: published test vectors, even chances, and frozen values.

A seed means the same game on every machine and in every version (`coatl.rules.chance`), so what
is checked here can never change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

# A first call compiles and caches what is imported by then: `kernel` brings in all of it.
import coatl.rules.compiled
from coatl.options import Options
from coatl.rules.cards import standard_deck
from coatl.rules.chance import (
    CARD_DRAWN,
    MAX_SCRIPT,
    N_DRAWN,
    ROUNDS,
    TEMPLE_DRAWN,
    WORDS,
    Chances,
    join_chances,
    look_ahead,
    new_chance,
    numbers_below,
    offered_draw,
    seed_key,
    set_script,
    words,
)
from coatl.rules.pieces import (
    BODIES_OF_A_COLOUR,
    BODY,
    HEAD,
    HEADS_OF_A_COLOUR,
    N_COLOURS,
)
from coatl.rules.state import MAX_PROPHECIES, MAX_TEMPLES
from coatl.rules.tables import card_tables

WORD = 2**32
ZERO_KEY = bytes(32)
TC7_KEY = "00112233445566778899aabbccddeeffffeeddccbbaa99887766554433221100"

# RFC 8439, A.1, test vectors 1 and 2: ChaCha20, zero key, blocks 0 and 1.
CHACHA20_BLOCK_0 = (
    "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
    "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
)
CHACHA20_BLOCK_1 = (
    "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
    "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
)
# RFC 8439, 2.3.2: ChaCha20, key 00 01 .. 1f, words 12 to 15 being 1, 0x09000000, 0x4a000000, 0.
CHACHA20_COUNTED = (
    "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
    "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
)
# draft-strombergson-chacha-test-vectors, 256 bit keys, 8 rounds: TC1 (blocks 0 and 1), TC3, TC7.
CHACHA8_BLOCK_0 = (
    "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
    "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
)
CHACHA8_BLOCK_1 = (
    "d2aefa0deaa5c151bf0adb6c01f2a5adc0fd581259f9a2aadcf20f8fd566a26b"
    "5032ec38bbc5da98ee0c6f568b872a65a08abf251deb21bb4b56e5d8821e68aa"
)
CHACHA8_STREAM_1 = (
    "2b8f4bb3798306ca5130d47c4f8d4ed13aa0edccc1be6942090faeeca0d7599b"
    "7ff0fe616bb25aa0153ad6fdc88b954903c22426d478b97b22b8f9b1db00cf06"
)
CHACHA8_TC7 = (
    "60fdedbd1a280cb741d0593b6ea0309010acf18e1471f68968f4c9e311dca149"
    "b8e027b47c81e0353db013891aa5f68ea3b13dd2f3b8dd0873bf3746e7d6c567"
)


def key_stream(chances: Chances, rounds: int, blocks: int = 1) -> str:
    """The next blocks of a stream, as the bytes (in hexadecimal) that papers print."""
    out = np.zeros(WORDS * blocks, np.int64)
    words(chances, rounds, out)
    return out.astype("<u4").tobytes().hex()


def first_words(chances: Chances, n: int) -> list[int]:
    out = np.zeros(n, np.int64)
    words(chances, ROUNDS, out)
    return [int(word) for word in out]


def next_below(chances: Chances, n: int, size: int) -> list[int]:
    out = np.zeros(size, np.int64)
    numbers_below(chances, n, out)
    return [int(number) for number in out]


# ------------------------------------------------------------------ the block function


@pytest.mark.parametrize(
    ("rounds", "first", "second"),
    [(20, CHACHA20_BLOCK_0, CHACHA20_BLOCK_1), (8, CHACHA8_BLOCK_0, CHACHA8_BLOCK_1)],
)
def test_the_zero_key_gives_the_published_blocks(rounds: int, first: str, second: str) -> None:
    """Block 0 and, as the counter goes on, block 1."""
    assert key_stream(new_chance(ZERO_KEY), rounds, blocks=2) == first + second


def test_blocks_follow_each_other_over_calls() -> None:
    chances = new_chance(ZERO_KEY)
    assert key_stream(chances, 8) == CHACHA8_BLOCK_0
    assert key_stream(chances, 8) == CHACHA8_BLOCK_1
    assert chances[0].counter == 2


def test_key_and_both_halves_of_the_counter_have_their_places() -> None:
    """RFC 8439's nonce begins where we have the upper half of the counter."""
    chances = new_chance(bytes(range(32)), stream=0x4A000000)
    chances[0].counter = np.uint64(0x09000000 << 32 | 1)
    assert key_stream(chances, 20) == CHACHA20_COUNTED


def test_the_stream_number_is_the_nonce_of_the_published_vectors() -> None:
    assert key_stream(new_chance(ZERO_KEY, stream=1), 8) == CHACHA8_STREAM_1
    nonce = int.from_bytes(bytes.fromhex("0f1e2d3c4b596877"), "little")
    assert key_stream(new_chance(bytes.fromhex(TC7_KEY), stream=nonce), 8) == CHACHA8_TC7


def test_every_stream_number_gives_another_stream() -> None:
    streams = [key_stream(new_chance(7, stream), ROUNDS) for stream in (*range(50), 2**63)]
    assert len(set(streams)) == len(streams)


# ------------------------------------------------------------------ seeds


def test_a_seed_means_the_same_stream_for_ever() -> None:
    """Frozen: these numbers are part of what a seed means. Never change them."""
    assert first_words(new_chance(7), 8) == [
        *(1515146651, 1144670647, 2255323239, 1582564176),
        *(3595142766, 2670170470, 3219273340, 2626753418),
    ]
    assert next_below(new_chance(7), 120, 8) == [42, 31, 63, 44, 100, 74, 89, 73]


def test_the_key_of_a_seed_is_the_hash_of_its_text() -> None:
    assert seed_key(7) == seed_key("7") == hashlib.sha256(b"coatl seed 7").digest()
    assert first_words(new_chance(7), 20) == first_words(new_chance(seed_key(7)), 20)
    assert first_words(new_chance("a b"), 20) == first_words(new_chance(seed_key("a b")), 20)


def test_the_same_seed_gives_the_same_stream_and_another_seed_another() -> None:
    assert next_below(new_chance(7), 52, 100) == next_below(new_chance(7), 52, 100)
    assert next_below(new_chance(7), 52, 100) != next_below(new_chance(8), 52, 100)


def test_the_stream_goes_on_over_calls() -> None:
    chances = new_chance(7)
    parts = [number for size in (3, 30, 67) for number in next_below(chances, 52, size)]
    assert parts == next_below(new_chance(7), 52, 100)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_key_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"a key has 32 bytes, not {length}"):
        new_chance(bytes(length))


def test_a_script_that_is_too_long_is_refused() -> None:
    """The longest script that fits is taken, at the start and later."""
    longest = [1] * MAX_SCRIPT
    chances = new_chance(7, script=longest)
    set_script(chances, longest)
    assert chances[0].n_script == MAX_SCRIPT
    message = f"a script has at most {MAX_SCRIPT} draws, not {MAX_SCRIPT + 1}"
    with pytest.raises(ValueError, match=message):
        new_chance(7, script=[*longest, 1])
    with pytest.raises(ValueError, match=message):
        set_script(chances, [*longest, 1])


@pytest.mark.parametrize("draw", [-1, N_DRAWN, 2**15, 2**70])
def test_a_script_has_draws_only(draw: int) -> None:
    chances = new_chance(7, script=[1, N_DRAWN - 1])
    before = chances.tobytes()
    with pytest.raises(ValueError, match=f"a draw is from 0 to {N_DRAWN - 1}, not {draw}"):
        set_script(chances, [3, draw])
    assert chances.tobytes() == before


def test_the_odds_of_the_first_draw_after_a_script_are_noted() -> None:
    """Of that one alone, and drawing is not changed by it."""
    chances, plain = new_chance(7), new_chance(7)
    cards, options = card_tables(standard_deck()), Options(2)
    bodies = {BODY + colour: BODIES_OF_A_COLOUR for colour in range(N_COLOURS)}
    heads = {HEAD + colour: HEADS_OF_A_COLOUR for colour in range(N_COLOURS)}
    twelve = [BODY] * 12
    for script, odds in (
        ([], bodies),
        ([BODY, BODY + 2], bodies | {BODY: 23, BODY + 2: 23}),
        (twelve, heads),
        ([*twelve, HEAD], heads | {HEAD: HEADS_OF_A_COLOUR - 1}),
    ):
        states, others = options.blank_states(), options.blank_states()
        look_ahead(chances, script)
        set_script(plain, script)
        coatl.rules.compiled.new_game(cards, states, 0, options.bodies, chances)
        coatl.rules.compiled.new_game(cards, others, 0, options.bodies, plain)
        assert offered_draw(chances) == odds
        assert states.tobytes() == others.tobytes()
        assert offered_draw(plain) is None


def test_numbers_of_draws_have_room() -> None:
    assert TEMPLE_DRAWN + MAX_TEMPLES == N_DRAWN
    assert CARD_DRAWN + MAX_PROPHECIES == TEMPLE_DRAWN


@pytest.mark.parametrize("stream", [-1, 2**64])
def test_there_are_so_many_streams(stream: int) -> None:
    with pytest.raises(ValueError, match=f"a stream is from 0 to {2**64 - 1}, not {stream}"):
        new_chance(7, stream)


@pytest.mark.parametrize("seed", [None, 7.0, [7], (7,)])
def test_other_things_are_no_seeds(seed: Any) -> None:
    with pytest.raises(TypeError, match="a seed is a number or a text, not"):
        new_chance(seed)


# ------------------------------------------------------------------ numbers below n


@pytest.mark.parametrize("n", [-1, 0, 2**32, 2**70])
def test_a_draw_has_a_bound(n: int) -> None:
    with pytest.raises(ValueError, match=f"from 1 to {2**32 - 1}, not {n}"):
        numbers_below(new_chance(7), n, np.zeros(3, np.int64))
    with pytest.raises(TypeError, match=r"a whole number, not 2\.5"):
        numbers_below(new_chance(7), 2.5, np.zeros(3, np.int64))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("out", "kind"),
    [
        ([0, 0], TypeError),
        (np.zeros(3), TypeError),
        (np.zeros(3, np.int32), TypeError),
        (np.zeros((3, 3), np.int64), ValueError),
        (np.zeros(6, np.int64)[::2], ValueError),
        (np.frombuffer(bytes(24), np.int64), ValueError),
    ],
)
def test_numbers_need_room(out: Any, kind: type[Exception]) -> None:
    chances = new_chance(7)
    before = chances.tobytes()
    for draw in (numbers_below, words):
        with pytest.raises(kind, match="the array for the numbers"):
            draw(chances, 8, out)
    assert chances.tobytes() == before


def test_numbers_are_drawn_from_chances_only() -> None:
    locked, many = new_chance(7), join_chances([new_chance(7), new_chance(8)])
    locked.flags.writeable = False
    for wrong in (many[:0], many[::-1], locked):
        with pytest.raises(ValueError, match=r"generator|writeable array in C order"):
            numbers_below(wrong, 3, np.zeros(3, np.int64))
    others: tuple[Any, ...] = (np.zeros(3), None, many.reshape(1, 2))
    for other in others:
        with pytest.raises(TypeError, match="made with new_chance"):
            numbers_below(other, 3, np.zeros(3, np.int64))


def below_by_hand(stream: Iterator[int], n: int) -> int:
    """The documented formula: multiply, and skip the words that would favour some results."""
    while True:
        product = next(stream) * n
        if product % WORD >= WORD % n:
            return product // WORD


@pytest.mark.parametrize("n", [1, 2, 3, 7, 52, 120, 3 * 2**30, 2**31 + 1, 2**32 - 1])
def test_numbers_are_made_of_words_as_documented(n: int) -> None:
    """With a large n many words are skipped: a quarter for 3 * 2**30, half for 2**31 + 1."""
    stream = iter(first_words(new_chance(7), 8000))
    expected = [below_by_hand(stream, n) for _ in range(3000)]
    numbers = next_below(new_chance(7), n, 3000)
    assert numbers == expected
    assert all(0 <= number < n for number in numbers)


def chi_square(numbers: list[int], n: int) -> float:
    counts = np.bincount(np.array(numbers), minlength=n)
    mean = len(numbers) / n
    return float(((counts - mean) ** 2 / mean).sum())


@pytest.mark.parametrize(("n", "bound"), [(7, 22.46), (120, 172.4)])
def test_every_number_is_equally_likely(n: int, bound: float) -> None:
    """Chi-square below its 99.9 % quantile for n - 1 degrees of freedom, and not too good."""
    numbers = next_below(new_chance("even chances"), n, 400 * n)
    assert set(numbers) == set(range(n))
    assert n / 20 < chi_square(numbers, n) < bound


def test_skipping_words_keeps_large_ranges_even() -> None:
    """Without skipping, every third number below 3 * 2**30 would come up twice as often."""
    numbers = next_below(new_chance("even chances"), 3 * 2**30, 6000)
    assert chi_square([number % 3 for number in numbers], 3) < 13.82
