"""Alembic's revisions; imported only when a database is not at `HEAD`."""

HEAD = "0002"
