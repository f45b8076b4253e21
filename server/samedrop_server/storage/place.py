"""Where a database is: its URL, understood and mapped to the driver that is used."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from samedrop_server.storage.errors import Unreachable, UnusableUrl

_DRIVERS = {"sqlite": "sqlite+pysqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
_MAPPED = {"", "pysqlite", "aiosqlite", "psycopg", "psycopg_async", "psycopg2", "asyncpg"}
_EXAMPLES = "sqlite:///samedrop.db or postgresql://user@host/name"


@dataclass(frozen=True)
class Place:
    """Where a database is.

    Attributes:
        url: for SQLAlchemy, with the driver that is used.
        file: the absolute path of an SQLite database; None elsewhere.
    """

    url: URL
    file: Path | None

    def __str__(self) -> str:
        return str(self.file) if self.file else self.url.render_as_string(hide_password=True)

    def require_file(self) -> None:
        """Check that an SQLite file is there.

        Raises:
            Unreachable: it is missing, or is no file.
        """
        if self.file is None or self.file.is_file():
            return
        if self.file.exists():
            raise Unreachable(f"{self.file} is not a file.")
        self.require_folder()
        raise Unreachable(f"There is no database at {self.file}; make one with: samedrop db upgrade")

    def require_folder(self) -> None:
        """Check that an SQLite file could be made.

        Raises:
            Unreachable: its folder is missing, or must not be written.
        """
        if self.file is None:
            return
        folder = self.file.parent
        if not folder.is_dir():
            raise Unreachable(f"The folder of the database is missing: {folder}")
        if not os.access(folder, os.W_OK):
            raise Unreachable(f"The folder of the database must not be written: {folder}")

    def identity(self) -> tuple[int, int] | None:
        """What tells the SQLite file from any other that may come to its path; None elsewhere.

        Raises:
            FileNotFoundError: the file is gone.
        """
        if self.file is None:
            return None
        status = os.stat(self.file)
        return status.st_dev, status.st_ino


def find_place(text: str) -> Place:
    """The place that a URL names. URLs of other drivers for SQLite and PostgreSQL are taken as well.

    Raises:
        UnusableUrl: not a URL, no such kind of database, its driver is not installed, or an SQLite database without
            a file.
    """
    try:
        url = make_url(text)
    except ArgumentError:
        raise UnusableUrl(f"This is not the URL of a database; write for example {_EXAMPLES}") from None
    backend, _, driver = url.drivername.partition("+")
    if backend not in _DRIVERS or driver not in _MAPPED:
        raise UnusableUrl(f"There is no support for {url.drivername} databases; write for example {_EXAMPLES}")
    url = url.set(drivername=_DRIVERS[backend])
    if backend == "sqlite":
        return Place(url, _file(url))
    if find_spec("psycopg") is None:
        raise UnusableUrl("PostgreSQL needs its driver: pip install 'samedrop[postgresql]'")
    if "ssl" in url.query:
        url = url.set(query={("sslmode" if name == "ssl" else name): value for name, value in url.query.items()})
    return Place(url, None)


def _file(url: URL) -> Path:
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise UnusableUrl("The database must be a file, so that what was played stays: sqlite:///samedrop.db")
    if url.query or url.host:
        raise UnusableUrl(f"An SQLite URL has three slashes before the path and no options: sqlite:///{url.database}")
    return Path(url.database).absolute()
