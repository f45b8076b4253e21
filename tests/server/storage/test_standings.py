from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from samedrop_server.storage.database import Database
from samedrop_server.storage.ledger import Ledger
from samedrop_server.storage.loading import load_unfinished
from samedrop_server.storage.records import NewMatch
from samedrop_server.storage.standings import load_series, load_standings
from tests.support.stored import STARTED, Played, played


@pytest.fixture
def ledger(database: Database) -> Iterator[Ledger]:
    ledger = Ledger(database)
    yield ledger
    ledger.close()


def in_room(match: Played, room: str | None) -> Played:
    """The same match in that room, with nobody and no room made for it."""
    moved: NewMatch = match.match._replace(room_id=room)
    return replace(match, people=(), match=moved)


def test_results_are_best_first_and_matches_without_one_left_out(ledger: Ledger, database: Database) -> None:
    first, running = played("one"), in_room(played("two", started=STARTED + 1), None)
    ledger.commit([*first.records, *running.beginning])
    found = database.read_now(lambda connection: load_standings(connection, ["one", "two", "none"]))
    assert found == {"one": list(first.finished.standings)}


def test_a_series_is_the_finished_matches_of_a_stored_room_in_order(ledger: Ledger, database: Database) -> None:
    first = played("b")
    second = in_room(played("a", started=STARTED + 5), "room-of-b")
    elsewhere = in_room(played("c", started=STARTED + 6), None)
    running = in_room(played("d", started=STARTED + 7), "room-of-b")
    ledger.commit([*first.records, *second.records, *elsewhere.records, *running.beginning])
    series = database.read_now(lambda connection: load_series(connection, ["room-of-b", "none"]))
    expected = [list(first.finished.standings), list(second.finished.standings)]
    assert series == {"room-of-b": expected, "none": []}
    (unfinished,) = database.read_now(load_unfinished)
    assert list(unfinished.series) == expected
    assert database.read_now(lambda connection: load_series(connection, [])) == {}
