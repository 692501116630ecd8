"""Analyses of finished games, beside the tables or of files."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE")),
        sa.Column("depth", sa.String(16), nullable=False),
        sa.Column("asker", sa.LargeBinary(32)),
        sa.Column("wanted", sa.Boolean, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("steps", sa.Integer, nullable=False),
        sa.Column("found", sa.LargeBinary),
        sa.Column("report", sa.LargeBinary),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("analyses_of_a_table", "analyses", ["table_id"])


def downgrade() -> None:
    op.drop_table("analyses")
