"""The picture of the layers is true, and the tables of modules are those of the modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from coatl.compiler.functions import DISABLED
from tools import architecture

pytestmark = pytest.mark.skipif(DISABLED, reason="has nothing to do with how the kernel runs")


def test_nothing_imports_what_stands_above_it() -> None:
    wrong = [
        f"{one.importer} imports {one.imported} (line {one.line})"
        for one in architecture.upward_imports()
    ]
    assert not wrong, "\n".join(wrong)


def test_every_module_has_its_place_in_the_picture() -> None:
    ours = [name for name in architecture.modules() if name not in ("coatl", "coatl._version")]
    assert [name for name in ours if architecture.layer_of(name) is None] == []


def test_the_picture_names_nothing_that_is_not_there() -> None:
    named = [name for layer in architecture.layers() for name in layer if name != "="]
    assert len(named) == len(set(named))
    assert [name for name in named if f"coatl.{name}" not in architecture.modules()] == []


def test_the_tables_of_modules_are_current() -> None:
    text = architecture.PAGE.read_text("utf-8")
    assert architecture.write_tables(text) == text, "run `make architecture`"


def test_an_upward_import_is_found_wherever_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "limits.py"
    file.write_text("def late() -> None:\n    from coatl.server.app import make_app\n")
    found = architecture.imports_of("coatl.rules.limits", file)
    assert found == (architecture.Import("coatl.rules.limits", "coatl.server.app", 2),)
    monkeypatch.setattr(architecture, "all_imports", lambda: list(found))
    assert architecture.upward_imports() == list(found)


@pytest.mark.parametrize(
    ("docstring", "subject"),
    [
        ("One thing. Another.", "One thing"),
        ("Is a position possible? Every problem is reported.", "Is a position possible?"),
        ("Two\nlines.\n\nMore.", "Two lines"),
    ],
)
def test_the_subject_of_a_module_is_its_first_sentence(docstring: str, subject: str) -> None:
    assert architecture.subject(docstring) == subject
