"""Saving a game to a file, and how to go on with it."""

from __future__ import annotations

import shlex
from pathlib import Path

from coatl.game import Game


class CannotSave(Exception):  # noqa: N818 - the reason is for the person, who can name another file
    """Why a file cannot be written, in one sentence."""


def save_game(game: Game, name: str) -> str:
    """Write the record with its seed; a line that says how to go on. Raises `CannotSave`."""
    try:
        file = Path(name).expanduser()
        file.write_text(game.record(reveal_seed=True), encoding="utf-8")
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: no such user's home
        reason = error.strerror if isinstance(error, OSError) else error
        raise CannotSave(f"{name} cannot be written: {reason}.") from None
    how = "replay" if game.over else "play --terminal --load"
    return f"Saved. Go on with: coatl {how} {shlex.quote(str(file))}"
