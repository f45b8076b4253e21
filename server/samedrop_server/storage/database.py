"""The database: connections for readers and for the one writer, alike for SQLite and PostgreSQL.

Engines are synchronous and used from threads (docs/adr/0010). Which statements are run is others'. A database that
lives in memory is refused: tests take a file in a temporary folder.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Literal, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine.interfaces import DBAPIConnection

from samedrop_rules import canonical_json
from samedrop_server.storage.errors import DatabaseError, ForeignDatabase, NotMigrated, TooNew, explained
from samedrop_server.storage.models import SCHEMA_REVISION, VERSION_TABLE
from samedrop_server.storage.place import Place, find_place

__all__ = ["Database", "DatabaseError", "check_revision", "make_engine", "stored_revision"]

READERS = 4
"""Threads, and connections, for reading."""
LOCK_MILLIS = 5_000
"""How long a statement waits for another program's lock before it fails."""

Durability = Literal["normal", "full"]
Role = Literal["reader", "writer", "maker"]
T = TypeVar("T")


class Database:
    """One database. Nothing is opened before it is needed."""

    def __init__(self, url: str, *, durability: Durability = "normal", lock_millis: int = LOCK_MILLIS) -> None:
        """With `durability` full a commit to SQLite is on the disk before it returns; normal fears a power cut only.

        (PostgreSQL is as durable as its own settings say.)

        Raises:
            UnusableUrl: see `find_place`.
        """
        self.place = find_place(url)
        self._reader = make_engine(self.place, "reader", lock_millis=lock_millis)
        self._writer = make_engine(self.place, "writer", durability, lock_millis=lock_millis)
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="samedrop-reader")

    async def read(self, function: Callable[[Connection], T]) -> T:
        """What `function` reads, in a thread, from one unchanging state of the database.

        Raises:
            DatabaseError: the database cannot be read.
        """
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.read_now, function)

    def read_now(self, function: Callable[[Connection], T]) -> T:
        """`read` for those who may wait: what `function` reads.

        Raises:
            DatabaseError: the database cannot be read.
        """
        with self.connected("reader") as connection, connection.begin():
            return function(connection)

    def write_now(self, function: Callable[[Connection], T]) -> T:
        """What `function` returns after writing, in one transaction of its own.

        Raises:
            DatabaseError: the database cannot be written; nothing of it is stored.
        """
        with self.connected("writer") as connection, connection.begin():
            return function(connection)

    async def check_writable(self) -> None:
        """Check, over new connections, that the database takes a transaction: by one that changes nothing.

        Raises:
            DatabaseError: it does not.
        """
        await asyncio.get_running_loop().run_in_executor(self._threads, self._check_writable)

    def _check_writable(self) -> None:
        # Connections that stood before the trouble may lead to a file that is not there any more.
        self._reader.dispose()
        self._writer.dispose()
        statement = text(f"UPDATE {VERSION_TABLE} SET version_num = version_num")
        self.write_now(lambda connection: connection.execute(statement))

    @contextmanager
    def connected(self, role: Role) -> Iterator[Connection]:
        """A connection for the length of the block; trouble with it, too, comes as `DatabaseError`."""
        self.place.require_file()
        engine = self._reader if role == "reader" else self._writer
        with explained(str(self.place)), engine.connect() as connection:
            yield connection

    def connect_writer(self) -> Connection:
        """A connection that its owner keeps, and closes.

        Raises:
            DatabaseError: the database cannot be opened.
        """
        self.place.require_file()
        with explained(str(self.place)):
            return self._writer.connect()

    def check(self) -> None:
        """Check that the database can be used by this program.

        Raises:
            DatabaseError: Unreachable, ForeignDatabase, NotMigrated or TooNew.
        """
        self.read_now(lambda connection: check_revision(connection, self.place))

    def close(self) -> None:
        """Close all connections, once the readers have finished."""
        self._threads.shutdown(cancel_futures=True)
        self._reader.dispose()
        self._writer.dispose()


def make_engine(
    place: Place, role: Role, durability: Durability = "normal", *, lock_millis: int = LOCK_MILLIS
) -> Engine:
    """An engine for readers, for the writer, or for the maker: who may make an SQLite file, and rebuild its tables."""
    if place.file is None:
        return create_engine(
            place.url,
            pool_size=READERS,
            pool_pre_ping=role == "reader",
            isolation_level="REPEATABLE READ" if role == "reader" else "READ COMMITTED",
            json_serializer=canonical_json,
            connect_args={"connect_timeout": 5, "options": f"-c lock_timeout={lock_millis}"},
        )
    uri = f"{place.file.as_uri()}?mode={'rwc' if role == 'maker' else 'rw'}"
    engine = create_engine(
        place.url,
        pool_size=READERS,
        json_serializer=canonical_json,
        # With no isolation level of its own the driver leaves transactions to the listener below.
        creator=lambda: sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False),
    )
    pragmas = [f"busy_timeout = {lock_millis}", f"foreign_keys = {'off' if role == 'maker' else 'on'}"]
    if role == "reader":
        pragmas += ["query_only = on"]
    else:
        pragmas += ["journal_mode = wal", f"synchronous = {durability}"]

    @event.listens_for(engine, "connect")
    def prepare(connection: DBAPIConnection, _record: object) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer takes the lock at once: one who begins by reading could not be made to wait for it later.
        driver_connection = connection.connection.driver_connection
        assert isinstance(driver_connection, sqlite3.Connection)
        driver_connection.execute("BEGIN" if role == "reader" else "BEGIN IMMEDIATE")

    return engine


def stored_revision(connection: Connection, place: Place) -> str | None:
    """The revision of the database's tables; None if there are none.

    Raises:
        ForeignDatabase: there are others' tables.
    """
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE not in tables:
        if tables:
            raise ForeignDatabase(f"{place} is not a samedrop database: it holds other tables.")
        return None
    revision: str | None = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))
    return revision


def check_revision(connection: Connection, place: Place) -> None:
    """Check that the tables are those that this program knows.

    Raises:
        ForeignDatabase, NotMigrated, TooNew
    """
    revision = stored_revision(connection, place)
    if revision is None or revision < SCHEMA_REVISION:
        raise NotMigrated(f"{place} is not up to date; bring it up to date with: samedrop db upgrade")
    if revision > SCHEMA_REVISION:
        raise TooNew(f"{place} was written by a newer samedrop (revision {revision}); use that one, or a newer one.")
