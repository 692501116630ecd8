"""Names: letters of all scripts and emoji pass, what nobody can see does not."""

from __future__ import annotations

import pytest

from coatl.game.names import has_invisible, is_printable
from coatl.table.errors import Code
from coatl.table.places import check_name
from tests.table.making import assert_refused, nonce_of, open_table

GOOD = [
    *("Ana", "Åsa Öberg", "Zoë", "Đặng Thị", "Łukasz", "O’Neil", "Jean-Luc", "Anne Marie"),
    *("Ελένη", "Дмитрий", "שרה", "فاطمة", "プレイヤー", "小明", "민준", "ราตรี", "அனிதா", "प्रिया"),
    *("🐍", "♥️", "👩‍🚀", "👍🏽", "🏳️‍🌈", "👨‍👩‍👧", "🇫🇷", "1️⃣", "e\u0301va"),
]
INVISIBLE = {
    "zero-width space": "A\u200bna",
    "joiner between letters": "A\u200dna",
    "non-joiner": "A\u200cna",
    "override of direction": "\u202eanA",
    "isolate": "\u2066Ana\u2069",
    "mark of direction": "Ana\u200f",
    "byte order mark": "\ufeffAna",
    "soft hyphen": "A\u00adna",
    "control": "A\x07na",
    "delete": "Ana\x7f",
    "tag": "Ana\U000e0041",
    "Hangul filler": "\u3164",
    "half-width filler": "Ana\uffa0",
    "grapheme joiner": "A\u034fna",
    "blank Braille": "\u2800",
    "selector after a letter": "Ana\ufe0f",
    "other selector": "Ana\U000e0100",
    "Mongolian selector": "A\u180bna",
    "joiner at the end": "👩\u200d",
}


@pytest.mark.parametrize("name", GOOD)
def test_names_that_people_have(name: str) -> None:
    assert not has_invisible(name)
    table = open_table("person", "person")
    table.join(0, nonce_of(0), name)
    assert table.places[0].name == name


@pytest.mark.parametrize("name", INVISIBLE.values(), ids=INVISIBLE)
def test_names_that_nobody_can_tell_apart(name: str) -> None:
    assert has_invisible(name)
    table = open_table("person", "person")
    assert_refused(table, Code.BAD_NAME, lambda: table.join(0, nonce_of(0), name))


def test_names_in_older_logs_are_read() -> None:
    """A filler was a letter like others; what is not printable was always refused."""
    check_name("\u3164")
    assert not is_printable("A\u200bna")
