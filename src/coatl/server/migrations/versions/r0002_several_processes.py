"""One token for each place, and what several processes on one database agree on."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_OF_A_SEAT = sa.text("role = 'seat'")


def upgrade() -> None:
    op.create_index(
        "one_token_for_a_place",
        "tokens",
        ["table_id", "place"],
        unique=True,
        sqlite_where=_OF_A_SEAT,
        postgresql_where=_OF_A_SEAT,
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("process", sa.String(32), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "facts",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.String(64), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("facts")
    op.drop_table("leases")
    op.drop_index("one_token_for_a_place", "tokens")
