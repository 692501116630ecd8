"""`coatl play` in a real terminal, in plain mode, and where Textual is missing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cli.program import compiled
from tests.cli.terminal_driver import Terminal, run_piped
from tests.test_lazy_import import loaded_after

pytestmark = [compiled, pytest.mark.slow]
CTRL_Q = "\x11"
PLAY_WITHOUT_TEXTUAL = """
import sys
sys.modules["textual"] = None
from coatl.cli import play
from coatl.cli.play_request import PlayRequest
play.Prompt.interactive = property(lambda self: True, lambda self, value: None)
play.TerminalSession.run = lambda self: print("plain")
play.play(PlayRequest(seed="4"))
"""


def test_in_a_terminal_the_table_fills_the_screen() -> None:
    with Terminal("play", "--terminal", "--seed", "4", rows=24, COATL_PLAIN="") as terminal:
        terminal.wait(r"Rules.*Menu")
        terminal.press(CTRL_Q)
        rest = terminal.last_words()
        assert terminal.code == 0
        assert "Traceback" not in rest
        assert terminal.written.count("\x1b[?1049h") == 1  # another screen, which is left again
        assert terminal.written.count("\x1b[?1049l") == 1


@pytest.mark.parametrize(
    ("option", "variable", "kind"),
    [
        ("--plain", "", "xterm-256color"),
        ("--hints", "1", "xterm-256color"),
        ("--hints", "", "dumb"),
    ],
)
def test_in_plain_mode_it_is_told_line_by_line(option: str, variable: str, kind: str) -> None:
    arguments = ("play", "--terminal", "--seed", "4", option)
    with Terminal(*arguments, COATL_PLAIN=variable, TERM=kind) as terminal:
        assert "Setup: You ===" in terminal.read("You> ")
        assert "\x1b[?1049h" not in terminal.written


def test_in_a_pipe_it_is_told_line_by_line() -> None:
    done = run_piped("play", "--terminal", "--seed", "4", lines=["done"], COATL_PLAIN="")
    assert done.code == 0
    assert "Setup: You ===" in done.output


def test_textual_is_loaded_for_the_table_only() -> None:
    assert "textual" not in loaded_after("import coatl.cli.main, coatl.cli.play, coatl.cli.learn")
    assert "textual" in loaded_after("import coatl.cli.application.app")


def test_without_textual_a_line_says_how_to_get_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAY_WITHOUT_TEXTUAL],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "TERM": "xterm-256color"},
    )
    assert done.stdout == "plain\n", done.stderr
    assert done.stderr.count("\n") == 1
    assert "pip install 'textual" in done.stderr
