from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator

import pytest

from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_server.journal import Journal
from samedrop_server.players import Players, random_id, token_hash
from samedrop_server.storage.database import Database
from samedrop_server.storage.loading import load_player
from samedrop_server.storage.models import Player as Row
from samedrop_server.storage.records import NewPlayer
from tests.support.server import FakeClock, FakeSession


@pytest.fixture
async def players(database: Database) -> AsyncIterator[Players]:
    journal = Journal(database, on_commit=lambda: None, on_failure=lambda records, error: None)
    await journal.start()
    yield Players(database, journal, FakeClock())
    await journal.close()


async def test_a_new_player_gets_a_token_of_256_bits_and_the_database_its_hash(
    players: Players, database: Database
) -> None:
    player, token = await players.identify(" Ann\u200b ", None)
    assert token is not None
    assert (player.name, len(token)) == ("Ann", 43)
    stored = database.read_now(lambda connection: load_player(connection, token_hash(token)))
    assert stored is not None
    assert (stored.id, stored.name) == (player.id, "Ann")
    rows = database.read_now(lambda connection: connection.execute(Row.__table__.select()).all())
    assert token not in str(rows)
    assert hashlib.sha256(token.encode()).hexdigest() in str(rows)


async def test_the_token_is_the_player_under_the_name_given_now(players: Players, database: Database) -> None:
    player, token = await players.identify("Ann", None)
    again, none = await players.identify("Anna", token)
    assert again is player
    assert (again.name, none) == ("Anna", None)
    players.forget(again)
    same, _ = await players.identify("Anna", token)
    assert same is not again
    assert (same.id, same.name) == (player.id, "Anna")


@pytest.mark.parametrize("token", ["", "x", "x" * 200])
async def test_an_unknown_token_is_refused(players: Players, token: str) -> None:
    with pytest.raises(ProtocolError) as error:
        await players.identify("Ann", token)
    assert (error.value.code, error.value.field) == (ErrorCode.TOKEN, "token")
    assert len(players) == 0


async def test_a_name_that_shows_nothing_is_refused_before_anything_is_stored(
    players: Players, database: Database
) -> None:
    with pytest.raises(ProtocolError) as error:
        await players.identify("\u200b", None)
    assert error.value.code is ErrorCode.NAME
    assert database.read_now(lambda connection: connection.execute(Row.__table__.select()).all()) == []


async def test_who_cannot_be_stored_is_told(database: Database) -> None:
    journal = Journal(database, on_commit=lambda: None, on_failure=lambda records, error: None)
    players = Players(database, journal, FakeClock())
    recorded: list[NewPlayer] = []
    journal.record = lambda record, then=None: recorded.append(record)  # type: ignore[method-assign,arg-type]
    identifying = asyncio.create_task(players.identify("Ann", None))
    await asyncio.sleep(0)
    players.not_stored(recorded[0])
    with pytest.raises(ProtocolError) as error:
        await identifying
    assert error.value.code is ErrorCode.STORAGE
    # Somebody who was told already, or has hung up, is told nothing more.
    players.not_stored(recorded[0])
    assert len(players) == 0


async def test_the_newest_connection_wins(players: Players) -> None:
    player, _ = await players.identify("Ann", None)
    older, newer = FakeSession(), FakeSession()
    players.connect(player, older)
    assert not older.replaced
    players.connect(player, newer)
    assert older.replaced
    assert player.session is newer
    assert not players.disconnect(player, older)
    assert len(players) == 1
    assert players.disconnect(player, newer)
    assert len(players) == 0


def test_ids_are_random_and_have_no_letters_that_look_alike() -> None:
    ids = {random_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert {len(one) for one in ids} == {12}
    assert not set("".join(ids)) & set("ilou")
