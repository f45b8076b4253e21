"""Who comes into a room whose match runs: its password, who is banned, and who of the seated has left it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Apply; the rooms that are there have no password, and nobody is banned from them."""
    op.create_table(
        "admissions",
        sa.Column("room_id", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("banned", sa.JSON(), nullable=False),
        sa.Column("departed", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("room_id", name="pk_admissions"),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name="fk_admissions_room_id_rooms"),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO admissions (room_id, banned, departed) SELECT id, '[]', '[]' FROM rooms")
