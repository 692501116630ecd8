"""Run by Alembic with a connection that `coatl.server.upgrade` gives it."""

from alembic import context

from coatl.server.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
