"""The notebooks of examples/ run, and show what they showed when they were written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from coatl.compiler.functions import DISABLED
from tools import notebooks
from tools.notebooks import EXAMPLES, KINDS, Notebook

NAMES = sorted(file.stem for file in EXAMPLES.glob("*.ipynb"))
EXACT = [name for name in NAMES if name != "training"]  # which rounds otherwise elsewhere

pytestmark = pytest.mark.skipif(DISABLED, reason="whole games, too slow in plain Python")


def shown(notebook: Notebook) -> list[list[dict[str, Any]]]:
    """What each of its cells shows."""
    return [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def kinds(outputs: list[dict[str, Any]]) -> list[list[str]]:
    return [[output["output_type"], *output.get("data", {})] for output in outputs]


def test_there_is_one_of_each() -> None:
    assert NAMES == ["cards", "game", "ratings", "training"]


@pytest.mark.games
@pytest.mark.parametrize("name", EXACT)
def test_it_shows_what_it_showed(name: str) -> None:
    """If it should not, `make notebooks` writes it anew; look at it."""
    before = notebooks.read(EXAMPLES / f"{name}.ipynb")
    assert shown(notebooks.run(before, EXAMPLES)) == shown(before)


@pytest.mark.games
def test_the_network_of_the_notebook_learns() -> None:
    before = notebooks.read(EXAMPLES / "training.ipynb")
    after = notebooks.run(before, EXAMPLES)
    assert [*map(kinds, shown(after))] == [*map(kinds, shown(before))]
    printed = [line for outputs in shown(after) for one in outputs for line in one.get("text", [])]
    found = re.search(r"surprise: ([\d.]+) at first, ([\d.]+) at last", "".join(printed))
    assert found is not None
    assert float(found[2]) < 0.8 * float(found[1])


def test_its_network_is_the_tutorials() -> None:
    page = EXAMPLES.parent / "docs" / "tutorials" / "network.md"
    program = (EXAMPLES / "pupil.py").read_text(encoding="utf-8")
    assert f"```python\n{program}```" in page.read_text(encoding="utf-8")


# ---------------------------------------------------------------- how they are run


def make_notebook(*sources: str) -> Notebook:
    cells = [{"cell_type": "code", "source": source.splitlines(True)} for source in sources]
    return {"cells": [{"cell_type": "markdown", "source": ["# Text"]}, *cells]}


def test_a_cell_shows_what_it_prints_and_its_last_value(tmp_path: Path) -> None:
    notebook = notebooks.run(make_notebook("n = 2\nprint(n)\nn + 1", "n * 2", "n = 5"), tmp_path)
    first, second, third = shown(notebook)
    assert [first[0]["text"], first[1]["data"]["text/plain"]] == [["2\n"], ["3"]]
    assert second[0]["data"]["text/plain"] == ["4"]
    assert third == []


def test_what_is_displayed_keeps_its_place_and_its_picture(tmp_path: Path) -> None:
    source = "import coatl\nprint(1)\ndisplay(coatl.svg.card('KKK'))\nprint(2)"
    ((first, picture, last),) = shown(notebooks.run(make_notebook(source), tmp_path))
    assert (first["text"], last["text"]) == (["1\n"], ["2\n"])
    assert picture["data"][KINDS["_repr_svg_"]][0].startswith("<svg ")


def test_a_cell_that_fails_ends_it(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        notebooks.run(make_notebook("1 / 0"), tmp_path)


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    """In the form that Jupyter gives it, so that a change can be read."""
    file = EXAMPLES / "ratings.ipynb"
    copy = tmp_path / "copy.ipynb"
    notebooks.write(copy, notebooks.read(file))
    assert copy.read_bytes() == file.read_bytes()
    assert json.loads(copy.read_text(encoding="utf-8"))["nbformat"] == 4
