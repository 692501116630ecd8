"""The documentation is true: its examples run, its links lead somewhere, nothing is left out."""

from __future__ import annotations

import dataclasses
import doctest
import html
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer

from coatl import Game, Move, MoveKind, Spot, SpotKind, view
from coatl.arena import report as arena_report
from coatl.cli import simulate as cli_simulate
from coatl.cli.main import app
from coatl.cli.terminal.session import COMMANDS
from coatl.compiler.functions import DISABLED
from coatl.events import Event, EventKind
from coatl.notation import fields, parse_position
from coatl.simulate import GameResult
from tests.cli import program
from tools import table_picture, terminal_picture

ROOT = Path(__file__).parent.parent
FIRST_PAGES = ("CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "README.md", "SECURITY.md")
PAGES = sorted(
    [*map(ROOT.joinpath, FIRST_PAGES), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/*.md")]
)
PAGES_WITH_COMMANDS = [
    "docs/bots.md",
    "docs/cli.md",
    "docs/tutorials/analysis.md",
    "docs/tutorials/beat-greedy.md",
    "docs/tutorials/deck.md",
    "docs/tutorials/first-bot.md",
]
ELSEWHERE = {"docs/adapters.md"}  # they need other packages: tests/learn runs their examples
# Their games take minutes where the kernel is plain Python.
SLOW = {"docs/bots.md"} | {f"docs/tutorials/{file.name}" for file in ROOT.glob("docs/tutorials/*")}
LONGEST = {"docs/tutorials/network.md"}  # a network learns there
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
compiled_only = pytest.mark.skipif(DISABLED, reason="whole games, too slow in plain Python")

_FENCE = re.compile(r"^ *```.*$", re.MULTILINE)
_FILE = re.compile(r"^```\w*\n# (?P<name>\w+\.\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_CONSOLE = re.compile(r"^```console\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (?P<line>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
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


def write_files(text: str, folder: Path) -> None:
    """The files that a page shows."""
    for file in _FILE.finditer(text):
        (folder / file["name"]).write_text(file["text"], encoding="utf-8")


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.slow] if page_name(page) in LONGEST else [])
        for page in PAGES
        if page_name(page) not in ELSEWHERE
    ],
    ids=page_name,
)
def test_examples_run(page: Path, folder: Path) -> None:
    """All examples of a page, one after another; files it shows (``# my.toml``) are there.

    So are those of the pages of its folder: a tutorial goes on with what another has made.
    """
    if DISABLED and page_name(page) in SLOW:
        pytest.skip("whole games between bots, in plain Python")
    text = page.read_text(encoding="utf-8")
    for other in [*page.parent.glob("*.md"), page]:
        write_files(other.read_text(encoding="utf-8"), folder)
    source = _FENCE.sub("", text)
    test = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)
    report: list[str] = []
    results = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append)
    assert results.failed == 0, "".join(report)


WITH_EXAMPLES = ["docs/api.md", "docs/bots.md", "docs/notation.md"]
WITH_EXAMPLES += sorted(SLOW - {"docs/tutorials/index.md"})


@pytest.mark.parametrize("page", WITH_EXAMPLES)
def test_there_are_examples(page: str) -> None:
    """The test above would not miss them."""
    assert ">>> " in (ROOT / page).read_text(encoding="utf-8")


# ---------------------------------------------------------------- what is typed in a shell


def run_in_shell(line: str, folder: Path) -> str:
    """What a line prints into a pipe, without blanks at the ends of lines."""
    foreign = ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS")
    env = {name: value for name, value in os.environ.items() if name not in foreign}
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
    env["PYTHONIOENCODING"] = "utf-8"
    env["LC_ALL"] = "C.UTF-8"  # in English
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
    )
    return without_blanks(done.stdout)


def without_blanks(text: str) -> str:
    """At the ends of lines."""
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


AND_ITS_END = '; echo "exit code $?"'


def run_line(line: str, folder: Path) -> str:
    """What a line prints; a shell is started only for those that need more of it than words."""
    plain = line.removesuffix(AND_ITS_END)
    command, *arguments = shlex.split(plain)
    if command != "coatl" or any(sign in plain for sign in (";", "|", " > ", "$")):
        return run_in_shell(line, folder)
    done = program.quick_run(*arguments, cwd=folder)
    end = "" if plain == line else f"exit code {done.code}\n"
    return without_blanks(done.out + done.err) + end


@compiled_only
@pytest.mark.games
@pytest.mark.parametrize("page", PAGES_WITH_COMMANDS)
def test_commands_print_what_the_page_says(page: str, tmp_path: Path) -> None:
    """Everything after ``$`` in a page, one after another; files that any page shows are there."""
    for other in PAGES:
        write_files(other.read_text(encoding="utf-8"), tmp_path)
    blocks = _CONSOLE.findall((ROOT / page).read_text(encoding="utf-8"))
    commands = [command for block in blocks for command in _COMMAND.finditer(block)]
    assert commands
    for command in commands:
        output = run_line(command["line"], tmp_path)
        same = doctest.OutputChecker().check_output(command["output"], output, doctest.ELLIPSIS)
        assert same, f"$ {command['line']}\n{command['output']}\n--- but it prints:\n{output}"


def test_no_command_is_left_out() -> None:
    """The test above would miss a page, or a command outside a block for it."""
    texts = {page_name(page): page.read_text(encoding="utf-8") for page in PAGES}
    assert [page for page, text in texts.items() if "\n$ " in text] == PAGES_WITH_COMMANDS
    for text in texts.values():
        assert "\n$ " not in _CONSOLE.sub("", text)


def commands_of(command: Any, name: str = "coatl") -> Iterator[tuple[str, Any]]:
    """A command and those below it, by their full names."""
    yield name, command
    for word, below in getattr(command, "commands", {}).items():
        yield from commands_of(below, f"{name} {word}")


CLI = dict(commands_of(typer.main.get_command(app)))


@pytest.mark.parametrize("name", CLI)
def test_every_option_is_documented(name: str) -> None:
    """docs/cli.md has a section for each command, whose table has exactly its options."""
    parameters = CLI[name].params
    options = {text for option in parameters for text in (*option.opts, *option.secondary_opts)}
    arguments = {text for text in options if not text.startswith("-")}
    text = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
    if not parameters and getattr(CLI[name], "commands", None):  # only a folder of commands
        assert all(f"`{name} {word}`" in text for word in CLI[name].commands)
        return
    section = text.split(f"\n## `{name}`\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`--.*?) \|", section, re.MULTILINE)
    assert {word for cell in cells for word in re.findall(r"--[\w-]+", cell)} == options - arguments
    words = [param.opts[0].upper() for param in parameters if param.opts[0] in arguments]
    assert f"`{' '.join([name, *words])}`" in section or not words


def test_every_command_of_the_terminal_game_is_documented() -> None:
    text = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
    section = text.split("\n### What you type\n")[1].split("\n### ")[0]
    assert set(re.findall(r"^\| `(.*?)` \|", section, re.MULTILINE)) == set(COMMANDS)


@compiled_only
def test_the_picture_is_true() -> None:
    """If not, `make pictures` draws it anew; look at it."""
    drawn = terminal_picture.draw_picture()
    assert drawn == terminal_picture.PICTURE.read_text(encoding="utf-8")
    assert "://" not in drawn.replace('xmlns="http://www.w3.org/2000/svg"', "")  # fetches nothing


@compiled_only
def test_the_picture_of_the_table_is_true() -> None:
    """In its words; what is round them depends on the version of Textual."""
    drawn, kept = table_picture.draw_picture(), table_picture.PICTURE.read_text(encoding="utf-8")
    assert words_of(drawn) == words_of(kept)
    assert "://" not in kept.replace('xmlns="http://www.w3.org/2000/svg"', "")  # fetches nothing


def words_of(svg: str) -> list[str]:
    return html.unescape(" ".join(re.findall(r"<text [^>]*>([^<]*)</text>", svg))).split()


# ---------------------------------------------------------------- links


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

    plain = fields.Fields.__init__

    def listening(self: fields.Fields, text: str) -> None:
        plain(self, text)
        self.values, self.flags = Values(self.values), Flags(self.flags)

    monkeypatch.setattr(fields.Fields, "__init__", listening)
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


VIEW_STRUCTS: list[type[msgspec.Struct]] = [
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


REPORT_STRUCTS: list[type[msgspec.Struct]] = [
    cli_simulate.SimulationReport,
    cli_simulate.SeatReport,
    cli_simulate.Spread,
    cli_simulate.CardReport,
    arena_report.ArenaReport,
    arena_report.MatchReport,
    arena_report.Share,
    arena_report.PlayerReport,
]


def documented_fields(page: str, name: str) -> set[str]:
    """The first column of the table after ``#### `SeatView` ``."""
    text = (ROOT / page).read_text(encoding="utf-8")
    section = text.split(f"\n#### `{name}`\n")[1].split("\n\n")[0]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return {field for cell in cells for field in re.findall(r"`([^`]+)`", cell)}


@pytest.mark.parametrize("struct", VIEW_STRUCTS, ids=lambda struct: struct.__name__)
def test_every_field_is_documented(struct: type[msgspec.Struct]) -> None:
    fields = {field.name for field in msgspec.structs.fields(struct)}
    assert documented_fields("docs/api.md", struct.__name__) == fields


@pytest.mark.parametrize("struct", REPORT_STRUCTS, ids=lambda struct: struct.__name__)
def test_every_field_of_a_report_is_documented(struct: type[msgspec.Struct]) -> None:
    fields = {field.name for field in msgspec.structs.fields(struct)}
    assert documented_fields("docs/cli.md", struct.__name__) == fields


def test_every_field_of_a_result_is_documented() -> None:
    fields = {field.name for field in dataclasses.fields(GameResult)}
    assert documented_fields("docs/bots.md", "GameResult") == fields


def test_every_method_is_documented() -> None:
    """docs/api.md names everything public of a game."""
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    public = [name for name in vars(Game) if not name.startswith("_")]
    missing = [name for name in public if not re.search(rf"`(coatl\.)?[gG]ame\.{name}\b", text)]
    assert missing == []


@pytest.mark.parametrize("struct", [Move, Event, Spot], ids=lambda struct: struct.__name__)
def test_every_field_of_moves_and_events_is_documented(struct: type[msgspec.Struct]) -> None:
    fields = {field.name for field in msgspec.structs.fields(struct)}
    assert documented_fields("docs/api.md", struct.__name__) == fields


@pytest.mark.parametrize("kinds", [MoveKind, EventKind, SpotKind], ids=lambda kinds: kinds.__name__)
def test_every_kind_is_documented(kinds: type[StrEnum]) -> None:
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    assert [kind for kind in kinds if f"`{kind}`" not in text] == []
