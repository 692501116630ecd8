"""The log is the truth: folded again, any part of it gives the same table, byte for byte."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coatl.compiler.functions import DISABLED
from coatl.table import Entry, Opened, PlaceSpec, Table, TableError, decode_entry, encode_entry
from coatl.table.entries import (
    BotFailed,
    Decided,
    GaveUp,
    HandedOver,
    Hinted,
    Joined,
    Rematched,
    TakenBack,
    Undone,
)
from tests.table.making import (
    SECRET,
    game_of,
    log_of_a_game,
    nonce_of,
    opening,
    picture,
    random_log,
    rebuilt,
    started,
    turn_of,
)

MODES: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("person", "person"), {}),
    (("person",), {"levels": (1, 4), "promo": True}),
    (("person", "open", "greedy"), {"tokens": False, "promo": True, "fewer_bodies": True}),
    (("open", "person", "random", "person"), {"draw_seats": True, "hints": True}),
]
KINDS = {
    *(Opened, Joined, Decided, Undone, Hinted, HandedOver, TakenBack, GaveUp, BotFailed),
    Rematched,
}


def whole_log(mode: int, seed: int) -> tuple[list[Entry], list[object]]:
    """A game with everything that can happen at a table, and the table after each entry."""
    kinds, options = MODES[mode]
    log, pictures = [], []
    for table, entry in random_log(opening(*kinds, **options), seed):
        log.append(entry)
        pictures.append(picture(table))
    return log, pictures


def assert_rebuilds(log: list[Entry], pictures: list[object], every: int = 1) -> None:
    for length in range(1, len(log) + 1, every):
        table = rebuilt(log[:length])
        assert table.version == length
        assert picture(table) == pictures[length - 1]


def test_every_part_of_a_log_is_the_table_as_it_was() -> None:
    assert_rebuilds(*whole_log(1, seed=0), every=20 if DISABLED else 1)


@pytest.mark.games
@pytest.mark.parametrize("mode", range(len(MODES)), ids=[str(kinds) for kinds, _ in MODES])
def test_parts_of_a_log_are_the_table_as_it_was_in_every_mode(mode: int) -> None:
    assert_rebuilds(*whole_log(mode, seed=1), every=20 if DISABLED else 3)


def test_everything_that_can_happen_does_in_these_logs() -> None:
    kinds, options = MODES[3]
    found = set()
    for seed in range(3):
        found |= {type(entry) for _, entry in random_log(opening(*kinds, **options), seed)}
    assert found == KINDS


def test_a_log_goes_through_the_store() -> None:
    log, pictures = whole_log(2, seed=2)
    stored = [decode_entry(encode_entry(entry)) for entry in log]
    assert stored == log
    assert picture(rebuilt(list(stored))) == pictures[-1]


# ---------------------------------------------------------------- entries

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
places = st.integers(0, 3)
ids = st.none() | texts
specs = st.builds(PlaceSpec, st.sampled_from(["person", "open", "bot"]), texts, st.none() | texts)
entries = st.one_of(
    st.builds(
        Opened,
        places=st.lists(specs, min_size=1, max_size=4).map(tuple),
        promise=texts,
        tokens=st.booleans(),
        promo=st.booleans(),
        fewer_bodies=st.booleans(),
        levels=st.none() | st.lists(st.integers(1, 5), max_size=5).map(tuple),
        draw_seats=st.booleans(),
        rematch_of=st.none() | texts,
        hints=st.booleans(),
    ),
    st.builds(Joined, places, texts, texts, ids),
    st.builds(Decided, places, texts, ids),
    st.builds(Undone, places, ids),
    st.builds(HandedOver, places, texts, st.booleans(), ids),
    st.builds(Hinted, places),
    st.builds(TakenBack, places, ids, st.booleans()),
    st.builds(GaveUp, places, texts, ids),
    st.builds(BotFailed, places, texts, texts),
    st.builds(Rematched, texts, ids),
)


@given(entries)
def test_an_entry_is_read_as_it_was_written(entry: Entry) -> None:
    assert decode_entry(encode_entry(entry)) == entry


def test_how_an_entry_is_written() -> None:
    assert encode_entry(Decided(1, "take b3", "a")) == (
        b'{"do":"move","place":1,"move":"take b3","id":"a"}'
    )
    assert encode_entry(Undone(0)) == b'{"do":"undo","place":0}'


@pytest.mark.parametrize(
    "data",
    [b"", b"null", b"{}", b'{"do":"sing"}', b'{"do":"move","place":"0","move":"x"}', b'{"do":'],
)
def test_what_is_no_entry(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_entry(data)


# ---------------------------------------------------------------- what is no log


def test_a_log_begins_with_its_opening() -> None:
    for log in ([], [Decided(0, "done")], [Joined(0, "Ana", nonce_of(0))]):
        with pytest.raises(ValueError, match="begins with its opening"):
            rebuilt(list(log))


def test_a_log_opens_its_table_once() -> None:
    opened = opening("person", "person")
    with pytest.raises(ValueError, match="Opened again"):
        rebuilt([opened, opened])


def test_a_log_of_another_secret() -> None:
    with pytest.raises(TableError):
        rebuilt(log_of_a_game("person", "person"), "77" * 32)


def test_a_log_with_a_move_that_is_not_allowed() -> None:
    log = [*log_of_a_game("person", "person")[:4], Decided(0, "take b1"), Decided(0, "take b1")]
    with pytest.raises(ValueError, match="take b1"):
        rebuilt(log)


def test_a_log_that_goes_on_after_the_end() -> None:
    with pytest.raises(TableError):
        rebuilt([*log_of_a_game("person", "person"), Decided(0, "done")])


def test_a_rebuilt_table_goes_on_like_the_first() -> None:
    first = started("person", "person")
    log: list[Entry] = [first.opened]
    log += [Joined(n, at.name, at.nonce or "") for n, at in enumerate(first.places)]
    second = Table.rebuild(log, SECRET)  # type: ignore[arg-type] # each is one of AnyEntry
    rng = random.Random(5)
    while first.status == "playing":
        place, move = turn_of(first), rng.choice(game_of(first).legal_moves()).text
        for table in (first, second):
            table.decide(place, move, table.version)
    assert picture(first) == picture(second)
