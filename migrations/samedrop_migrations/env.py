"""Alembic's environment: runs on the connection, and in the transaction, that `samedrop_migrations` hands it.

To write a new revision, see docs/adr/0010.
"""

from __future__ import annotations

from alembic import context

from samedrop_server.storage.models import VERSION_TABLE, Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    version_table=VERSION_TABLE,
    # SQLite cannot alter most things in place: the table is rebuilt.
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
