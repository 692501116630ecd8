"""`coatl bots`: the opponents there are, from one table with the server and the page."""

from __future__ import annotations

from rich.table import Table

from coatl.players.bots import BOTS, LADDER, YARDSTICK, Bot
from coatl.players.registry import player_names, stand_in_note
from coatl.text.drawing import make_console


def show_bots() -> None:
    """Opponents from the weakest to the strongest, then the yardsticks."""
    console = make_console()
    console.print("Opponents", style="bold")
    console.print(_table(sorted(_of(LADDER), key=_strength)))
    console.print("\nYardsticks, for measuring", style="bold")
    console.print(_table(_of(YARDSTICK)))
    console.print("\nStrength: 400 more win ten times out of eleven (docs/strength.md).")
    note = stand_in_note(player_names())
    if note:
        console.print(note)


def _of(kind: str) -> list[Bot]:
    return [bot for bot in BOTS if bot.kind == kind]


def _strength(bot: Bot) -> int:
    return bot.strength or 0


def _table(bots: list[Bot]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("name", no_wrap=True)
    table.add_column("strength", justify="right")
    table.add_column("how it plays", overflow="fold")
    for bot in bots:
        table.add_row(bot.name, str(bot.strength or "-"), bot.text["en"])
    return table
