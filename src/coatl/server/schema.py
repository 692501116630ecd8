"""The database: tables, their tokens and their logs."""

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

log = Table(
    "log",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("entry", LargeBinary, nullable=False),  # JSON, see coatl.table.entries
    Column("at", Float, nullable=False),
    sqlite_with_rowid=False,  # rows of a table lie together
)
