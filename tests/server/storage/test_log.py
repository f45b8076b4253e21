from __future__ import annotations

from functools import partial

import pytest
from sqlalchemy import Connection, text

from samedrop_rules import Ended, Entry
from samedrop_server.storage.database import Database
from samedrop_server.storage.errors import DamagedLog, NotStored
from samedrop_server.storage.log import (
    insert_commit,
    insert_missing_moves,
    insert_moves,
    last_commit,
    read_commits,
    read_journal,
    read_moves,
    stored_entry,
    whole_log,
)
from samedrop_server.storage.records import Logged
from samedrop_server.storage.writing import insert_matches, insert_players
from tests.support.stored import played

MATCH = played("match", room=False)


def entries(count: int, first: int = 1) -> list[Logged]:
    return [
        Logged("match", number, number % 2, number, None, '{"column":3}', None, number, 5 * number, "digest")
        for number in range(first, first + count)
    ]


def prepare(connection: Connection) -> None:
    insert_players(connection, MATCH.people)  # type: ignore[arg-type]
    insert_matches(connection, [MATCH.match])


@pytest.mark.parametrize("count", [0, 1, 700])
def test_moves_give_back_what_was_put_in(database: Database, count: int) -> None:
    def write_and_read(connection: Connection) -> list[Logged]:
        prepare(connection)
        insert_moves(connection, reversed(entries(count)))
        return read_moves(connection, "match")

    assert database.write_now(write_and_read) == entries(count)


def test_every_move_is_a_row(database: Database) -> None:
    def write_and_read(connection: Connection) -> list[tuple[object, ...]]:
        prepare(connection)
        insert_moves(connection, entries(3))
        columns = "match_id, seat, turn, number, request_id, move, stopped, at, score, digest"
        return [tuple(row) for row in connection.execute(text(f"SELECT {columns} FROM moves ORDER BY seat, turn"))]

    assert database.write_now(write_and_read) == [
        ("match", 0, 2, 2, None, '{"column":3}', None, 2, 10, "digest"),
        ("match", 1, 1, 1, None, '{"column":3}', None, 1, 5, "digest"),
        ("match", 1, 3, 3, None, '{"column":3}', None, 3, 15, "digest"),
    ]


def test_a_page_is_that_part_of_the_log(database: Database) -> None:
    log = entries(60)

    def write(connection: Connection) -> None:
        prepare(connection)
        # As gathering leaves it: a part at a time.
        for start, end in ((0, 3), (3, 4), (4, 40), (40, 60)):
            insert_moves(connection, log[start:end])

    database.write_now(write)
    for first in (1, 2, 39, 40, 60, 61, 90):
        for count in (1, 3, 80):
            last = first + count - 1
            page = database.read_now(partial(read_moves, match_id="match", first=first, last=last))
            assert page == log[first - 1 : last]


def test_a_seat_decides_a_turn_once(database: Database) -> None:
    again = entries(1, 4)[0]._replace(seat=1, turn=1)

    def write(connection: Connection) -> None:
        prepare(connection)
        insert_moves(connection, entries(3))

    database.write_now(write)
    with pytest.raises(NotStored):
        database.write_now(lambda connection: insert_moves(connection, [again]))
    database.write_now(lambda connection: insert_missing_moves(connection, [again, *entries(4)]))
    assert database.read_now(lambda connection: read_moves(connection, "match")) == entries(4)


def test_the_journal_gives_back_what_was_put_in(database: Database) -> None:
    def write_and_read(connection: Connection) -> list[tuple[int, list[Logged]]]:
        for commit in (7, 8, 10):
            insert_commit(connection, commit, entries(3, commit))
        return list(read_commits(connection))

    assert database.write_now(write_and_read) == [(commit, entries(3, commit)) for commit in (7, 8, 10)]


def test_the_journal_is_read_for_the_matches_that_are_asked_for(database: Database) -> None:
    other = [entry._replace(match_id="other") for entry in entries(2)]

    def write_and_read(connection: Connection) -> tuple[int, int, dict[str, list[Logged]]]:
        before = last_commit(connection)
        insert_commit(connection, 7, [entries(1)[0], other[0]])
        insert_commit(connection, 8, [other[1], entries(1, 2)[0]])
        return before, last_commit(connection), read_journal(connection, ["match", "quiet"])

    assert database.write_now(write_and_read) == (0, 8, {"match": entries(2), "quiet": []})


@pytest.mark.parametrize(
    "damage", ["", "[", "[[1]]", '{"seat":1}', '[["match",1,0,0,null,null,null,0,"many","digest"]]']
)
def test_a_damaged_row_of_the_journal_is_told(database: Database, damage: str) -> None:
    def write(connection: Connection) -> None:
        insert_commit(connection, 5, entries(3))
        connection.execute(text("UPDATE journal SET entries = :damage"), {"damage": damage})

    database.write_now(write)
    with pytest.raises(DamagedLog, match="Row 5 of the journal"):
        database.read_now(lambda connection: list(read_commits(connection)))


@pytest.mark.parametrize("damage", ["score = 'many'", "digest = x'00'"])
def test_a_damaged_move_is_told_with_its_place(sqlite_url: str, damage: str) -> None:
    """SQLite keeps what it is given, of whatever type."""
    database = Database(sqlite_url)

    def write(connection: Connection) -> None:
        prepare(connection)
        insert_moves(connection, entries(3))
        connection.execute(text(f"UPDATE moves SET {damage} WHERE number = 2"))

    database.write_now(write)
    with pytest.raises(DamagedLog, match="match match is damaged at entry 2"):
        database.read_now(lambda connection: read_moves(connection, "match"))
    database.close()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("DELETE FROM moves WHERE number = 1", "lacks entry 1"),
        ("DELETE FROM moves WHERE number = 4", "lacks entry 4"),
        ("UPDATE moves SET number = 3 WHERE number = 4", "has two entries 3"),
    ],
)
def test_a_log_with_a_gap_is_told(database: Database, damage: str, words: str) -> None:
    def write(connection: Connection) -> None:
        prepare(connection)
        insert_moves(connection, entries(6))
        connection.execute(text(damage))

    database.write_now(write)
    with pytest.raises(DamagedLog, match=words):
        database.read_now(lambda connection: read_moves(connection, "match"))


def test_entries_that_are_in_both_forms_count_once() -> None:
    assert whole_log(entries(3), [*entries(3), *entries(2, 4), *entries(2, 4)]) == entries(5)
    with pytest.raises(DamagedLog, match="lacks entry 6"):
        whole_log(entries(5), entries(1, 7))


def test_an_entry_becomes_what_a_replay_takes() -> None:
    moved = Logged("match", 4, 1, 2, "request", '{"column":3}', None, 900, 55, "digest")
    assert stored_entry(moved) == (Entry(1, 2, {"column": 3}, None, 900, 55, "digest"), "request")
    stopped = moved._replace(move=None, stopped="forfeit", request_id=None)
    assert stored_entry(stopped) == (Entry(1, 2, None, Ended.FORFEIT, 900, 55, "digest"), None)


@pytest.mark.parametrize("change", [{"move": "{"}, {"move": "3"}, {"stopped": "tired", "move": None}])
def test_an_entry_that_means_nothing_is_damaged(change: dict[str, str | None]) -> None:
    moved = Logged("match", 4, 1, 2, None, '{"column":3}', None, 900, 55, "digest")
    with pytest.raises(DamagedLog, match="Entry 4 of match match"):
        stored_entry(moved._replace(**change))  # type: ignore[arg-type]
