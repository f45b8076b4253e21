from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from samedrop_protocol import model
from samedrop_rules import replay
from samedrop_server.storage.database import Database
from samedrop_server.storage.errors import DamagedLog
from samedrop_server.storage.ledger import Ledger
from samedrop_server.storage.loading import (
    NO_ROOM,
    StoredMatch,
    StoredPlayer,
    load_finished,
    load_match,
    load_player,
    load_unfinished,
)
from samedrop_server.storage.log import StoredEntry, stored_entry
from samedrop_server.storage.records import KeptRoom, Logged, Pause
from tests.support.stored import STARTED, Played, played, table_of

TAPE: dict[str, object] = {"discs": [3, 4, 5, 6] * 9, "latent_rows": [[1, 2, 3, 4, 5, 6, 7]] * 9}


@pytest.fixture
def ledger(database: Database) -> Iterator[Ledger]:
    ledger = Ledger(database)
    yield ledger
    ledger.close()


def log_of(entries: tuple[Logged, ...]) -> tuple[StoredEntry, ...]:
    return tuple(map(stored_entry, entries))


def expected(match: Played, log: tuple[Logged, ...], finished: int | None = None) -> StoredMatch:
    return StoredMatch(
        id=match.match.id,
        room_id=match.match.room_id,
        room_code="K7QXM2",
        room=KeptRoom("A room", True, match.match.seats[0].player),
        deal=match.match.deal,
        deal_id=match.match.deal.id,
        commitment=match.match.deal.commitment,
        known=match.match.known,
        settings=match.match.settings,
        started=match.match.started,
        finished=finished,
        entries=len(log),
        seats=tuple(match.match.seats),
        log=log_of(log),
    )


def test_a_player_is_found_by_the_hash_of_the_token(ledger: Ledger, database: Database) -> None:
    ledger.commit(list(played().people))
    assert database.read_now(lambda connection: load_player(connection, "hash of Ann")) == StoredPlayer("id-Ann", "Ann")
    assert database.read_now(lambda connection: load_player(connection, "hash of Nobody")) is None


def test_unfinished_matches_come_back_whole_and_in_order(ledger: Ledger, database: Database) -> None:
    later = played("a-later", started=STARTED + 5)
    earlier = played("b-earlier", ("Cleo",), tape=TAPE, known=model.Known.TAPE)
    over = played("c-over", ("Dan",))
    ledger.commit([*later.beginning, *earlier.beginning, *over.records])
    ledger.commit([later.log[0], earlier.log[0], later.log[1]])
    ledger.commit([later.log[2]])
    found = database.read_now(load_unfinished)
    assert found == [expected(earlier, earlier.log[:1]), expected(later, later.log[:3])]


def test_a_match_that_comes_back_replays(ledger: Ledger, database: Database) -> None:
    match = played()
    ledger.commit(match.records)
    found = database.read_now(lambda connection: load_match(connection, "match-one"))
    assert found == expected(match, match.log, match.finished.finished)
    assert found is not None
    _, table = table_of(match.match)
    assert len(list(replay(table, [entry for entry, _ in found.log]))) == len(match.log)
    assert [row.score for row in table.outcome()] == [row.score for row in match.finished.standings]


def test_the_facts_keep_the_secret_while_it_is_one(ledger: Ledger, database: Database) -> None:
    match = played()
    ledger.commit(match.beginning)
    found = database.read_now(lambda connection: load_match(connection, "match-one"))
    assert found is not None
    facts = found.facts("K7QXM2")
    assert (facts.drop_limit, facts.rivals, facts.deal.known) == (6, model.Rivals.OPEN, model.Known.SEALED)
    assert "seed of match-one" not in repr(facts)
    assert found.facts("K7QXM2", disclosed=True).deal.seed == "seed of match-one"


def test_pauses_come_back_and_the_last_ends_with_the_match(ledger: Ledger, database: Database) -> None:
    match = played()
    pauses = [Pause("match-one", 1, 10), Pause("match-one", 1, 10, 20), Pause("match-one", 2, 30)]
    ledger.commit([*match.beginning, *match.log, *pauses])
    (running,) = database.read_now(load_unfinished)
    assert running.pauses == (Pause("match-one", 1, 10, 20), Pause("match-one", 2, 30))
    ledger.commit([match.finished])
    found = database.read_now(lambda connection: load_match(connection, "match-one"))
    assert found is not None
    assert found.pauses[1] == Pause("match-one", 2, 30, match.finished.finished)


def test_an_imported_match_has_no_room(ledger: Ledger, database: Database) -> None:
    ledger.commit(played(room=False).records)
    found = database.read_now(lambda connection: load_match(connection, "match-one"))
    assert found is not None
    assert (found.room_id, found.room_code, found.room) == (None, NO_ROOM, KeptRoom())


def test_pages_are_for_finished_matches_only(ledger: Ledger, database: Database) -> None:
    match = played()
    ledger.commit([*match.beginning, *match.log])
    assert database.read_now(lambda connection: load_finished(connection, "match-one", 1, 5)) is None
    ledger.commit([match.finished])
    page = database.read_now(lambda connection: load_finished(connection, "match-one", 4, 5))
    assert page is not None
    assert page.log == log_of(match.log[3:8])
    assert page.entries == len(match.log)
    assert database.read_now(lambda connection: load_finished(connection, "none", 1, 5)) is None
    assert database.read_now(lambda connection: load_match(connection, "none")) is None


def test_a_finished_match_whose_log_is_short_is_damaged(ledger: Ledger, database: Database) -> None:
    match = played()
    ledger.commit(match.records)

    last = text(f"DELETE FROM moves WHERE number = {len(match.log)}")
    database.write_now(lambda connection: connection.execute(last))
    with pytest.raises(DamagedLog, match=f"has {len(match.log) - 1} entries, not {len(match.log)}"):
        database.read_now(lambda connection: load_match(connection, "match-one"))
    for first in (len(match.log) - 2, len(match.log)):
        with pytest.raises(DamagedLog, match=f"lacks entry {len(match.log)}"):
            database.read_now(partial(load_finished, match_id="match-one", first=first, limit=9))


def test_a_running_match_whose_journal_has_a_gap_is_damaged(ledger: Ledger, database: Database) -> None:
    match = played()
    ledger.commit(match.beginning)
    for entry in match.log[:3]:
        ledger.commit([entry])
    database.write_now(lambda connection: connection.execute(text("DELETE FROM journal WHERE id = 2")))
    with pytest.raises(DamagedLog, match="lacks entry 2"):
        database.read_now(lambda connection: load_match(connection, "match-one"))


DAMAGES = [
    "DELETE FROM journal WHERE id = 2",
    "UPDATE matches SET settings = '7' WHERE id = 'match-one'",
    "UPDATE matches SET settings = '{' WHERE id = 'match-one'",
    "UPDATE deals SET tape = '{' WHERE id IN (SELECT deal_id FROM matches WHERE id = 'match-one')",
    "UPDATE matches SET known = 'guessed' WHERE id = 'match-one'",
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_match_is_left_out_of_those_that_run(sqlite_url: str, damage: str) -> None:
    database = Database(sqlite_url)
    ledger = Ledger(database)
    damaged, sound = played(), played("sound", ("Cleo",))
    ledger.commit([*damaged.beginning, *sound.beginning])
    for entry in damaged.log[:3]:
        ledger.commit([entry])
    ledger.commit(sound.log[:2])
    database.write_now(lambda connection: connection.execute(text(damage)))
    with capture_logs() as told:
        assert database.read_now(load_unfinished) == [expected(sound, sound.log[:2])]
    assert [(line["log_level"], line["event"], line["match"]) for line in told] == [
        ("error", "match_not_restored", "match-one")
    ]
    ledger.close()
    database.close()


@pytest.mark.parametrize("change", ["settings = '7'", "settings = '[]'", "known = 'guessed'"])
def test_a_match_whose_facts_are_damaged_is_told(ledger: Ledger, database: Database, change: str) -> None:
    ledger.commit(played().records)
    database.write_now(lambda connection: connection.execute(text(f"UPDATE matches SET {change}")))
    with pytest.raises(DamagedLog, match="Match match-one is damaged"):
        database.read_now(lambda connection: load_match(connection, "match-one"))
