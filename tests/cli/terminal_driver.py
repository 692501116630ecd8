"""Drives the real program `coatl`: through a pseudo-terminal of 80 columns, and through pipes."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any

import pexpect  # type: ignore[import-untyped]
import pyte
from pexpect.fdpexpect import fdspawn  # type: ignore[import-untyped]

from tests.warm.process import WarmProcess

PROGRAM = Path(sys.executable).parent / "coatl"
COLUMNS, ROWS = 80, 50
PATIENCE = 60  # seconds; a first compilation may be among them
CTRL_C, CTRL_D, TAB, UP = "\x03", "\x04", "\t", "\x1b[A"
WIPE_SCROLLBACK = "\x1b[3J"
SLEEPING = "S"  # the state of a process in /proc

ESCAPE_CODE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
STYLE_CODE = re.compile(r"\x1b\[([0-9;]*)m")
GROUPS = ("Take", "Prophecy", "Assemble", "Lay", "Token", "Discard", "Or")
GROUP_LINE = re.compile(rf"(?:(?:{'|'.join(GROUPS)}) {{2,}}| {{11}})(?=\d)")

HIDE = r"Press Enter to hide your cards\. "
ALONE = r"press Enter when you are alone\. "
LEAVE = r"Keep the record in a file\? Its name, or Enter for no: "
SAVE = r"Save the game to a file\?[^:]*: "


def environment(**changes: str) -> dict[str, str]:
    """Ours, without what changes colours, width, keys or speed; with `changes`."""
    ignored = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "INPUTRC")
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ignored and not name.startswith(("NUMBA_", "COVERAGE_", "PYTHON"))
    }
    fixed = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "INPUTRC": os.devnull}
    fixed |= {"COATL_PLAIN": "1"}  # the application has tests of its own
    return kept | fixed | changes


def plain(text: str) -> str:
    """Without escape codes and bells, and with plain line ends."""
    return ESCAPE_CODE.sub("", text).replace("\r\n", "\n").replace("\a", "")


def start(
    arguments: Sequence[str | Path],
    files: tuple[int, int, int],
    env: dict[str, str],
    cwd: Path | None,
    cold: bool = False,
    controls_terminal: bool = False,
) -> WarmProcess | subprocess.Popen[bytes]:
    """Start ``coatl``; `cold`: as a shell does, for what matters before the kernel is loaded."""
    words = [str(argument) for argument in arguments]
    if not cold:
        return WarmProcess(words, files, env, cwd, controls_terminal=controls_terminal)
    stdin, stdout, stderr = files
    return subprocess.Popen(
        [str(PROGRAM), *words],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env=env,
        cwd=cwd,
        start_new_session=controls_terminal,
        preexec_fn=_take_terminal if controls_terminal else None,
    )


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


# ---------------------------------------------------------------- pipes


@dataclass(frozen=True)
class Finished:
    """What a program that read from a pipe has said."""

    output: str
    errors: str
    code: int


def run_piped(
    *arguments: str | Path,
    lines: Sequence[str] = (),
    cwd: Path | None = None,
    cold: bool = False,
    **changes: str,
) -> Finished:
    """Run ``coatl`` with `lines` as its input."""
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    with TemporaryFile() as output, TemporaryFile() as errors, TemporaryFile() as given:
        given.write(data)
        given.seek(0)
        files = (given.fileno(), output.fileno(), errors.fileno())
        process = start(arguments, files, environment(**changes), cwd, cold)
        code = process.wait(2 * PATIENCE)
        for file in (output, errors):
            file.seek(0)
        return Finished(
            output.read().decode("utf-8", "surrogateescape"), errors.read().decode(), code
        )


# ---------------------------------------------------------------- a pseudo-terminal


class Terminal:
    """``coatl`` in a pseudo-terminal: what is typed, what it writes, what the screen shows."""

    def __init__(
        self,
        *arguments: str | Path,
        cwd: Path | None = None,
        rows: int = ROWS,
        cold: bool = False,
        **changes: str,
    ) -> None:
        self.written = ""  # all of it, with escape codes
        self.screen = pyte.HistoryScreen(COLUMNS, rows, history=10_000)
        self._stream = pyte.Stream(self.screen)
        self._on_screen = 0  # how much of `written` the screen has been given
        master, slave = os.openpty()
        termios.tcsetwinsize(slave, (rows, COLUMNS))
        env = environment(**changes)
        self._process = start(arguments, (slave,) * 3, env, cwd, cold, controls_terminal=True)
        os.close(slave)
        self._written: Any = fdspawn(
            master,
            encoding="utf-8",
            codec_errors="replace",
            timeout=PATIENCE,
            maxread=65_536,
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait(PATIENCE)
        self._written.close()

    def press(self, keys: str, *, at_prompt: bool = True) -> None:
        if CTRL_C in keys and at_prompt:
            self._wait_until_it_listens()
        self._written.send(keys)

    def _wait_until_it_listens(self) -> None:
        """Until it sleeps, waiting for a key, having written its prompt.

        Python's readline writes a moment before it listens, and a Ctrl-C in between counts only
        with the next key. Nobody is that quick, but a test is when the machine is busy.
        """
        state = Path(f"/proc/{self._process.pid}/stat")
        if not state.exists():  # not Linux
            time.sleep(0.2)
            return
        end = time.monotonic() + PATIENCE
        while state.read_text().rpartition(") ")[2][0] != SLEEPING:
            assert time.monotonic() < end, "it never waits for a key"
            time.sleep(0.01)

    def enter(self, line: str = "") -> None:
        self.press(f"{line}\r")

    def wait(self, *patterns: str) -> int:
        """Read on to the first of some patterns; which of them, -1 for the end of the program."""
        found = int(self._written.expect([pexpect.EOF, *patterns]))
        after = self._written.after if found else ""
        self.written += self._written.before + after
        return found - 1

    def read(self, pattern: str) -> str:
        """What is written up to a pattern and with it, without escape codes."""
        start = len(self.written)
        assert self.wait(pattern) == 0, f"ended before {pattern!r}: {plain(self.written)[-2000:]}"
        return plain(self.written[start:])

    def answer(self, line: str, pattern: str) -> str:
        """Type a line; what is written then, up to a pattern and with it."""
        self.enter(line)
        return self.read(pattern)

    def last_words(self) -> str:
        """What is written up to the end of the program."""
        start = len(self.written)
        assert self.wait() == -1
        return plain(self.written[start:])

    @property
    def code(self) -> int | None:
        """The exit code of a program that has ended; None if a signal ended it."""
        code = self._process.wait(PATIENCE)
        return code if code >= 0 else None

    def visible(self) -> str:
        """What the screen shows now, and above it what can be scrolled back to."""
        self._stream.feed(self.written[self._on_screen :])
        self._on_screen = len(self.written)
        history = [
            "".join(line[column].data for column in range(COLUMNS))
            for line in self.screen.history.top
        ]
        return "\n".join(line.rstrip() for line in [*history, *self.screen.display]).rstrip()


def prompt_of(*names: str) -> str:
    """A pattern for the question that asks one of some people for a move."""
    return rf"(?:^|[\r\n]|\x1b\[\?2004h)(?:{'|'.join(map(re.escape, names))})> "


# ---------------------------------------------------------------- the list of moves


@dataclass(frozen=True)
class Offer:
    """A numbered move; one that the list has folded away has no text."""

    number: int
    group: str
    text: str | None


def read_offers(text: str) -> list[Offer]:
    """The numbered moves in what was written, in order."""
    offers: dict[int, Offer] = {}
    folded: list[Offer] = []
    group = ""
    for line in plain(text).splitlines():
        if GROUP_LINE.match(line) is None:
            continue
        group = line[:11].strip() or group
        if " ... " in line:
            folded += _unfold(group, line[11:])
        else:
            entries = re.split(r" {3,}", line[11:].strip())
            offers |= {offer.number: offer for offer in map(_read_offer, repeat(group), entries)}
    for offer in folded:
        offers.setdefault(offer.number, offer)
    assert sorted(offers) == list(range(1, len(offers) + 1)), text
    return [offers[number] for number in sorted(offers)]


def _read_offer(group: str, entry: str) -> Offer:
    number, _, move = entry.partition(" ")
    return Offer(int(number), group, move.partition(" (")[0])


def _unfold(group: str, line: str) -> list[Offer]:
    """``18 token pick <K ... 45 token priest 2   (moves lists them all)``.

    Some of the numbers between may belong to another group.
    """
    shown, _, hint = line.partition("   ")
    assert hint.strip() == "(moves lists them all)"
    first, last = (_read_offer(group, entry) for entry in shown.split(" ... "))
    between = [Offer(number, group, None) for number in range(first.number + 1, last.number)]
    return [first, *between, last]


def last_table(text: str) -> str:
    """The last table in what was written, with all that follows."""
    titles = re.finditer(r"^(?:Turn|Setup).* =+$", text, re.MULTILINE)
    return text[max(title.start() for title in titles) :]


# ---------------------------------------------------------------- people who play

EAGERNESS = {  # how gladly a group of moves is chosen; laying and taking bring a game to its end
    "Lay": 60.0,
    "Assemble": 10.0,
    "Take": 12.0,
    "Prophecy": 5.0,
    "Token": 0.5,
    "Discard": 0.5,
    "Or": 3.0,
}
MISTAKES = (  # never a legal move
    *("", "   ", "xyz", "0", "-1", "999999", "1.5", "1 1", "²", "٣٣٣", "[/red]", ":snake:", "%s"),
    *("take", "take b9", "take b1 b2", "pick", "pick ZZZ", "new", "new Q", "1:", "9+Q", "drop"),
    *("token", "token pick", "token priest 7", "step", "done done", "Ünïcödé ❤", "help me"),
)
QUESTIONS = (
    *("help", "?", "moves", "cards", "board", "log", "undo", "save", "why", "why xyz", "why 1"),
    *("why 999", "why take b1", "why new <K", "why 1+K>", "why draw", "why token future"),
)
MOST_LINES = 3000  # far more than any of these games takes


class Crowd:
    """All the people of one game at a terminal: by lot, with mistakes, to the score sheet."""

    def __init__(self, terminal: Terminal, names: Sequence[str], seed: int) -> None:
        self.terminal = terminal
        self.chooser = Random(seed)
        self.offers: list[Offer] = []
        self.mistakes = 0.1  # how often something else than a move is typed
        self._prompt = prompt_of(*names)

    def play(self) -> str:
        """Play to the end; what is written after the last move, down to the question to save."""
        for _ in range(MOST_LINES):
            start = len(self.terminal.written)
            at = self.terminal.wait(self._prompt, HIDE, ALONE, LEAVE)
            text = plain(self.terminal.written[start:])
            assert at >= 0, f"the program has ended: {text[-3000:]}"
            assert "Traceback" not in text
            if at == 3:
                return text
            if at == 0:
                self.offers = read_offers(text) or self.offers
                self.terminal.enter(self.decide(text))
            else:
                self.at_curtain(text)
                self.terminal.enter()
        raise AssertionError(f"no end after {MOST_LINES} lines")

    def at_curtain(self, text: str) -> None:
        """For tests that look at the screen while nobody may see a hand."""

    def decide(self, text: str) -> str:
        """The line to type now."""
        if self.chooser.random() < self.mistakes:
            return self.chooser.choice(self.chooser.choice((MISTAKES, QUESTIONS)))
        offer = self.choose()
        if offer.text is not None and self.chooser.random() < 0.3:
            return offer.text
        return str(offer.number)

    def choose(self) -> Offer:
        """A group first, as gladly as it is worth, then one of its moves."""
        groups = sorted({offer.group for offer in self.offers})
        eagerness = [EAGERNESS[group] for group in groups]
        group = self.chooser.choices(groups, eagerness)[0]
        return self.chooser.choice([offer for offer in self.offers if offer.group == group])
