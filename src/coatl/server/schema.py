"""The database: tables, their tokens and their logs; and what several processes agree on."""

from __future__ import annotations

from sqlalchemy import (
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
