"""What a table may be, and what it refuses to be."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from coatl.fairness import new_secret, promise_of
from coatl.table import Opened, PlaceKind, PlaceSpec, Table, TableError, decode_entry, encode_entry
from coatl.table.errors import MEANINGS, Code
from tests.table.making import SECRET, open_table, opening

MODES: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("person", "person"), {}),
    (("person", "open"), {"tokens": False}),
    (("person", "greedy"), {"fewer_bodies": True}),
    (("open", "open", "open"), {"promo": True, "fewer_bodies": True}),
    (("person", "open", "random", "greedy"), {"draw_seats": True}),
    (("person",), {"levels": ()}),
    (("open",), {"levels": (1, 2, 3, 4, 5), "promo": True}),
]


@pytest.mark.parametrize(("kinds", "options"), MODES, ids=str)
def test_it_waits_for_people(kinds: tuple[str, ...], options: dict[str, Any]) -> None:
    table = open_table(*kinds, **options)
    assert (table.version, table.status, table.game) == (1, "waiting", None)
    assert (table.to_move, table.bot_to_move, table.seating) == (None, None, ())
    assert [place.is_ready for place in table.places] == [
        kind not in ("person", "open") for kind in kinds
    ]
    assert table.view(0) is None
    assert table.view(None) is None
    assert table.events(0) == []


def test_a_table_of_bots_begins_at_once() -> None:
    table = open_table("greedy", "random")
    assert (table.version, table.status, table.bot_to_move) == (1, "playing", "greedy")


def refusal(*kinds: str, **options: Any) -> TableError:
    with pytest.raises(TableError) as caught:
        open_table(*kinds, **options)
    return caught.value


BAD_OPTIONS: list[tuple[tuple[str, ...], dict[str, Any], str]] = [
    ((), {}, "players"),
    (("person",), {}, "players"),
    (("person",) * 5, {}, "players"),
    (("person",) * 4, {"fewer_bodies": True}, "R22"),
    (("person",), {"levels": (), "fewer_bodies": True}, "R22"),
    (("person", "person"), {"levels": ()}, "D1"),
    (("person",), {"levels": (0,)}, "D10"),
    (("person",), {"levels": (6,)}, "D10"),
]


@pytest.mark.parametrize(("kinds", "options", "words"), BAD_OPTIONS, ids=str)
def test_options_that_do_not_go_together(
    kinds: tuple[str, ...], options: dict[str, Any], words: str
) -> None:
    error = refusal(*kinds, **options)
    assert error.code is Code.BAD_OPTIONS
    assert words in error.text


def test_solo_says_nothing_of_tokens() -> None:
    """The option for tokens has a default, so it is passed over where there are none."""
    assert open_table("person", levels=(), tokens=True).options.tokens is False


@pytest.mark.parametrize("bot", ["", "nobody", "Greedy", "coatl.players.greedy:GreedyPlayer"])
def test_only_our_own_bots(bot: str) -> None:
    places = (PlaceSpec(PlaceKind.PERSON), PlaceSpec(PlaceKind.BOT, "", bot))
    with pytest.raises(TableError) as caught:
        Table(Opened(places, promise_of(SECRET)), SECRET)
    assert caught.value.code is Code.UNKNOWN_BOT
    assert "greedy" in caught.value.text


@pytest.mark.parametrize("kind", [PlaceKind.PERSON, PlaceKind.OPEN])
@pytest.mark.parametrize("bot", ["greedy", "this:nothing"])
def test_no_bot_where_a_person_is_to_sit(kind: PlaceKind, bot: str) -> None:
    """It would play before the person does, and could name any module to be imported."""
    places = (PlaceSpec(kind, "", bot), PlaceSpec(PlaceKind.PERSON))
    with suppress(TableError):
        table = Table(Opened(places, promise_of(SECRET)), SECRET)
        assert table.places[0].bot is None


def test_a_bot_needs_a_name_of_a_bot() -> None:
    with pytest.raises(TableError) as caught:
        open_table("person", "")
    assert caught.value.code is Code.UNKNOWN_BOT


@pytest.mark.parametrize("kind", ["", "Person", "spectator"])
def test_kinds_of_places(kind: str) -> None:
    """No log has others."""
    entry = json.loads(encode_entry(opening("person", "greedy")))
    entry["places"][0]["kind"] = kind
    with pytest.raises(msgspec.ValidationError, match="Invalid enum value"):
        decode_entry(json.dumps(entry).encode())


BAD_NAMES = ["a,b", "#1", " Ana", "Ana ", "x" * 41, "tab\there", "bot:greedy", "line\nbreak"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_could_not_stand_in_a_record(name: str) -> None:
    assert refusal(f"person:{name}", "person").code is Code.BAD_NAME


@pytest.mark.parametrize("name", ["x" * 40, "Ana María", "阿", "O'Neil-2 (the 3rd)"])
def test_names_that_can(name: str) -> None:
    assert open_table(f"person:{name}", "person").places[0].name == name


def test_two_places_have_two_names() -> None:
    assert refusal("person:Ana", "open:Ana").code is Code.BAD_NAME
    assert refusal("person:Ana", "greedy:Ana").code is Code.BAD_NAME


def test_the_promise_has_to_be_that_of_the_secret() -> None:
    with pytest.raises(TableError) as caught:
        Table(opening("person", "person"), new_secret())
    assert caught.value.code is Code.BAD_OPTIONS


def test_every_code_has_a_meaning() -> None:
    assert set(MEANINGS) == set(Code)
    error = TableError(Code.OVER)
    assert (error.text, error.clause) == (MEANINGS[Code.OVER], None)
    assert str(error) == "over: the game is over"
