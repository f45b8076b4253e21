from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

from samedrop_rules.matchfile import FileSeat, InvalidMatchFile, MatchFile, verify
from samedrop_server.storage.database import Database
from samedrop_server.storage.ledger import Ledger
from samedrop_server.storage.loading import load_player, load_unfinished
from samedrop_server.transfer import MatchConflict, import_match, load_match_file
from tests.support.stored import played


@pytest.fixture
def ledger(database: Database) -> Iterator[Ledger]:
    ledger = Ledger(database)
    yield ledger
    ledger.close()


def find(database: Database, match_id: str = "match-one") -> MatchFile | None:
    return database.read_now(partial(load_match_file, match_id=match_id))


def put(database: Database, match: MatchFile) -> bool:
    return database.write_now(partial(import_match, match=match))


@pytest.fixture
def file(ledger: Ledger, database: Database) -> MatchFile:
    """A true match file under another id than that of the match which it was made from."""
    ledger.commit(played().records)
    found = find(database)
    assert found is not None
    return replace(found, match="imported")


def test_a_stored_match_as_a_file_is_true(file: MatchFile) -> None:
    verify(file)


def test_a_match_that_is_not_finished_is_no_file(ledger: Ledger, database: Database) -> None:
    ledger.commit(played().beginning)
    assert find(database) is find(database, "none") is None


def test_what_is_imported_can_be_read_as_it_was(database: Database, file: MatchFile) -> None:
    assert put(database, file)
    assert find(database, "imported") == file
    assert not put(database, file)
    assert database.read_now(load_unfinished) == []


@pytest.mark.parametrize(
    "limits", [{"drop_limit": None}, {"time_limit": 86_400}, {"lockstep": True, "rivals": "scores"}]
)
def test_settings_are_kept(database: Database, file: MatchFile, limits: dict[str, object]) -> None:
    changed = replace(file, **limits)  # type: ignore[arg-type]
    assert put(database, changed)
    assert find(database, "imported") == changed


def test_pauses_are_kept(ledger: Ledger, database: Database, file: MatchFile) -> None:
    paused = replace(file, pauses=((10, 20), (30, 30)))
    assert put(database, paused)
    assert find(database, "imported") == paused
    assert not put(database, paused)
    with pytest.raises(MatchConflict):
        put(database, file)


def test_players_who_come_with_a_match_cannot_sign_in(database: Database, file: MatchFile) -> None:
    seats = (FileSeat("from-afar", "Ann"), FileSeat("from-afar-too", "Bob"))
    assert put(database, replace(file, seats=seats))
    assert database.read_now(lambda connection: load_player(connection, "")) is None
    assert put(database, replace(file, seats=seats, match="another"))


def test_one_player_in_two_seats_is_made_once(database: Database, file: MatchFile) -> None:
    assert put(database, replace(file, seats=(FileSeat("twice", "Ann"), FileSeat("twice", "Ann"))))


@pytest.mark.parametrize("change", [{"finished": 1}, {"known": "open"}, {"rivals": "scores"}, {"log": ()}])
def test_another_match_of_that_id_is_kept(database: Database, file: MatchFile, change: dict[str, object]) -> None:
    assert put(database, file)
    with pytest.raises(MatchConflict):
        put(database, replace(file, **change))  # type: ignore[arg-type]
    assert find(database, "imported") == file


def test_a_running_match_of_that_id_is_kept(ledger: Ledger, database: Database, file: MatchFile) -> None:
    ledger.commit(played("imported", ("Cleo",)).beginning)
    with pytest.raises(MatchConflict):
        put(database, file)


def test_importing_does_not_disturb_a_running_server(ledger: Ledger, database: Database, file: MatchFile) -> None:
    match = played("running", ("Cleo",))
    ledger.commit([*match.beginning, *match.log[:2]])
    assert put(database, file)
    ledger.commit([*match.log[2:], match.finished])
    running = find(database, "running")
    assert running is not None
    verify(running)


@pytest.mark.parametrize("name", ["\u202eAnn", " Ann", "\u200b", "A" * 64])
def test_names_that_nobody_could_have_here_are_refused(database: Database, file: MatchFile, name: str) -> None:
    with pytest.raises(InvalidMatchFile) as refused:
        put(database, replace(file, seats=(file.seats[0], FileSeat("b", name))))
    assert refused.value.field == "seats[1].name"
    assert find(database, "imported") is None


def test_a_move_that_cannot_be_stored_is_named(database: Database, file: MatchFile) -> None:
    log = (replace(file.log[0], move={"column": 1, "note": "\ud800"}), *file.log[1:])
    with pytest.raises(InvalidMatchFile) as refused:
        put(database, replace(file, log=log))
    assert refused.value.field == "log[0].move"
    assert find(database, "imported") is None
