from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, insert, select, text

from samedrop_server.storage.database import Database
from samedrop_server.storage.errors import ForeignDatabase, NotMigrated, NotStored, TooNew, Unreachable
from samedrop_server.storage.models import SCHEMA_REVISION, VERSION_TABLE, Player


def add_player(connection: Connection, name: str = "Ann") -> None:
    connection.execute(insert(Player), {"id": name, "token_hash": name, "name": name, "created": 1})


def count(connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(Player)) or 0


async def test_what_is_written_can_be_read(database: Database) -> None:
    database.write_now(add_player)
    assert await database.read(count) == 1


def test_a_block_that_fails_writes_nothing(database: Database) -> None:
    def fail(connection: Connection) -> None:
        add_player(connection)
        raise KeyError

    with pytest.raises(KeyError):
        database.write_now(fail)
    assert database.read_now(count) == 0


def test_a_database_up_to_date_passes_the_check(database: Database) -> None:
    database.check()


@pytest.mark.parametrize(("revision", "kind"), [("0000", NotMigrated), ("9999", TooNew), ("abc", TooNew)])
def test_another_revision_is_refused(database: Database, revision: str, kind: type[Exception]) -> None:
    database.write_now(
        lambda connection: connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '{revision}'"))
    )
    with pytest.raises(kind):
        database.check()


def test_an_empty_database_is_not_migrated(empty_url: str, tmp_path: Path) -> None:
    (tmp_path / "samedrop.db").touch()
    database = Database(empty_url)
    with pytest.raises(NotMigrated, match="samedrop db upgrade"):
        database.check()
    database.close()


def test_others_tables_are_not_ours(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE songs (id INTEGER)")
    other.close()
    database = Database(f"sqlite:///{tmp_path / 'other.db'}")
    with pytest.raises(ForeignDatabase, match="other tables"):
        database.check()
    database.close()


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("This is a text, and it is longer than the header of a database file is.\n" * 20)
    database = Database(f"sqlite:///{tmp_path / 'text.db'}")
    with pytest.raises(ForeignDatabase, match="not a database of ours"):
        database.check()
    database.close()


def test_a_missing_file_is_not_made(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'none.db'}")
    with pytest.raises(Unreachable, match="There is no database"):
        database.check()
    assert not (tmp_path / "none.db").exists()
    database.close()


def test_a_server_that_does_not_answer_is_told() -> None:
    pytest.importorskip("psycopg")
    database = Database("postgresql://user:secret@127.0.0.1:1/name")
    with pytest.raises(Unreachable) as raised:
        database.check()
    assert "secret" not in raised.value.text
    database.close()


@pytest.mark.parametrize(("durability", "level"), [("normal", 1), ("full", 2)])
def test_every_sqlite_connection_is_set_up(sqlite_url: str, durability: str, level: int) -> None:
    database = Database(sqlite_url, durability="full" if durability == "full" else "normal")
    with database.connected("writer") as writer, database.connected("reader") as reader:
        for connection in (writer, reader):
            assert connection.scalar(text("PRAGMA foreign_keys")) == 1
            assert connection.scalar(text("PRAGMA busy_timeout")) == 5000
            assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert writer.scalar(text("PRAGMA synchronous")) == level
        assert reader.scalar(text("PRAGMA query_only")) == 1
    database.close()


def test_readers_do_not_write(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    with pytest.raises(Unreachable, match="may not be written"):
        database.read_now(add_player)
    database.close()


def test_a_writer_takes_the_lock_at_once(sqlite_url: str) -> None:
    database = Database(sqlite_url, lock_millis=20)

    def try_another(connection: Connection) -> None:
        with pytest.raises(NotStored, match="locked"):
            database.write_now(lambda _connection: None)
        add_player(connection)

    database.write_now(try_another)
    assert database.read_now(count) == 1
    database.close()


def test_a_reader_sees_one_state_while_others_write(database: Database) -> None:
    def read_twice(connection: Connection) -> tuple[int, int]:
        before = count(connection)
        database.write_now(add_player)
        return before, count(connection)

    assert database.read_now(read_twice) == (0, 0)
    assert database.read_now(count) == 1


async def test_readers_run_beside_each_other_and_off_the_loop(database: Database) -> None:
    together = threading.Barrier(3, timeout=10)

    def meet(_connection: Connection) -> int:
        together.wait()
        return threading.get_ident()

    assert threading.get_ident() not in await asyncio.gather(*(database.read(meet) for _ in range(3)))


def test_the_models_name_their_revision() -> None:
    assert SCHEMA_REVISION.isdigit()
    assert len(SCHEMA_REVISION) == 4
