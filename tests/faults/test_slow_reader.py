"""A reader that does not read: it cannot make the server hold much, nor hold up others, and can come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from samedrop_protocol import from_client, from_server
from samedrop_protocol.errors import CloseCode
from samedrop_protocol.model import Role
from samedrop_server.app import Running
from samedrop_server.gateway.sockets import WebSocket
from samedrop_server.settings import Settings
from tests.e2e.support import served
from tests.faults.players import QUICK, Player, long_match, player, token_of
from tests.support.waiting import eventually

REQUESTS = 2000
"""Enough to fill what the two systems hold for a connection, and what the server allows to wait."""
LARGEST_FRAME = 32 * 1024
"""Bytes of the frames in these tests, at most: all steps of one run."""


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with served(tmp_path, rate_limits=0) as running:
        yield running


@pytest.fixture
def most_waiting(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The largest number of bytes that waited for one reader, as the only item."""
    most = [0]
    write = WebSocket.write

    def watched(self: WebSocket, frame: bytes | str) -> None:
        write(self, frame)
        most[0] = max(most[0], self.waiting)

    monkeypatch.setattr(WebSocket, "write", watched)
    return most


@asynccontextmanager
async def clogged(server: Running) -> AsyncIterator[tuple[Player, str]]:
    """A player who reads no more, until the server has decided that this is too slow; and the match."""
    async with player(server, "slow", narrow=True) as slow:
        match = await long_match(slow)
        clogging = asyncio.create_task(slow.clog(match, REQUESTS))
        await eventually(lambda: server.gateway.tally.slow)
        yield slow, match
        slow.cut()
        await clogging


async def test_what_waits_is_bounded(server: Running, most_waiting: list[int]) -> None:
    limit = Settings().max_waiting
    assert limit == 256 * 1024
    async with clogged(server):
        assert limit < most_waiting[0] <= limit + LARGEST_FRAME


async def test_others_go_on(server: Running) -> None:
    """Eve watches and does not read; Ann's moves are answered all the same, before and after Eve is let go."""
    async with player(server, "ann") as ann, player(server, "eve", narrow=True) as eve:
        state = await ann.ask(from_client.CreateRoom(id=ann.id(), settings=QUICK))
        await eve.ask(from_client.JoinRoom(id=eve.id(), code=state.room.code, role=Role.SPECTATOR))
        await ann.ask(from_client.Start(id=ann.id()))
        match = (await ann.until(from_server.Started)).match.match
        turns = await ann.fill(match, 20)
        clogging = asyncio.create_task(eve.clog(match, REQUESTS, watching=True))
        turns += await ann.fill(match, 20, turns)
        await eventually(lambda: server.gateway.tally.slow)
        await clogging
        await ann.fill(match, 10, turns)
        assert not any(isinstance(message, from_server.Error) and message.re is None for message in ann.seen)


async def test_who_reads_again_is_told_why_and_resumes(server: Running) -> None:
    async with clogged(server) as (slow, match):
        slow.thaw()
        assert await slow.closed() == CloseCode.TOO_SLOW
        async with player(server, "slow", token_of(slow)) as again:
            assert again.me.matches == [match]
            resumed = await again.resumed(match)
            assert resumed.answer == "snapshot"
            assert (await again.resumed(match, resumed.last)).answer == "up_to_date"


async def test_who_never_reads_again_is_let_go_all_the_same(server: Running) -> None:
    async with clogged(server) as (slow, match), player(server, "other") as other:
        await eventually(lambda: len(server.gateway) == 1)
        async with player(server, "slow", token_of(slow)) as again:
            assert again.me.matches == [match]
        assert other.me.matches == []
