"""Played through pipes: the input ends, moves come from a file, and the very first start."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.terminal_driver import (
    CTRL_C,
    PATIENCE,
    PROGRAM,
    Terminal,
    environment,
    run_piped,
)

POLITE = "\nGoodbye.\n"


# ---------------------------------------------------------------- the end of the input


@pytest.mark.slow
def test_the_end_of_the_input_ends_the_game_politely() -> None:
    """The moves are echoed, so that the output reads like a session; the last line has no end."""
    done = subprocess.run(
        [PROGRAM, "play", "--terminal", "--seed", "4"],
        input=b"done\ntake b3",
        capture_output=True,
        env=environment(),
        timeout=PATIENCE,
        check=True,
    )
    output = done.stdout.decode()
    assert "You> done\n" in output
    assert "You> take b3\n  You take R, R from b3\n" in output
    assert output.endswith(f"You> \n{POLITE}")
    assert "\x1b" not in output


@pytest.mark.slow
def test_an_input_that_is_closed_is_an_input_that_has_ended() -> None:
    command = f'"{PROGRAM}" play --seed 4 <&-'
    done = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0


def test_bytes_that_are_no_text_are_no_move() -> None:
    lines = ["\udcff\udcfe", "why \udcff", "done"]
    done = run_piped("play", "--seed", "4", lines=lines, cold=True, PYTHONIOENCODING="utf-8:strict")
    assert "Traceback" not in done.errors
    assert done.code == 0
    assert "Turn 1: You" in done.output


@pytest.mark.games
def test_nobody_reading_on_is_no_error() -> None:
    command = f'"{PROGRAM}" play --seed 4 < /dev/null | head -2'
    done = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        env=environment(),
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout.count(b"\n") == 2
    assert done.stderr == b""


@pytest.mark.games
def test_letters_that_the_output_lacks_are_replaced() -> None:
    done = run_piped(
        "play", "--people", "Zoë,Ben", "--seed", "4", cold=True, PYTHONIOENCODING="ascii"
    )
    assert (done.code, done.errors) == (0, "")
    assert "Zo? (you): 0 points ---" in done.output


# ---------------------------------------------------------------- whole games


@pytest.mark.games
@pytest.mark.parametrize("options", ["--solo", "--people 2"])
def test_always_the_first_move_comes_to_an_end(options: str) -> None:
    """As far as the input goes; a game that is over asks for nothing more."""
    done = run_piped("play", "--seed", "1", *options.split(), lines=["1"] * 400)
    assert (done.code, done.errors) == (0, "")
    assert ("Score sheet:" in done.output) != (POLITE in done.output)


# ---------------------------------------------------------------- names


def test_names_are_shown_as_they_are() -> None:
    names = ("[/x]", "[red]Ana", ":snake:", "%s")
    done = run_piped("play", "--people", ",".join(names), "--seed", "4", lines=["done"])
    assert (done.code, done.errors) == (0, "")
    assert "Setup: [/x] ==" in done.output
    assert "\n[/x] (you): 0 points" in done.output
    for name in names[1:]:
        assert f"\n{name}: 0 points" in done.output


# ---------------------------------------------------------------- the very first start


@pytest.mark.games
def test_on_a_terminal_the_first_start_counts_in_one_line(tmp_path: Path) -> None:
    """Who does not want to wait may leave."""
    arguments = ("play", "--terminal", "--seed", "1")
    cache = str(tmp_path)
    with Terminal(*arguments, cold=True, COATL_CACHE_DIR=cache, COATL_QUIET="") as terminal:
        line = terminal.read(r": [1-9]\d* %, 30 s if it is idle")
        shares = re.findall(r"\rCompiling the rules for this machine, once: (\d+) %", line)
        assert shares[0] == "0"
        assert all(len(shown) < 80 for shown in line.split("\r"))
        assert "\n" not in line
        assert terminal.visible().count("Compiling") == 1
        terminal.press(CTRL_C, at_prompt=False)
        assert "Traceback" not in terminal.last_words()
        assert terminal.code == 130
