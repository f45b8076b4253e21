from __future__ import annotations

import pytest
from sqlalchemy import Connection, RowMapping, select, text

from samedrop_protocol import model
from samedrop_server.storage.database import Database
from samedrop_server.storage.errors import DamagedLog, NotStored
from samedrop_server.storage.loading import StoredMatch, load_match
from samedrop_server.storage.models import Base, Deal, Match, Player, Result, Room, Seat
from samedrop_server.storage.models import Pause as PauseRow
from samedrop_server.storage.records import ChangedRoom, KeptRoom, NewMatch, NewPlayer, NewRoom, Pause
from samedrop_server.storage.writing import (
    change_rooms,
    finish_match,
    insert_matches,
    insert_players,
    insert_rooms,
    store_pauses,
    unfinished_ids,
)
from tests.support.stored import STARTED, Played, played


def write(database: Database, match: Played) -> None:
    def everything(connection: Connection) -> None:
        players = [record for record in match.people if isinstance(record, NewPlayer)]
        insert_players(connection, players)
        insert_rooms(connection, [record for record in match.people if isinstance(record, NewRoom)])
        insert_matches(connection, [match.match])

    database.write_now(everything)


def rows(database: Database, table: type[Base]) -> list[RowMapping]:
    return database.read_now(lambda connection: list(connection.execute(select(table.__table__)).mappings()))


def test_every_field_of_a_match_is_stored(database: Database) -> None:
    match = played()
    write(database, match)
    assert [dict(row) for row in rows(database, Player)] == [
        {"id": f"id-{name}", "token_hash": f"hash of {name}", "name": name, "created": STARTED}
        for name in ("Ann", "Bob")
    ]
    assert [dict(row) for row in rows(database, Room)] == [
        {
            "id": "room-of-match-one",
            "code": "K7QXM2",
            "title": "A room",
            "public": True,
            "host_id": "id-Ann",
            "created": STARTED,
        }
    ]
    deal = match.match.deal
    assert [dict(row) for row in rows(database, Deal)] == [
        {
            "id": deal.id,
            "game": "drop7",
            "version": deal.version,
            "options": dict(deal.options),
            "seed": "seed of match-one",
            "tape": None,
            "commitment": deal.commitment,
            "created": STARTED,
        }
    ]
    assert [dict(row) for row in rows(database, Match)] == [
        {
            "id": "match-one",
            "room_id": "room-of-match-one",
            "deal_id": deal.id,
            "game": "drop7",
            "known": "sealed",
            "settings": {"seats": 2, "drop_limit": 6, "rivals": "open"},
            "started": STARTED,
            "finished": None,
            "entries": None,
        }
    ]
    assert [
        (row["seat"], row["player_id"], row["name"], row["started"], row["game"]) for row in rows(database, Seat)
    ] == [
        (0, "id-Ann", "Ann", STARTED, "drop7"),
        (1, "id-Bob", "Bob", STARTED, "drop7"),
    ]


def test_a_result_is_stored_once(database: Database) -> None:
    match = played()
    write(database, match)
    database.write_now(lambda connection: finish_match(connection, match.finished, 12))
    assert [(row["finished"], row["entries"]) for row in rows(database, Match)] == [(STARTED + 60_000, 12)]
    stored = [(row["seat"], row["rank"], row["score"], row["turns"], row["ended"]) for row in rows(database, Result)]
    told = [(row.seat, row.rank, row.score, row.turns, row.ended) for row in match.finished.standings]
    assert stored == sorted(told)
    with pytest.raises(NotStored, match="finished already"):
        database.write_now(lambda connection: finish_match(connection, match.finished, 12))


def test_the_deal_of_a_rematch_is_there_already_and_its_own_knownness_is_kept(database: Database) -> None:
    first = played("first", seed="same")
    again: NewMatch = first.match._replace(id="again", known=model.Known.OPEN, started=STARTED + 1)
    write(database, first)
    database.write_now(lambda connection: insert_matches(connection, [again]))
    assert len(rows(database, Deal)) == 1
    assert {row["id"]: row["known"] for row in rows(database, Match)} == {"first": "sealed", "again": "open"}
    assert database.read_now(unfinished_ids) == ["first", "again"]


def test_a_room_is_loaded_as_it_was_last_stored(database: Database) -> None:
    match, other = played(), played("match-two", ("Cid",))
    for one in (match, other):
        write(database, one)
    before = KeptRoom("A room", True, "id-Ann")
    assert loaded(database, match).room == before
    later = KeptRoom("Cods", False, "id-Bob", "00:ff", ("id-Eve", "id-Ann"), ("id-Ann",))
    room_id = match.match.room_id or ""
    changes = [ChangedRoom(room_id, before._replace(title="Eels")), ChangedRoom(room_id, later)]
    database.write_now(lambda connection: change_rooms(connection, changes))
    assert loaded(database, match).room == later
    assert loaded(database, other).room == KeptRoom("A room", True, "id-Cid")


@pytest.mark.parametrize("damage", ['{"a": 1}', "[1]", "null"])
def test_a_damaged_room_is_told(damage: str, sqlite_url: str) -> None:
    database = Database(sqlite_url)
    match = played()
    write(database, match)
    change = text("UPDATE admissions SET banned = :damage").bindparams(damage=damage)
    database.write_now(lambda connection: connection.execute(change))
    with pytest.raises(DamagedLog, match="match-one"):
        loaded(database, match)
    database.close()


def loaded(database: Database, match: Played) -> StoredMatch:
    found = database.read_now(lambda connection: load_match(connection, match.match.id))
    assert found is not None
    return found


def test_pauses_begin_and_end(database: Database) -> None:
    match = played()
    write(database, match)
    pauses = [Pause("match-one", 1, 10), Pause("match-one", 1, 10, 20), Pause("match-one", 2, 30)]
    database.write_now(lambda connection: store_pauses(connection, pauses))
    assert [(row["number"], row["began"], row["ended"]) for row in rows(database, PauseRow)] == [
        (1, 10, 20),
        (2, 30, None),
    ]
    database.write_now(lambda connection: store_pauses(connection, [Pause("match-one", 2, 30, 40)]))
    assert [row["ended"] for row in rows(database, PauseRow)] == [20, 40]
    with pytest.raises(NotStored, match="did not begin"):
        database.write_now(lambda connection: store_pauses(connection, [Pause("match-one", 3, 50, 60)]))
