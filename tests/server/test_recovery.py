"""What becomes of matches whose moves could not be stored, with a journal that fails when told."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import Connection

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.errors import ErrorCode
from samedrop_server import recovery
from samedrop_server.app import Running
from samedrop_server.storage.loading import StoredMatch
from tests.e2e.support import Raw, raw, served, start_match

QUICK = model.Settings(countdown=0)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "RETRY_SECONDS", 0.01)


class Trouble:
    """Makes the database refuse inserts into a table, with a trigger."""

    def __init__(self, folder: Path, table: str) -> None:
        self._file = folder / "samedrop.db"
        self._table = table

    def _run(self, statement: str) -> None:
        connection = sqlite3.connect(self._file, timeout=10)
        connection.execute(statement)
        connection.commit()
        connection.close()

    def begin(self) -> None:
        self._run(f"CREATE TRIGGER trouble BEFORE INSERT ON {self._table} BEGIN SELECT RAISE(ABORT, 'trouble'); END")

    def end(self) -> None:
        self._run("DROP TRIGGER trouble")


async def begin(server: Running, *clients: Raw) -> str:
    for number, client in enumerate(clients):
        await client.hello(f"player {number}")
    return (await start_match(*clients, settings=QUICK))[0].match.match


async def test_moves_that_were_not_stored_never_happened(tmp_path: Path) -> None:
    trouble = Trouble(tmp_path, "journal")
    async with served(tmp_path) as server, raw(server) as ann, raw(server) as bob:
        match = await begin(server, ann, bob)
        await ann.move(match, 0, 0)
        trouble.begin()
        await ann.send(from_client.Move(id="lost", match=match, turn=1, move={"column": 1}))
        for client in (ann, bob):
            assert (await client.until(from_server.Suspended)).match == match
            assert (await client.until(from_server.Continued)).match == match
        error = await ann.move(match, 2, 2)
        assert (error.code, error.turn) == (ErrorCode.FUTURE_TURN, 1)
        trouble.end()
        steps = (await ann.move(match, 1, 3, request="lost")).steps
        assert [(step.turn, step.move) for step in steps] == [(1, {"column": 3})]
        assert not any(
            step.move == {"column": 1}
            for message in ann.seen
            if isinstance(message, from_server.Events)
            for step in message.steps
        )


async def test_a_match_whose_beginning_was_not_stored_did_not_start(tmp_path: Path) -> None:
    trouble = Trouble(tmp_path, "matches")
    async with served(tmp_path) as server, raw(server) as ann:
        await ann.hello()
        await ann.ask(from_client.CreateRoom(id="1", settings=QUICK))
        trouble.begin()
        await ann.send(from_client.Start(id="2"))
        assert (await ann.until(from_server.Error)).code == ErrorCode.STORAGE
        assert (await ann.until(from_server.RoomState)).room.phase is model.Phase.LOBBY
        assert server.hall.matches == {}
        trouble.end()
        await ann.send(from_client.Start(id="3"))
        await ann.until(from_server.Started)


async def test_a_player_who_was_not_stored_is_told_and_may_try_again(tmp_path: Path) -> None:
    trouble = Trouble(tmp_path, "players")
    async with served(tmp_path) as server, raw(server) as ann:
        trouble.begin()
        await ann.send(from_client.Hello(versions=[1], name="ann"))
        assert (await ann.until(from_server.Error)).code == ErrorCode.STORAGE
        trouble.end()
        await ann.hello()
        assert len(server.gateway.players) == 1


async def test_it_is_tried_until_the_match_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trouble = Trouble(tmp_path, "journal")
    async with served(tmp_path) as server, raw(server) as ann:
        match = await begin(server, ann)
        load, attempts = recovery._load, list[int]()

        def unreadable(connection: Connection, ids: Sequence[str]) -> dict[str, StoredMatch | None]:
            attempts.append(len(ids))
            if len(attempts) == 1:
                raise OSError("cannot be read")
            return {match: None} if len(attempts) == 2 else load(connection, ids)

        monkeypatch.setattr(recovery, "_load", unreadable)
        trouble.begin()
        await ann.send(from_client.Move(id="1", match=match, turn=0, move={"column": 1}))
        await ann.until(from_server.Continued)
        assert attempts == [1, 1, 1]
        trouble.end()
        assert (await ann.move(match, 0, 0)).steps[0].turn == 0


async def test_closing_ends_the_trying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "RETRY_SECONDS", 60)
    trouble = Trouble(tmp_path, "journal")
    async with asyncio.timeout(10), served(tmp_path) as server, raw(server) as ann:
        match = await begin(server, ann)
        trouble.begin()
        await ann.send(from_client.Move(id="1", match=match, turn=0, move={"column": 1}))
        await ann.until(from_server.Suspended)
