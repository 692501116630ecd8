"""The legal moves as a numbered list, in groups that fit on a few lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from coatl.moves import Move, MoveKind
from coatl.text.board import pieces_in
from coatl.text.drawing import label
from coatl.view import ViewData

MOST_OF_A_GROUP = 14  # more are folded, until somebody asks for all
INDENT = 11


GROUPS = {
    MoveKind.TAKE: "Take",
    MoveKind.PICK: "Prophecy",
    MoveKind.DRAW: "Prophecy",
    MoveKind.BEGIN: "Assemble",
    MoveKind.ADD: "Assemble",
    MoveKind.FULFIL: "Lay",
    MoveKind.TEMPLE: "Lay",
    MoveKind.TOKEN: "Token",
    MoveKind.DROP: "Discard",
    MoveKind.DONE: "Or",
    MoveKind.PASS: "Or",
}


def list_choices(
    view: ViewData, moves: Sequence[Move], everything: bool, width: int = 80
) -> Iterator[Text]:
    """One block of text a group: ``12 take b3 (K G)``."""
    groups: dict[str, list[tuple[int, Move]]] = {}
    for number, move in enumerate(moves, 1):
        groups.setdefault(GROUPS[move.kind], []).append((number, move))
    for group, entries in groups.items():
        text = label(f"{group:<{INDENT}}")
        if len(entries) > MOST_OF_A_GROUP and not everything:
            first, last = entries[0], entries[-1]
            text.append(f"{first[0]} {first[1]} ... {last[0]} {last[1]}")
            text.append("   (moves lists them all)", "dim")
            yield text
            continue
        yield _wrapped(text, [_entry(view, number, move) for number, move in entries], width)


def _entry(view: ViewData, number: int, move: Move) -> Text:
    text = Text().append(f"{number} ", "cyan").append(move.text)
    if move.space is not None:
        text.append(f" ({' '.join(pieces_in(view, move.space))})")
    return text


def _wrapped(text: Text, entries: Sequence[Text], width: int) -> Text:
    """Entries side by side, broken between entries only."""
    column = INDENT
    for entry in entries:
        if column > INDENT and column + entry.cell_len >= width:
            text.append("\n" + " " * INDENT)
            column = INDENT
        text.append_text(entry).append("   ")
        column += entry.cell_len + 3
    return text
