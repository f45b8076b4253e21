"""Pauses that the players of a match agreed on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "pauses",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("began", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_pauses"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_pauses_match_id_matches"),
        sqlite_with_rowid=False,
    )
