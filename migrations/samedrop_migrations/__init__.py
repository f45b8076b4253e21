"""Migrations: bring a database up to date, and check that models and migrations agree.

The Alembic environment beside this file needs no configuration file, so it works from a wheel. Each upgrade is one
transaction under the database's write lock: of two programs that upgrade at once one waits and finds nothing to do,
and one that is interrupted leaves the database as it was. There is no way back to an older revision but a backup.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from samedrop_server.storage.database import check_revision, make_engine, stored_revision
from samedrop_server.storage.errors import DamagedLog, TooNew, explained
from samedrop_server.storage.models import VERSION_TABLE, Base
from samedrop_server.storage.place import Place, find_place

_UPGRADE_LOCK = 0x5A3ED807
"""Any number that nobody else takes for an advisory lock in the same PostgreSQL database."""


def head() -> str:
    """The newest revision."""
    revision = ScriptDirectory.from_config(_config()).get_current_head()
    assert revision is not None
    return revision


def current(url: str) -> str | None:
    """The revision of a database; None if it holds nothing.

    Raises:
        DatabaseError: it cannot be read, or is not ours.
    """
    place = find_place(url)
    place.require_file()
    with _connected(place) as connection:
        return stored_revision(connection, place)


def upgrade(url: str) -> None:
    """Bring a database to the newest revision; an SQLite file is made if it is not there.

    Raises:
        DatabaseError: it cannot be used, is not ours, or is newer than the program. It is then as it was.
    """
    place = find_place(url)
    if place.file is not None and not place.file.exists():
        place.require_folder()
    else:
        place.require_file()
    with _connected(place) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _UPGRADE_LOCK})
        revision = stored_revision(connection, place)
        newest = head()
        if revision is not None and revision > newest:
            raise TooNew(f"{place} was written by a newer samedrop (revision {revision}, here {newest}); use that one.")
        if revision != newest:
            command.upgrade(_config(connection), newest)
            _require_whole(connection, place)


def check(url: str | None = None) -> list[str]:
    """What differs between the models and the migrations: nothing, if all is well.

    The migrations are run on a scratch database. With `url`, that database is compared as well.

    Raises:
        DatabaseError: the database cannot be read, is not ours, or is not at the newest revision.
    """
    with tempfile.TemporaryDirectory() as folder:
        scratch = f"sqlite:///{Path(folder) / 'scratch.db'}"
        upgrade(scratch)
        differences = _differences(scratch)
    if url is not None:
        differences += _differences(url)
    return differences


def _differences(url: str) -> list[str]:
    place = find_place(url)
    place.require_file()
    with _connected(place) as connection:
        check_revision(connection, place)
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        return [str(difference) for difference in compare_metadata(context, Base.metadata)]


@contextmanager
def _connected(place: Place) -> Iterator[Connection]:
    """A connection in a transaction that holds the write lock (SQLite)."""
    engine = make_engine(place, "maker")
    try:
        with explained(str(place)), engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def _require_whole(connection: Connection, place: Place) -> None:
    """Foreign keys are not enforced while tables are rebuilt, so they are checked once at the end."""
    if connection.dialect.name == "sqlite" and connection.execute(text("PRAGMA foreign_key_check")).first():
        raise DamagedLog(f"{place} holds rows that refer to nothing; it was not changed.")


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
