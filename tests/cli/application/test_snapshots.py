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
SIZES = pytest.mark.parametrize("size", [WIDE, SMALL], ids=["100x30", "80x24"])


async def take_snapshot(name: str, player: Player) -> None:
    size = player.app.size
    lines = player.text.split("\n")
    assert len(lines) == size.height
    assert max(map(cell_len, lines)) <= size.width
    compare(f"{name}-{size.width}", player.text)


@SIZES
def test_the_first_screen_of_a_game(size: tuple[int, int]) -> None:
    run(partial(take_snapshot, "setup"), new_game(bots="greedy,greedy"), size)


@SIZES
def test_the_middle_of_a_game_with_tokens(size: tuple[int, int]) -> None:
    moves = kept_moves("two_players")[:-1]
    screen = game_after(moves, ["You", "bot:greedy"], players=2, tokens=True)
    run(partial(take_snapshot, "middle"), screen, size)


@SIZES
def test_solo(size: tuple[int, int]) -> None:
    screen = game_after(kept_moves("solo"), ["You"], solo=[2, 4])
    run(partial(take_snapshot, "solo"), screen, size)


@SIZES
def test_the_menu(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coatl.cli.application.home.Home._todays", lambda _: "2026-11-18")
    run(partial(take_snapshot, "menu"), None, size)
