"""Practice tables: opened from a position, for one person, without a promise."""

from __future__ import annotations

from typing import Any

import pytest

from coatl.game import Game
from coatl.table import Entry, Opened, Practice, Table, TableError, decode_entry, encode_entry
from coatl.table.errors import Code
from tests.table.making import SECRET, game_of, nonce_of, spec

POSITION = "2p tokens turn=9 | board=K> hand={K} coatl=<KKK | board=<R,R"
SOLO = "solo levels=13 turn=4 | hand=YK board=R | cards=KKK(2K),YG,RB"


def practice(*kinds: str, position: str = POSITION, draws: tuple[str, ...] = ()) -> Opened:
    return Opened(tuple(map(spec, kinds)), "", practice=Practice(position, draws))


def begun(opened: Opened) -> Table:
    table = Table(opened, SECRET)
    for place, at in enumerate(table.places):
        if not at.is_ready:
            table.join(place, nonce_of(place))
    return table


def refused(opened: Opened) -> TableError:
    with pytest.raises(TableError) as caught:
        Table(opened, SECRET)
    return caught.value


def test_the_game_stands_in_the_position_with_its_options() -> None:
    table = begun(practice("person", "greedy"))
    game = game_of(table)
    assert game.position == Game.from_position(POSITION).position
    assert (table.options.players, table.options.tokens) == (2, True)
    assert (table.seating, table.to_move) == ((0, 1), 0)
    assert begun(practice("person", position=SOLO)).options.solo == (1, 3)


def test_it_is_played_to_its_end_and_rebuilt_from_its_log() -> None:
    opened = practice("person", "greedy")
    table = Table(opened, SECRET)
    entries: list[Entry] = [opened, table.join(0, nonce_of(0))]
    while table.status != "over":
        move = game_of(table).legal_moves()[-1].text
        if table.bot_to_move is None:
            entries.append(table.decide(0, move, table.version))
        else:
            entries.append(table.bot_decides(1, move))
    stored = [decode_entry(encode_entry(entry)) for entry in entries]
    again = Table.rebuild(stored, SECRET)
    assert again.record() == table.record()
    assert Game.replay(table.record()).digest == game_of(table).digest


def test_the_draws_are_given() -> None:
    table = begun(practice("person", "greedy", draws=("RGRG", "YG")))
    for move in ("draw", "draw"):
        table.decide(0, move, table.version)
    view = table.view(0)
    assert view is not None
    assert set(view.data.seats[0].hand) == {"{K}", "RGRG", "YG"}


def test_nothing_is_promised() -> None:
    table = begun(practice("person", "greedy"))
    assert (table.opened.promise, game_of(table).fairness) == ("", None)
    assert "Fairness" not in game_of(table).record()


def test_the_rematch_begins_from_the_position_again() -> None:
    table = begun(practice("person", "greedy", position="2p phase=over end=passed passes=2"))
    opened, order = table.plan_rematch("5e" * 32, "this")
    assert (opened.practice, opened.promise) == (table.opened.practice, "")
    assert order == (0, 1)
    assert game_of(begun(opened)).position == game_of(table).position


@pytest.mark.parametrize(
    ("opened", "code"),
    [
        (practice("person", "greedy", position="2p seets=2"), Code.BAD_POSITION),
        (practice("person", "greedy", position="2p | board=4<K |"), Code.BAD_POSITION),
        (practice("person", "greedy", draws=("XX",)), Code.BAD_POSITION),
        (practice("person"), Code.BAD_OPTIONS),
        (practice("person", "greedy", "greedy"), Code.BAD_OPTIONS),
        (practice("person", "person"), Code.BAD_OPTIONS),
        (practice("person", "open"), Code.BAD_OPTIONS),
        (practice("open", "greedy"), Code.BAD_OPTIONS),
        (practice("greedy", "greedy"), Code.BAD_OPTIONS),
    ],
)
def test_what_a_practice_table_cannot_be(opened: Opened, code: Code) -> None:
    assert refused(opened).code is code


@pytest.mark.parametrize(
    "option", [{"tokens": False}, {"promo": True}, {"levels": ()}, {"draw_seats": True}], ids=str
)
def test_its_options_are_in_its_position(option: dict[str, Any]) -> None:
    places = tuple(map(spec, ("person", "greedy")))
    error = refused(Opened(places, "", practice=Practice(POSITION), **option))
    assert (error.code, "in its position" in error.text) == (Code.BAD_OPTIONS, True)


def test_a_promise_is_refused() -> None:
    places = tuple(map(spec, ("person", "greedy")))
    assert (
        "promises nothing" in refused(Opened(places, "5e" * 32, practice=Practice(POSITION))).text
    )


def test_the_log_of_another_table_is_as_it_was() -> None:
    """An opening without practice has the bytes of 0.1."""
    opened = Opened(tuple(map(spec, ("person", "greedy"))), "5e" * 32)
    assert b"practice" not in encode_entry(opened)
