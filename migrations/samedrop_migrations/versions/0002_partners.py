"""Teams: who shares a seat with its first holder."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "partners",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_partners"),
        sa.ForeignKeyConstraint(
            ["match_id", "seat"], ["seats.match_id", "seats.seat"], name="fk_partners_match_id_seat_seats"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_partners_player_id_players"),
        sqlite_with_rowid=False,
    )
    for first in ("player_id", "name"):
        columns = [first, "started", "match_id", "game"]
        op.create_index(f"ix_partners_{'_'.join(columns)}", "partners", columns)
