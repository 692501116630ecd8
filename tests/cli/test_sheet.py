"""The last line of the score sheet: who won, and by which tie-break (F2, D9)."""

from __future__ import annotations

import numpy as np
import pytest

from coatl import Game
from coatl.cli.terminal.sheet import verdict as line
from coatl.game import Outcome
from coatl.rules.scoring import ranks, verdict

Row = tuple[int, int, int]


def told(monkeypatch: pytest.MonkeyPatch, players: int, *rows: Row) -> str:
    """The verdict if the seats had these points, cards and best Cóatl."""
    scores = np.array(rows).ravel()
    found = ranks(scores, players)
    winners = tuple(seat for seat, rank in enumerate(found) if rank == 1)
    points, cards, best = zip(*rows, strict=True)
    by = verdict(scores, players).by
    game = Game.new(solo=[]) if players == 1 else Game.new(players)
    outcome = Outcome(winners, points, cards, best, "third", found, by)
    monkeypatch.setattr(game, "outcome", lambda: outcome)
    return line(game, ["Ana", "Ben", "Eva"][:players])


def test_F2_each_tie_break_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, 2, (1, 9, 9), (2, 0, 0)) == "Ben wins with 2 points"
    by_cards = told(monkeypatch, 3, (9, 3, 9), (9, 4, 1), (8, 9, 9))
    assert by_cards == "Ben wins: a tie at 9, decided by the most cards (4)"
    by_coatl = told(monkeypatch, 3, (9, 4, 9), (9, 4, 8), (9, 3, 9))
    assert by_coatl == "Ana wins: a tie in points and cards, decided by the best Cóatl (9)"
    shared = told(monkeypatch, 3, (9, 4, 9), (1, 1, 1), (9, 4, 9))
    assert shared == "Ana and Eva share the win: a tie in points, cards and best Cóatl"


def test_D9_a_tie_with_adam_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    tie = told(monkeypatch, 1, (9, 4, 9), (9, 2, 0))
    assert tie == "A.D.A.M. wins: a tie at 9, and only more points win (D9)"
    assert told(monkeypatch, 1, (10, 1, 9), (9, 2, 0)) == "Ana wins with 10 points"
