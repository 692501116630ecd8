"""The golden transcripts are what the rules play today; `make golden` renews them on purpose."""

from __future__ import annotations

import pytest

from tests.golden.transcript import FOLDER, GAMES, transcript


@pytest.mark.parametrize("name", GAMES)
def test_transcript(name: str) -> None:
    mode, seed = GAMES[name]
    assert transcript(mode, seed) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_transcript_belongs_to_a_game() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(GAMES)
