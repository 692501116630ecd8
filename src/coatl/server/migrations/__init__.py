"""Alembic's revisions; imported only when a database is not at `HEAD`."""

HEAD = "0003"
READABLE = ("0001", "0002", HEAD)  # these have the same tables, tokens and logs
