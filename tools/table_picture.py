"""Draws docs/pictures/table-terminal.svg: the table in the terminal, by the application itself.

`make pictures` runs it, with the game of `tools.terminal_picture`; a test compares the words.
"""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path

from coatl.cli.application.app import CoatlApp
from coatl.cli.application.game_screen import GameScreen
from coatl.cli.terminal.session import TerminalSeat
from coatl.players import make_player
from tools.terminal_picture import TITLE, TURN, play_until

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "table-terminal.svg"
SIZE = (100, 30)
FONTS = 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace'


def draw_picture() -> str:
    return asyncio.run(_draw())


async def _draw() -> str:
    seats = [TerminalSeat("You"), TerminalSeat("greedy", make_player("greedy"))]
    app = CoatlApp(GameScreen(play_until(TURN), seats))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        return without_fonts(app.export_screenshot(title=TITLE))


def without_fonts(svg: str) -> str:
    """Textual's pictures fetch a font from elsewhere; this one takes what the reader has."""
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font-family: Fira Code[^;]*;", f"font-family: {FONTS};", svg)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    return "\n".join(line.rstrip() for line in svg.splitlines() if line.strip()) + "\n"


def main() -> None:
    PICTURE.write_text(draw_picture(), encoding="utf-8")
    print(f"written: {os.path.relpath(PICTURE)}")


if __name__ == "__main__":
    main()
