"""Asking for a line: with Tab completion on a terminal, echoed when the input is a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TextIO

from rich.console import Console

try:
    import readline
except ImportError:  # Windows has none: lines are edited, not completed
    readline = None  # type: ignore[assignment]


class Prompt:
    """Reads lines. `options` are what Tab can complete the line to."""

    def __init__(self, console: Console) -> None:
        self.console = console
        stdin: TextIO | None = sys.stdin  # closed by `<&-`
        self.interactive = stdin is not None and stdin.isatty() and sys.stdout.isatty()
        self.options: Sequence[str] = ()
        self._found: list[str] = []
        if self.interactive and readline is not None:
            self._set_up_completion()

    def _set_up_completion(self) -> None:
        readline.set_completer(self._complete)
        readline.set_completer_delims("")  # a move has spaces and signs; complete the whole line
        uses_libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if uses_libedit else "tab: complete")

    def _complete(self, text: str, number: int) -> str | None:
        if number == 0:
            self._found = [option for option in self.options if option.startswith(text)]
        return self._found[number] if number < len(self._found) else None

    def forget_lines(self) -> None:
        """The next person at the keyboard must not find them with the arrow keys."""
        if self.interactive and readline is not None:
            readline.clear_history()

    def ask(self, question: str, options: Sequence[str] = ()) -> str:
        """The next line without its ends; raises `EOFError` when there is none."""
        self.options = options
        if self.interactive:
            return input(question).strip()
        self.console.print(question, end="")
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            self.console.print()
            raise EOFError
        self.console.print(line.strip())
        return line.strip()
