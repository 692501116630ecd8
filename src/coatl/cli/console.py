"""Where the program writes, and how it fails: with one clear line and exit code 2."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    pass

USAGE_ERROR = 2
INTERRUPTED = 130


class Failure(Exception):  # noqa: N818 - it ends the command, for a reason the user can fix
    """What went wrong, in one line for the user."""


def fail(message: str) -> NoReturn:
    """End the program because of something the user can fix."""
    line = " ".join(message.split())
    print(f"coatl: {line}", file=sys.stderr)
    raise SystemExit(USAGE_ERROR)


def read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise Failure(f"{file}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise Failure(f"{file}: this is not a text file in UTF-8") from None
    except ValueError as error:  # a name that no file can have
        raise Failure(f"{file}: {error}") from None


def expected_errors() -> tuple[type[Exception], ...]:
    """What a wrong argument or a broken file can raise; imported only when something was raised."""
    from coatl.errors import IllegalMove, NotationError, PositionError, RecordError
    from coatl.options import OptionsError
    from coatl.players.registry import UnknownPlayer
    from coatl.rulebook import UnknownRule
    from coatl.rules.cards import DeckError

    return (
        *(Failure, OSError, DeckError, OptionsError, UnknownPlayer, UnknownRule),
        *(IllegalMove, NotationError, PositionError, RecordError),
    )


def describe(error: Exception) -> str:
    """An expected error without its number and class."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)
