"""The package `samedrop_migrations` as a whole."""

from __future__ import annotations

import multiprocessing
import sqlite3
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import create_engine, text

import samedrop_migrations
from samedrop_server.storage.database import Database
from samedrop_server.storage.errors import (
    DamagedLog,
    DatabaseError,
    ForeignDatabase,
    NotMigrated,
    TooNew,
    Unreachable,
    UnusableUrl,
)
from samedrop_server.storage.ledger import Ledger
from samedrop_server.storage.loading import load_match
from samedrop_server.storage.models import SCHEMA_REVISION, VERSION_TABLE, Base
from samedrop_server.storage.place import find_place
from tests.support.stored import STARTED, played


def schema(url: str) -> set[str]:
    """Every table and index of an SQLite database, as the statement that made it."""
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        rows = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> ?", (VERSION_TABLE,))
        statements = {row[0] for row in rows}
    connection.close()
    return statements


def set_revision(url: str, revision: str) -> None:
    change = text(f"UPDATE {VERSION_TABLE} SET version_num = '{revision}'")
    database = Database(url)
    database.write_now(lambda connection: connection.execute(change))
    database.close()


def test_the_models_name_the_newest_revision() -> None:
    assert samedrop_migrations.head() == SCHEMA_REVISION


def test_models_and_migrations_agree(url: str) -> None:
    assert samedrop_migrations.check() == []
    assert samedrop_migrations.check(url) == []


def test_migrations_make_the_same_statements_as_the_models(sqlite_url: str, tmp_path: Path) -> None:
    """Stricter than the comparison above, which does not see the names of keys, or WITHOUT ROWID."""
    other = f"sqlite:///{tmp_path / 'models.db'}"
    engine = create_engine(other)
    Base.metadata.create_all(engine)
    engine.dispose()
    assert schema(sqlite_url) == schema(other)


def test_a_difference_is_found(url: str) -> None:
    database = Database(url)
    database.write_now(lambda connection: connection.execute(text("DROP INDEX ix_matches_started_id")))
    database.write_now(lambda connection: connection.execute(text("ALTER TABLE rooms ADD COLUMN colour TEXT")))
    database.close()
    differences = samedrop_migrations.check(url)
    assert len(differences) == 2
    assert "ix_matches_started_id" in "".join(differences)
    assert "colour" in "".join(differences)


def test_an_upgrade_makes_a_database_that_can_be_used(empty_url: str) -> None:
    samedrop_migrations.upgrade(empty_url)
    assert samedrop_migrations.current(empty_url) == samedrop_migrations.head()
    database = Database(empty_url)
    database.check()
    ledger = Ledger(database)
    ledger.commit(played().records)
    ledger.close()
    database.close()


def test_upgrading_again_changes_nothing(url: str) -> None:
    database = Database(url)
    ledger = Ledger(database)
    match = played()
    ledger.commit(match.records)
    samedrop_migrations.upgrade(url)
    found = database.read_now(lambda connection: load_match(connection, match.match.id))
    assert found is not None
    assert len(found.log) == len(match.log)
    ledger.close()
    database.close()


@pytest.mark.parametrize("revision", [f"{int(SCHEMA_REVISION) + 1:04}", "9999", "zzzz"])
def test_a_newer_database_is_refused_and_left_alone(url: str, revision: str) -> None:
    set_revision(url, revision)
    with pytest.raises(TooNew, match=f"newer samedrop .*{revision}"):
        samedrop_migrations.upgrade(url)
    assert samedrop_migrations.current(url) == revision
    with pytest.raises(TooNew):
        samedrop_migrations.check(url)


def test_an_empty_database_is_told_from_one_up_to_date(empty_url: str, tmp_path: Path) -> None:
    (tmp_path / "samedrop.db").touch()
    assert samedrop_migrations.current(empty_url) is None
    with pytest.raises(NotMigrated):
        samedrop_migrations.check(empty_url)


def test_others_databases_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "songs.db"
    url = f"sqlite:///{file}"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE songs (id INTEGER)")
    connection.close()
    with pytest.raises(ForeignDatabase, match="other tables"):
        samedrop_migrations.upgrade(url)
    assert schema(url) == {"CREATE TABLE songs (id INTEGER)"}


def test_places_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="folder of the database is missing"):
        samedrop_migrations.upgrade(f"sqlite:///{tmp_path / 'none' / 'a.db'}")
    with pytest.raises(Unreachable, match="is not a file"):
        samedrop_migrations.upgrade(f"sqlite:///{tmp_path}")
    with pytest.raises(UnusableUrl):
        samedrop_migrations.upgrade("mysql://host/name")
    for look in (samedrop_migrations.current, samedrop_migrations.check):
        with pytest.raises(Unreachable, match="There is no database"):
            look(f"sqlite:///{tmp_path / 'a.db'}")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_upgrade_leaves_the_database_as_it_was(
    empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted at its very end: all tables had been made."""
    with monkeypatch.context() as patched:
        patched.setattr(samedrop_migrations, "_require_whole", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            samedrop_migrations.upgrade(empty_url)
    assert samedrop_migrations.current(empty_url) is None
    samedrop_migrations.upgrade(empty_url)
    assert samedrop_migrations.check(empty_url) == []


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_an_upgrade_does_not_leave_rows_that_refer_to_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    samedrop_migrations.upgrade(url)
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("INSERT INTO rooms VALUES ('r', 'c', 't', 1, 'nobody', 1)")
        connection.execute(f"DELETE FROM {VERSION_TABLE}")
        for table in Base.metadata.tables:
            if table != "rooms":
                connection.execute(f"DROP TABLE {table}")
        connection.execute("ALTER TABLE rooms RENAME TO kept")
    connection.close()
    # The old row refers to a player who is not among those of the new tables.
    with pytest.raises(DamagedLog, match="refer to nothing"):
        samedrop_migrations.upgrade(url)
    assert samedrop_migrations.current(url) is None


def _upgrade(url: str, outcomes: multiprocessing.Queue[str]) -> None:
    try:
        samedrop_migrations.upgrade(url)
        outcomes.put("done")
    except DatabaseError as error:
        outcomes.put(error.text)


def test_several_programs_may_upgrade_at_once(empty_url: str) -> None:
    context = multiprocessing.get_context("spawn")
    outcomes: multiprocessing.Queue[str] = context.Queue()
    processes = [context.Process(target=_upgrade, args=(empty_url, outcomes)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [outcomes.get(timeout=10) for _ in processes] == ["done"] * len(processes)
    assert samedrop_migrations.check(empty_url) == []


EARLIER = [f"{number:04}" for number in range(1, int(SCHEMA_REVISION))]


@pytest.mark.parametrize("revision", EARLIER)
def test_an_upgrade_from_every_earlier_revision_keeps_all_rows(revision: str, tmp_path: Path) -> None:
    """A database as that revision made it, with players, rooms, a finished and a running match."""
    full, old = (f"sqlite:///{tmp_path / name}" for name in ("full.db", "old.db"))
    samedrop_migrations.upgrade(full)
    database = Database(full)
    ledger = Ledger(database)
    finished, running = played(), played("match-two", ("Cid", "Dan"), started=STARTED + 1)
    ledger.commit([*finished.records, *running.beginning, *running.log])
    ledger.close()
    database.close()

    with samedrop_migrations._connected(find_place(old)) as connection:
        command.upgrade(samedrop_migrations._config(connection), revision)
    with sqlite3.connect(tmp_path / "old.db") as both:
        both.execute("ATTACH ? AS full", (str(tmp_path / "full.db"),))
        tables = [row[0] for row in both.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")]
        for table in set(tables) - {VERSION_TABLE}:
            columns = ", ".join(row[1] for row in both.execute(f"PRAGMA main.table_info({table})"))
            both.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM full.{table}")
    both.close()

    samedrop_migrations.upgrade(old)
    assert schema(old) == schema(full)
    assert rows(old) == rows(full)
    database = Database(old)
    for match in (finished, running):
        found = database.read_now(lambda connection, match=match: load_match(connection, match.match.id))  # type: ignore[misc]
        assert found is not None
        assert len(found.log) == len(match.log)
    database.close()


def rows(url: str) -> dict[str, list[tuple[object, ...]]]:
    """All rows of every table."""
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        found = {
            table: list(connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")) for table in Base.metadata.tables
        }
    connection.close()
    return found
