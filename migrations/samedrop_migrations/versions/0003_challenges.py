"""Challenges: sealed deals that are played one after another until they open."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "challenges",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("deal_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("settings", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("opened", sa.BigInteger(), nullable=False),
        sa.Column("closes", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_challenges"),
        sa.ForeignKeyConstraint(["deal_id"], ["deals.id"], name="fk_challenges_deal_id_deals"),
        sa.ForeignKeyConstraint(["host_id"], ["players.id"], name="fk_challenges_host_id_players"),
    )
    op.create_index("ix_challenges_deal_id", "challenges", ["deal_id"])
