"""Completion in bash, zsh and fish: commands, options, and the names of bots."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable

import pytest

from coatl.players.registry import player_names
from tests.cli import program
from tests.cli.commands import every_command

pytestmark = program.compiled

COMMANDS = [name for name in every_command() if " " not in name]
PLAY = ["--terminal", "--people", "--bots", "--solo", "--levels", "--tokens", "--no-tokens"]
PLAY += ["--promo", "--fewer-bodies", "--deck", "--seed", "--load", "--hints", "--plain"]
PLAY += ["--help"]


def bash(line: str) -> list[str]:
    """What bash offers for the last word of a line."""
    env = {"COMP_WORDS": line, "COMP_CWORD": str(len(re.split(" +", line)) - 1)}
    return program.output(env=env | {"_COATL_COMPLETE": "complete_bash"}).split()


def zsh(line: str) -> list[str]:
    env = {"_TYPER_COMPLETE_ARGS": line, "_COATL_COMPLETE": "complete_zsh"}
    text = program.output(env=env)
    return re.findall(r'[(\n]"((?:[^"\\]|\\.)*)"', text)


def fish(line: str) -> list[str]:
    env = {"_TYPER_COMPLETE_ARGS": line, "_COATL_COMPLETE": "complete_fish"}
    text = program.output(env=env | {"_TYPER_COMPLETE_FISH_ACTION": "get-args"})
    return [offer.partition("\t")[0] for offer in text.splitlines() if offer]


SHELLS = pytest.mark.parametrize("shell", [bash, zsh, fish])


@SHELLS
@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("coatl ", COMMANDS),
        ("coatl sim", ["simulate"]),
        ("coatl s", [name for name in COMMANDS if name.startswith("s")]),
        ("coatl deck ", ["check"]),
        ("coatl play --", PLAY),
        ("coatl simulate --jo", ["--jobs"]),
        ("coatl simulate --bots gr", ["greedy"]),
        ("coatl simulate --bots greedy,ra", ["greedy,random"]),
        ("coatl play --bots greedy,", [f"greedy,{name}" for name in player_names()]),
        ("coatl simulate --bots champ", []),
    ],
)
def test_offers(shell: Callable[[str], list[str]], line: str, offers: list[str]) -> None:
    assert shell(line) == offers


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell(shell: str) -> None:
    script = program.output(env={"_COATL_COMPLETE": f"source_{shell}"})
    assert f"_COATL_COMPLETE=complete_{shell}" in script
    assert re.search(r"\bcoatl\b", script)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "offers"),
    [("coatl sim", "simulate"), ("coatl simulate --bots greedy,ra", "greedy,random")],
)
def test_in_a_bash_of_flesh_and_blood(words: str, offers: str) -> None:
    """The script is read in, and its function called as the Tab key does."""
    count = len(words.split())
    lines = [
        f'coatl() {{ {" ".join(program.COMMAND)} "$@"; }}; export -f coatl',
        'eval "$(_COATL_COMPLETE=source_bash coatl)"',
        f"COMP_WORDS=({words}) COMP_CWORD={count - 1}",
        f"_coatl_completion '{program.COMMAND[0]}'",
        'echo "${COMPREPLY[@]}"',
    ]
    done = subprocess.run(
        ["bash", "--norc", "-c", "\n".join(lines)],
        capture_output=True,
        text=True,
        env=program.environment(),
        timeout=program.PATIENCE,
        check=True,
    )
    assert (done.stdout, done.stderr) == (f"{offers}\n", "")
