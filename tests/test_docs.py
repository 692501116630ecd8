"""The documentation is true: its examples run, its links lead somewhere, nothing is left out."""

from __future__ import annotations

import doctest
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from coatl import Game, view
from coatl.events import Event
from coatl.notation import parse_position, words
from coatl.rules.jit import DISABLED

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md")])
SLOW = {"bots.md"}  # their games take minutes where the kernel is plain Python
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

_FENCE = re.compile(r"^ *```.*$", re.MULTILINE)
_FILE = re.compile(r"^```\w*\n# (?P<name>\w+\.\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")


def page_name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to be in; modules found there are forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for file in tmp_path.glob("*.py"):
        sys.modules.pop(file.stem, None)


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_examples_run(page: Path, folder: Path) -> None:
    """All examples of a page, one after another; files it shows (``# my.toml``) are there."""
    if DISABLED and page.name in SLOW:
        pytest.skip("whole games between bots, in plain Python")
    text = page.read_text(encoding="utf-8")
    for file in _FILE.finditer(text):
        (folder / file["name"]).write_text(file["text"], encoding="utf-8")
    source = _FENCE.sub("", text)
    test = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)
    report: list[str] = []
    results = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append)
    assert results.failed == 0, "".join(report)


@pytest.mark.parametrize("page", ["README.md", "docs/api.md", "docs/bots.md", "docs/notation.md"])
def test_there_are_examples(page: str) -> None:
    """The test above would not miss them."""
    assert ">>> " in (ROOT / page).read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are made from their texts."""
    headings = re.findall(r"^#+ (.*)$", _FENCE.sub("", page.read_text(encoding="utf-8")), re.M)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_lead_somewhere(page: Path) -> None:
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    for link in _LINK.finditer(text):
        target, _, anchor = link["target"].partition("#")
        if "://" in target:
            continue
        file = (page.parent / target).resolve() if target else page
        assert file.is_file(), f"{page_name(page)} links to {target}"
        assert file.is_relative_to(ROOT)
        if anchor:
            assert anchor in anchors(file), f"{page_name(page)} links to {link['target']}"


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_no_absolute_paths(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w.:/])/(home|root|tmp|usr|work|Users)/", text)
    assert "../shared" not in text


# ---------------------------------------------------------------- nothing is left out


def words_read(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Every word the position reader asks for, as it is written: ``tokens``, ``row=``."""
    asked: set[str] = set()

    class Values(dict[str, Any]):
        def pop(self, name: str, *default: Any) -> Any:
            asked.add(f"{name}=")
            return super().pop(name, *default)

    class Flags(list[str]):
        def __contains__(self, name: object) -> bool:
            asked.add(str(name))
            return super().__contains__(name)

    plain = words.Words.__init__

    def listening(self: words.Words, text: str) -> None:
        plain(self, text)
        self.values, self.flags = Values(self.values), Flags(self.flags)

    monkeypatch.setattr(words.Words, "__init__", listening)
    parse_position("2p | |")
    parse_position("solo | |")
    return asked


def documented_words() -> set[str]:
    """The first column of the tables under "Positions" in docs/notation.md."""
    text = (ROOT / "docs/notation.md").read_text(encoding="utf-8")
    section = text.split("\n## Positions\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return {word for cell in cells for word in re.findall(r"`([^`]+)`", cell)}


def test_every_word_of_a_position_is_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    assert documented_words() == words_read(monkeypatch)


STRUCTS: list[type[msgspec.Struct]] = [
    view.ViewData,
    view.SeatView,
    view.CoatlView,
    view.CardProgress,
    view.TempleProgress,
    view.Pile,
    view.AdamView,
    view.AdamCard,
    Event,
]


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_field_is_documented(struct: type[msgspec.Struct]) -> None:
    """docs/api.md has a table after ``#### `SeatView` `` with exactly the fields of that class."""
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    section = text.split(f"\n#### `{struct.__name__}`\n")[1].split("\n\n")[0]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    fields = {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    assert fields == {field.name for field in msgspec.structs.fields(struct)}


def test_every_method_is_documented() -> None:
    """docs/api.md names everything public of a game."""
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    public = [name for name in vars(Game) if not name.startswith("_")]
    missing = [name for name in public if not re.search(rf"`(coatl\.)?[gG]ame\.{name}\b", text)]
    assert missing == []
