"""A running game with people and bots at it, and the log that it can be rebuilt from.

No web in here: whoever serves a table asks it, stores the entry it returns, and then tells others.
"""

from coatl.table.entries import (
    Entry,
    Opened,
    PlaceKind,
    PlaceSpec,
    Practice,
    decode_entry,
    encode_entry,
)
from coatl.table.errors import TableError
from coatl.table.table import NoteKind, Status, Table

__all__ = [
    "Entry",
    "NoteKind",
    "Opened",
    "PlaceKind",
    "PlaceSpec",
    "Practice",
    "Status",
    "Table",
    "TableError",
    "decode_entry",
    "encode_entry",
]
