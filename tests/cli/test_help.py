"""`coatl --help` and its kind: they end well, name everything, and are quick to start."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from coatl import __version__
from tests.cli import program
from tests.cli.commands import every_command

pytestmark = program.compiled

OURS = ("play", "simulate", "score", "cards", "rules", "replay", "warmup", "deck", "deck check")
HEAVY = ("numba", "numpy", "llvmlite")


def test_there_are_our_commands() -> None:
    assert set(OURS) <= set(every_command())


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_the_help_names_every_command(arguments: tuple[str, ...]) -> None:
    text = program.output(*arguments, quick=False)
    assert "Usage: coatl" in text
    names = {name for name in every_command() if " " not in name}
    assert names <= set(program.words(text))


@pytest.mark.parametrize("name", every_command())
def test_the_help_of_a_command_names_its_options(name: str) -> None:
    text = program.output(*name.split(), "--help")
    assert f"Usage: coatl {name}" in text
    command = every_command()[name]
    options = {word for option in command.params for word in option.opts if word.startswith("--")}
    arguments = {option.metavar for option in command.params if not option.opts[0].startswith("-")}
    assert options | arguments <= set(re.findall(r"[\w-]+", text))
    assert command.help
    assert program.flowing(command.help) in program.flowing(text)


def test_deck_alone_shows_its_help() -> None:
    assert program.output("deck") == program.output("deck", "--help")


def test_the_version() -> None:
    assert program.output("--version", quick=False) == f"coatl {__version__}\n"


PROBE = """
import json, sys
from coatl.cli.main import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
loaded = {name.partition(".")[0] for name in sys.modules}
print(json.dumps(sorted(loaded)), file=sys.stderr)
"""


def packages_loaded(*arguments: str, **changes: str) -> set[str]:
    """The packages that a command loads, ours and others."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        capture_output=True,
        text=True,
        env=program.environment(**changes),
        timeout=program.PATIENCE,
        check=True,
    )
    found: list[str] = json.loads(done.stderr)
    return set(found)


@pytest.mark.parametrize("arguments", [("--help",), (), ("--version",), ("simulate", "--help")])
def test_help_does_not_load_the_compiler(arguments: tuple[str, ...]) -> None:
    assert packages_loaded(*arguments).isdisjoint(HEAVY)


def test_the_probe_would_notice() -> None:
    assert packages_loaded("simulate", "--games", "1").issuperset(HEAVY)


def test_completion_does_not_load_the_compiler() -> None:
    changes = {"_COATL_COMPLETE": "complete_bash", "COMP_CWORD": "3"}
    assert packages_loaded(COMP_WORDS="coatl simulate --bots gr", **changes).isdisjoint(HEAVY)
