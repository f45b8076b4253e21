"""Databases for tests: SQLite in a temporary folder, and PostgreSQL where SAMEDROP_TEST_POSTGRES names a server.

SAMEDROP_TEST_POSTGRES is the URL of a database whose user may create others, which the tests make and drop.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

import samedrop_migrations
from samedrop_server.storage.database import Database

POSTGRES = os.environ.get("SAMEDROP_TEST_POSTGRES")
needs_postgres = pytest.mark.skipif(POSTGRES is None, reason="SAMEDROP_TEST_POSTGRES is not set")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=needs_postgres)])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database without tables: of a file that is not there yet, or of an empty PostgreSQL database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'samedrop.db'}"
    else:
        yield from _postgres()


def _postgres() -> Iterator[str]:
    assert POSTGRES is not None
    server = make_url(POSTGRES).set(drivername="postgresql+psycopg")
    name = f"samedrop_test_{secrets.token_hex(6)}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
        yield server.set(database=name).render_as_string(hide_password=False)
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture
def url(empty_url: str) -> str:
    """The URL of a database with all tables, empty."""
    samedrop_migrations.upgrade(empty_url)
    return empty_url


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """A database with all tables, empty."""
    database = Database(url)
    yield database
    database.close()


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """The URL of a PostgreSQL database with all tables, empty; for tests that are marked `needs_postgres`."""
    for url in _postgres():
        samedrop_migrations.upgrade(url)
        yield url


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The URL of an SQLite database with all tables, empty, whose file is alone in its folder."""
    folder = tmp_path / "data"
    folder.mkdir()
    url = f"sqlite:///{folder / 'samedrop.db'}"
    samedrop_migrations.upgrade(url)
    return url
