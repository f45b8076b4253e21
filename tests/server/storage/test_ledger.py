from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select, text

from samedrop_server.storage.database import Database
from samedrop_server.storage.errors import DatabaseError, NotMigrated, NotStored, Unreachable
from samedrop_server.storage.ledger import Ledger
from samedrop_server.storage.loading import StoredMatch, load_match, load_unfinished
from samedrop_server.storage.models import Base, JournalCommit, Move, Player
from samedrop_server.storage.records import NewPlayer, Record, RenamedPlayer
from tests.support.databases import needs_postgres
from tests.support.stored import Played, played


@pytest.fixture
def ledger(database: Database) -> Iterator[Ledger]:
    ledger = Ledger(database)
    yield ledger
    ledger.close()


def rows(database: Database, table: type[Base]) -> int:
    return database.read_now(lambda connection: connection.scalar(select(func.count()).select_from(table)) or 0)


def stored(database: Database, match: Played) -> StoredMatch:
    found = database.read_now(lambda connection: load_match(connection, match.match.id))
    assert found is not None
    return found


def numbers(database: Database, match: Played) -> list[int | None]:
    """The numbers in the request ids of a stored log."""
    return [
        None if request is None else int(request.removeprefix("request-")) for _, request in stored(database, match).log
    ]


def test_all_kinds_of_records_go_into_one_batch_in_any_order(ledger: Ledger, database: Database) -> None:
    match = played()
    ledger.commit([*match.log, match.finished, match.match, *match.people])
    assert len(stored(database, match).log) == len(match.log)
    assert stored(database, match).finished == match.finished.finished


def test_a_match_stored_move_by_move_is_the_match(ledger: Ledger, database: Database) -> None:
    match = played()
    for record in match.records:
        ledger.commit([record])
    assert numbers(database, match) == list(range(1, len(match.log) + 1))
    assert rows(database, Move) == len(match.log)


def test_a_running_match_is_read_from_the_journal(ledger: Ledger, database: Database) -> None:
    match = played()
    ledger.commit(match.beginning)
    ledger.commit(match.log[:3])
    ledger.commit(match.log[3:5])
    assert numbers(database, match) == [1, 2, 3, 4, 5]
    assert rows(database, Move) == 0


def test_names_are_changed_in_order(ledger: Ledger, database: Database) -> None:
    ledger.commit([NewPlayer("a", "hash", "Ann", 1), RenamedPlayer("a", "Bea"), RenamedPlayer("a", "Cleo")])
    assert database.read_now(lambda connection: connection.scalar(select(Player.name))) == "Cleo"


def test_a_deal_played_again_is_stored_once(ledger: Ledger, database: Database) -> None:
    first, second = played("first", seed="same"), played("second", ("Cleo",), seed="same")
    ledger.commit(first.beginning)
    ledger.commit(second.beginning)
    assert stored(database, first).deal == stored(database, second).deal


@pytest.mark.parametrize("gather_entries", [1, 4, 7, 1000])
def test_gathering_changes_nothing_that_is_read(database: Database, gather_entries: int) -> None:
    ledger = Ledger(database, gather_entries)
    one, two = played("one"), played("two", ("Cleo", "Dan"))
    ledger.commit([*one.beginning, *two.beginning])
    for number, (first, second) in enumerate(zip(one.log, two.log, strict=True), 1):
        ledger.commit([first])
        ledger.commit([second])
        assert numbers(database, one) == numbers(database, two) == list(range(1, number + 1))
    ledger.commit([one.finished])
    assert numbers(database, one) == list(range(1, len(one.log) + 1))
    assert [match.id for match in database.read_now(load_unfinished)] == ["two"]
    ledger.close()


def test_gathering_empties_the_journal_but_for_its_last_row(database: Database) -> None:
    ledger = Ledger(database, gather_entries=5)
    match = played()
    ledger.commit(match.beginning)
    for entry in match.log[:5]:
        ledger.commit([entry])
    assert rows(database, JournalCommit) == 1
    ledger.close()


@pytest.mark.parametrize("gather_entries", [3, 1000])
def test_another_ledger_goes_on_where_the_last_one_stopped(database: Database, gather_entries: int) -> None:
    match = played()
    first = Ledger(database, gather_entries)
    first.commit([*match.beginning, *match.log[:2]])
    first.commit(match.log[2:5])
    # The first one is not closed: its process was killed.
    second = Ledger(database, gather_entries)
    second.commit([*match.log[5:], match.finished])
    assert numbers(database, match) == list(range(1, len(match.log) + 1))
    second.close()
    first.close()


DAMAGES = {
    "DELETE FROM moves WHERE match_id = 'one' AND number = 1": [2, 3, 4, 5],
    "UPDATE moves SET turn = 7 WHERE match_id = 'one' AND number = 1": [1, 2, 3, 4, 5],
    "DELETE FROM journal WHERE id = 4": [1, 2, 3, 5],
}
"""What is done to a match, and which of its five entries are moves afterwards."""


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_match_is_left_out_and_keeps_its_moves(database: Database, damage: str) -> None:
    one, two = played("one"), played("two", ("Cleo",))
    first = Ledger(database, gather_entries=4)
    first.commit([*one.beginning, *two.beginning])
    # The third batch is gathered, with those before it.
    for batch in (one.log[:1], one.log[1:2], [one.log[2], two.log[0]], one.log[3:4], [one.log[4], two.log[1]]):
        first.commit(batch)
    first.close()
    database.write_now(lambda connection: connection.execute(text(damage)))
    second = Ledger(database)
    for refused in (one.log[5], one.finished):
        with pytest.raises(NotStored, match="is damaged"):
            second.commit([refused])
    second.commit([*two.log[2:], two.finished])
    assert numbers(database, two) == list(range(1, len(two.log) + 1))
    kept = select(Move.number).where(Move.match_id == "one").order_by(Move.number)
    assert list(database.read_now(lambda connection: connection.scalars(kept))) == DAMAGES[damage]
    second.close()


def wrong_batches(match: Played) -> dict[str, list[Record]]:
    fourth = match.log[3]
    third = match.log[2]
    return {
        "the same entry again": [third],
        "a gap": [match.log[4]],
        "a turn that is stored, under a new number": [fourth._replace(turn=0)],
        "one right, then one wrong": [fourth, fourth],
        "a match that is not there": [fourth._replace(match_id="none")],
        "a player that is there": [NewPlayer("id-Ann", "other hash", "Ann", 1)],
        "a token that is there": [NewPlayer("other", "hash of Ann", "Ann", 1)],
        "a match that is there": [match.match],
        "a match without its players": [played("other", ("Nobody",), room=False).match],
        "a result of a match that is not there": [match.finished._replace(match_id="none")],
        "a result for a seat that is not there": [
            match.finished._replace(standings=played("other", ("A", "B", "C")).finished.standings)
        ],
        "no move that JSON knows": [fourth._replace(move=object())],  # type: ignore[arg-type]
    }


@pytest.mark.parametrize("what", wrong_batches(played()))
def test_a_batch_that_is_refused_leaves_nothing_and_the_next_one_is_stored(
    ledger: Ledger, database: Database, what: str
) -> None:
    match = played()
    ledger.commit([*match.beginning, *match.log[:3]])
    with pytest.raises((DatabaseError, TypeError)):
        ledger.commit([NewPlayer("new", "new hash", "New", 1), *wrong_batches(match)[what]])
    assert numbers(database, match) == [1, 2, 3]
    assert rows(database, Player) == 2
    ledger.commit([NewPlayer("new", "new hash", "New", 1), match.log[3]])
    assert numbers(database, match) == [1, 2, 3, 4]


def test_entries_of_a_finished_match_are_refused(ledger: Ledger, database: Database) -> None:
    match = played()
    ledger.commit(match.records)
    late = match.log[-1]._replace(number=len(match.log) + 1, turn=99)
    for batch in ([late], [match.finished]):
        with pytest.raises(NotStored, match="is finished"):
            ledger.commit(batch)
    assert len(stored(database, match).log) == len(match.log)


def test_of_two_writers_the_second_is_refused(url: str) -> None:
    """Two servers on one database: whatever is acknowledged by either is stored, once."""
    databases = [Database(url), Database(url)]
    ours, theirs = (Ledger(database) for database in databases)
    match = played()
    ours.commit(match.beginning)
    theirs.open()
    ours.commit(match.log[:1])
    with pytest.raises(DatabaseError):
        theirs.commit(match.log[:2])
    assert numbers(databases[0], match) == [1]
    theirs.commit(match.log[1:2])
    assert numbers(databases[0], match) == [1, 2]
    for ledger, database in zip((ours, theirs), databases, strict=True):
        ledger.close()
        database.close()


def test_a_locked_database_refuses_in_time_and_is_written_again_later(sqlite_url: str) -> None:
    database = Database(sqlite_url, lock_millis=50)
    ledger = Ledger(database)
    match = played()
    ledger.commit(match.beginning)
    other = sqlite3.connect(database.place.file or "", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(NotStored, match="locked"):
        ledger.commit(match.log[:1])
    with pytest.raises(NotStored, match="locked"):
        ledger.commit(match.log[:1])
    other.execute("ROLLBACK")
    other.close()
    ledger.commit(match.log[:1])
    assert numbers(database, match) == [1]
    ledger.close()
    database.close()


def test_a_folder_that_vanishes_is_noticed_and_used_again_once_it_is_back(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    assert database.place.file is not None
    folder = database.place.file.parent
    ledger = Ledger(database)
    match = played()
    ledger.commit([*match.beginning, *match.log[:1]])
    away = folder.with_name("away")
    os.rename(folder, away)
    for _ in range(2):
        with pytest.raises(DatabaseError):
            ledger.commit(match.log[1:2])
    assert not folder.exists()
    os.rename(away, folder)
    # SQLite wrote the refused move to the file that it had open: it is taken up, and not stored twice.
    following = len(stored(database, match).log)
    ledger.commit(match.log[following : following + 1])
    assert numbers(database, match) == list(range(1, following + 2))
    ledger.close()
    database.close()


def test_a_file_put_in_place_of_the_database_is_noticed(sqlite_url: str, tmp_path: Path) -> None:
    database = Database(sqlite_url)
    file = database.place.file
    assert file is not None
    ledger = Ledger(database)
    match = played()
    ledger.commit(match.beginning)
    database.read_now(lambda connection: connection.exec_driver_sql("SELECT 1"))
    ledger.close()
    database.close()
    database = Database(sqlite_url)
    ledger = Ledger(database)
    ledger.open()
    shutil.copy(file, tmp_path / "copy.db")
    os.replace(tmp_path / "copy.db", file)
    with pytest.raises(Unreachable, match="replaced"):
        ledger.commit(match.log[:1])
    ledger.close()
    database.close()


def test_a_database_that_is_not_up_to_date_is_not_opened(empty_url: str, tmp_path: Path) -> None:
    (tmp_path / "samedrop.db").touch()
    database = Database(empty_url)
    ledger = Ledger(database)
    with pytest.raises(NotMigrated):
        ledger.open()
    database.close()


def test_a_full_disk_refuses_and_is_written_again_later(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    ledger = Ledger(database)
    match = played()
    ledger.commit(match.beginning)

    def limit(pages: str) -> None:
        connection = ledger._connection
        assert connection is not None
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        connection.commit()

    limit("1")
    huge = match.log[0]._replace(request_id="x" * 10_000)
    with pytest.raises(NotStored, match="disk is full"):
        ledger.commit([huge])
    ledger.commit([huge])
    assert len(stored(database, match).log) == 1
    ledger.close()
    database.close()


@needs_postgres
def test_a_lost_connection_is_replaced(postgres_url: str) -> None:
    database = Database(postgres_url)
    ledger = Ledger(database)
    match = played()
    ledger.commit(match.beginning)

    def disconnect(connection: Connection) -> None:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )

    database.read_now(disconnect)
    with pytest.raises(DatabaseError):
        ledger.commit(match.log[:1])
    ledger.commit(match.log[:1])
    assert numbers(database, match) == [1]
    ledger.close()
    database.close()
