"""The database: tables, their tokens, logs and analyses; and what several processes agree on."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", Float, nullable=False),
    Column("secret", String(64), nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", LargeBinary(32), primary_key=True),  # SHA-256: the token itself is not kept
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("role", String(8), nullable=False),  # coatl.server.roles.Role
    Column("place", Integer),
)
Index("tokens_of_a_table", tokens.c.table_id)
_OF_A_SEAT = tokens.c.role == "seat"
Index(
    "one_token_for_a_place",
    tokens.c.table_id,
    tokens.c.place,
    unique=True,
    sqlite_where=_OF_A_SEAT,
    postgresql_where=_OF_A_SEAT,
)

log = Table(
    "log",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("entry", LargeBinary, nullable=False),  # JSON, see coatl.table.entries
    Column("at", Float, nullable=False),
    sqlite_with_rowid=False,  # rows of a table lie together
)

# An analysis of a finished game: of a table's, or of a file, which has no table.
analyses = Table(
    "analyses",
    metadata,
    Column("id", String(64), primary_key=True),  # the table's, or made from the record
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE")),
    Column("depth", String(16), nullable=False),  # of what is found
    Column("asker", LargeBinary(32)),  # the hash of the token that asked for it
    Column("wanted", Boolean, nullable=False),  # it is under way, and was not cancelled
    Column("done", Integer, nullable=False),  # steps
    Column("steps", Integer, nullable=False),  # 0: not known yet
    Column("found", LargeBinary),  # JSON, see coatl.analysis.analysis: what is there to go on from
    Column("report", LargeBinary),  # JSON, see coatl.analysis.data: the last that was finished
    Column("at", Float, nullable=False),  # when it was last written
)
Index("analyses_of_a_table", analyses.c.table_id)

# What one process at a time does, such as letting a table's bots think. `until` is a time by the
# database's clock: whoever does not say so again in time has lost it.
leases = Table(
    "leases",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("process", String(32), nullable=False),
    Column("until", Float, nullable=False),
)

# What all processes have to know, such as the salt with which they tell each other of addresses.
facts = Table(
    "facts",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", String(64), nullable=False),
)
