"""A running game with people and bots at it, and the log that it can be rebuilt from.

It knows nothing of the web: whoever serves a table calls it, stores the entry it returns, and
then publishes the change.
"""

from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
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

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """A table needs the kernel, which its log and the codes do not."""
        if name in ("SUBSTITUTE_BOT", "Table"):
            from coatl.table import table

            return getattr(table, name)
        raise AttributeError(f"module 'coatl.table' has no attribute {name!r}")
