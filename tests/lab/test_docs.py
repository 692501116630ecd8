"""docs/lab.md says what its data say."""

from __future__ import annotations

import pytest

from coatl.compiler.functions import DISABLED
from tools import lab_docs

pytestmark = pytest.mark.skipif(DISABLED, reason="has nothing to do with how the kernel runs")
TEXT = lab_docs.PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def runs() -> lab_docs.Runs:
    return lab_docs.read_runs()


def test_the_tables_are_those_of_the_data(runs: lab_docs.Runs) -> None:
    assert lab_docs.write_tables(TEXT, runs) == TEXT, "run `python -m tools.lab_docs`"


def test_the_pictures_are_those_of_the_data(runs: lab_docs.Runs) -> None:
    pictures = lab_docs.pictures_of(TEXT, runs)
    assert pictures
    for name, svg in pictures.items():
        assert (lab_docs.PICTURES / name).read_text(encoding="utf-8") == svg


def test_there_are_tables() -> None:
    """The test above would not miss them."""
    assert TEXT.count("<!-- lab ") == TEXT.count("<!-- end -->") >= 10


def test_a_part_of_a_table(runs: lab_docs.Runs) -> None:
    page = "<!-- lab main cards 0 last 2 | card | fulfilled -->\nold\n<!-- end -->\n"
    lines = lab_docs.write_tables(page, runs).splitlines()
    whole = runs["main"]["cards"].tables[0]
    assert lines[1:3] == ["| card | fulfilled |", "| --- | --- |"]
    assert lines[3:-1] == [f"| `{row[0]}` | {row[2]} |" for row in whole.rows[-2:]]
