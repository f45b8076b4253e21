from __future__ import annotations

from functools import partial

import pytest
from sqlalchemy import Connection, text

from samedrop_rules import Ended, Entry
from samedrop_server.storage.database import Database
from samedrop_server.storage.errors import DamagedLog
from samedrop_server.storage.log import (
    CHUNK,
    add_new,
    insert_chunks,
    insert_commit,
    read_chunks,
    read_commits,
    stored_entry,
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


@pytest.mark.parametrize("count", [0, 1, CHUNK, CHUNK + 1, 2 * CHUNK + 7])
def test_chunks_give_back_what_was_put_in(database: Database, count: int) -> None:
    def write_and_read(connection: Connection) -> list[Logged]:
        prepare(connection)
        insert_chunks(connection, "match", entries(count))
        return read_chunks(connection, "match")

    assert database.write_now(write_and_read) == entries(count)


def test_a_page_is_that_part_of_the_log(database: Database) -> None:
    log = entries(2 * CHUNK + 7)

    def write(connection: Connection) -> None:
        prepare(connection)
        # As gathering leaves it: some chunks are short.
        for start, end in ((0, 3), (3, 4), (4, CHUNK + 2), (CHUNK + 2, len(log))):
            insert_chunks(connection, "match", log[start:end])

    database.write_now(write)
    for first in (1, 2, CHUNK - 1, CHUNK, CHUNK + 1, CHUNK + 2, 3 * CHUNK, 4 * CHUNK):
        for count in (1, 3, CHUNK, CHUNK + 3):
            last = first + count - 1
            page = database.read_now(partial(read_chunks, match_id="match", first=first, last=last))
            assert page == log[first - 1 : last]


def test_the_journal_gives_back_what_was_put_in(database: Database) -> None:
    def write_and_read(connection: Connection) -> list[tuple[int, list[Logged]]]:
        for commit in (7, 8, 10):
            insert_commit(connection, commit, entries(3, commit))
        return list(read_commits(connection))

    assert database.write_now(write_and_read) == [(commit, entries(3, commit)) for commit in (7, 8, 10)]


@pytest.mark.parametrize("damage", ["", "[", "[[1]]", '{"seat":1}', '[[0,0,null,null,null,0,"many","digest"]]'])
def test_damage_is_told_with_its_place(database: Database, damage: str) -> None:
    def write(connection: Connection) -> None:
        prepare(connection)
        insert_chunks(connection, "match", entries(3))
        insert_commit(connection, 5, entries(3))
        connection.execute(text("UPDATE logs SET entries = :damage"), {"damage": damage})
        connection.execute(text("UPDATE journal SET entries = :damage"), {"damage": damage})

    database.write_now(write)
    with pytest.raises(DamagedLog, match="match match is damaged at entry 1"):
        database.read_now(lambda connection: read_chunks(connection, "match"))
    with pytest.raises(DamagedLog, match="Row 5 of the journal"):
        database.read_now(lambda connection: list(read_commits(connection)))


def test_a_missing_chunk_is_told(database: Database) -> None:
    def write(connection: Connection) -> None:
        prepare(connection)
        insert_chunks(connection, "match", entries(3))
        insert_chunks(connection, "match", entries(3, 5))

    database.write_now(write)
    with pytest.raises(DamagedLog, match="lacks entry 4"):
        database.read_now(lambda connection: read_chunks(connection, "match"))


def test_entries_that_are_there_already_count_once() -> None:
    log = entries(3)
    for entry in [*entries(3), *entries(2, 4), *entries(2, 4)]:
        add_new(log, entry)
    assert log == entries(5)
    with pytest.raises(DamagedLog, match="lacks entry 6"):
        add_new(log, entries(1, 7)[0])


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
