"""Errors that people meet. All are ``ValueError``s; each says what is wrong and which clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coatl.reasons import Reason


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a position, and the clause of docs/rules.md it breaks."""

    clause: str
    text: str

    def __str__(self) -> str:
        return f"{self.text} ({self.clause})"


class NotationError(ValueError):
    """A text that cannot be read; the message says what was expected.

    `why` is set where the text means something that the rules never allow.
    """

    def __init__(self, message: str, why: Reason | None = None) -> None:
        super().__init__(message)
        self.why = why


class PositionError(ValueError):
    """A position that the rules do not allow, with every problem found."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(problem.clause for problem in self.problems)


class IllegalMove(ValueError):  # noqa: N818 - it is the move that is illegal
    """A move that can be read but is not allowed now: the clause that forbids it, and the cause."""

    def __init__(self, move: str, why: Reason, position: str) -> None:
        self.move, self.position = move, position
        self.clause, self.reason, self.cause = why.clause, why.text, why.cause
        super().__init__(f"{move}: {why.text} ({why.clause})")  # the position may hold secrets


class RecordError(ValueError):
    """A record that cannot be read or does not agree with its own replay."""

    def __init__(self, line: int, reason: str) -> None:
        self.line, self.reason = line, reason
        super().__init__(f"line {line}: {reason}")
