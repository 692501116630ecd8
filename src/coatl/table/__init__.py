"""A running game with people and bots at it, and the log that it can be rebuilt from.

It knows nothing of the web: whoever serves a table calls it, stores the entry it returns, and
then publishes the change.
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
from coatl.table.status import NoteKind, Status
from coatl.table.table import SUBSTITUTE_BOT, Table

__all__ = [
    "SUBSTITUTE_BOT",
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
