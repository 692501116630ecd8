"""Draws docs/pictures/terminal.svg: a turn of the terminal game, made by the program itself.

`make pictures` runs it. The game is played by bots from a fixed seed, so the picture is always the
same; a test compares it with the file.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from coatl.cli.terminal.choices import list_choices
from coatl.game import Game
from coatl.players import make_player
from coatl.simulate import player_chances
from coatl.text.board import YOU, Board
from coatl.text.drawing import piece_theme

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "terminal.svg"
SEED, TURN = "205", 27  # the middle of a game: one Cóatl complete, one worth closing
NAMES = (YOU, "greedy")
TITLE = "coatl play --terminal"
WIDTH = 80
FONT_ASPECT = 0.602  # width to height of a letter in Menlo and DejaVu Sans Mono

THEME = TerminalTheme(
    background=(13, 17, 23),
    foreground=(214, 219, 226),
    normal=[
        *((13, 17, 23), (224, 108, 95), (106, 184, 124), (214, 178, 90)),
        *((98, 148, 222), (186, 128, 204), (96, 190, 200), (214, 219, 226)),
    ],
)

# Rich's own template fetches a font from elsewhere; this one takes what the reader has.
TEMPLATE = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix, .{unique_id}-title {{
    font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
    font-size: {char_height}px;
    line-height: {line_height}px;
}}
.{unique_id}-title {{ font-size: 16px; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix" xml:space="preserve">
{matrix}
</g>
</g>
</svg>
"""


def play_until(turn: int) -> Game:
    """A game between two bots, up to a turn of the first seat."""
    game = Game.new(players=2, seed=SEED)
    bots = [make_player("greedy", player_chances(SEED, seat, 0)) for seat in (0, 1)]
    while game.turn < turn:
        assert game.seat is not None, "the game was over before that turn"
        view = game.view(game.seat)
        game.play(bots[game.seat].choose(view, view.moves))
    return game


def draw_picture() -> str:
    """The table and the moves as the first seat sees them, as SVG."""
    game = play_until(TURN)
    view = game.view(0)
    console = Console(
        record=True,
        width=WIDTH,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        no_color=False,
        legacy_windows=False,
        highlight=False,
    )
    console.push_theme(piece_theme(console.color_system))
    console.print(Board(game.deck, NAMES).draw(view.data))
    for block in list_choices(view.data, view.moves, everything=False):
        console.print(block)
    console.print(f"{YOU}> ", end="")
    svg = console.export_svg(
        title=TITLE,
        theme=THEME,
        code_format=TEMPLATE,
        font_aspect_ratio=FONT_ASPECT,
        unique_id="coatl",
    )
    return "\n".join(line.strip() for line in svg.splitlines() if line.strip()) + "\n"


def main() -> None:
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(draw_picture(), encoding="utf-8")
    print(f"written: {os.path.relpath(PICTURE)}")


if __name__ == "__main__":
    main()
