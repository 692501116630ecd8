"""Alembic's revisions; imported only when a database is not at `HEAD`."""

HEAD = "0002"
READABLE = ("0001", HEAD)  # these have the same tables, tokens and logs
