"""What the screens show, compared with the text files in `snapshots`, at both sizes."""

from __future__ import annotations

from functools import partial

import pytest
from rich.cells import cell_len

from tests.cli.application.driver import (
    SMALL,
    WIDE,
    Player,
    compare,
    game_after,
    kept_moves,
    new_game,
    run,
)
from tests.cli.program import compiled

pytestmark = compiled


async def take_snapshots(name: str, player: Player) -> None:
    """At both sizes: the table follows the terminal."""
    for size in (WIDE, SMALL):
        await player.resize(*size)
        lines = player.text.split("\n")
        assert len(lines) == size[1]
        assert max(map(cell_len, lines)) <= size[0]
        compare(f"{name}-{size[0]}", player.text)


def test_the_first_screen_of_a_game() -> None:
    run(partial(take_snapshots, "setup"), new_game(bots="greedy,greedy"))


def test_the_middle_of_a_game_with_tokens() -> None:
    moves = kept_moves("two_players")[:-1]
    screen = game_after(moves, ["You", "bot:greedy"], players=2, tokens=True)
    run(partial(take_snapshots, "middle"), screen)


def test_solo() -> None:
    screen = game_after(kept_moves("solo"), ["You"], solo=[2, 4])
    run(partial(take_snapshots, "solo"), screen)


def test_the_menu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coatl.cli.application.home.Home._todays", lambda _: "2026-11-18")
    run(partial(take_snapshots, "menu"))
