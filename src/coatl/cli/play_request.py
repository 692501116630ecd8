"""What `coatl play` was asked for; reading it loads nothing of the game."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path


@dataclass
class PlayRequest:
    """What was asked for on the command line."""

    people: str | None = None
    bots: str | None = None
    solo: bool = False
    levels: str | None = None
    tokens: bool | None = None
    promo: bool = False
    fewer_bodies: bool = False
    deck: Path | None = None
    seed: str | None = None
    load: Path | None = None
    hints: bool = False
    plain: bool = False  # not as an application

    @property
    def is_empty(self) -> bool:
        """Was nothing said about the game?"""
        return all(
            getattr(self, field.name) == field.default
            for field in fields(self)
            if field.name != "plain"
        )

    @property
    def is_solo(self) -> bool:
        return self.solo or self.levels is not None
