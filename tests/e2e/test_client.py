"""The client library against the real server: over sockets, in memory, and over connections that keep breaking."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from samedrop_client import PLAYERS, Backoff, Client, Match, Replaced, Room, connect, verify_commitment
from samedrop_client.memory import memory_pair
from samedrop_client.players import greedy_player, random_player
from samedrop_client.transport import Frame, Transport, TransportClosed, dial_socket
from samedrop_protocol.codec import JSON, MSGPACK, Codec
from samedrop_protocol.from_server import MatchOver
from samedrop_protocol.model import Known, Role, Settings
from samedrop_protocol.versions import SUBPROTOCOL_MSGPACK
from samedrop_server.app import Running
from tests.e2e.support import served
from tests.support.memory import MemorySocket

SETTINGS = Settings(seed="friday", drop_limit=20, countdown=0)


async def meet(host: Client, *guests: Client, settings: Settings = SETTINGS) -> list[Room]:
    """A room of which all are members, and ready."""
    room = await host.create_room(settings)
    rooms = [room, *[await guest.join_room(room.code) for guest in guests]]
    for one in rooms:
        await one.ready()
    return rooms


async def play_all(rooms: list[Room]) -> tuple[list[Match], MatchOver]:
    """Start a match and let everybody play it to the end."""
    await rooms[0].start()
    matches = [await room.next_match() for room in rooms]
    players = list(PLAYERS.values())
    runs = [match.play(players[number % len(players)](match)) for number, match in enumerate(matches)]
    return matches, (await asyncio.gather(*runs))[0]


@pytest.mark.parametrize("codec", [MSGPACK, JSON])
async def test_a_race_over_sockets(codec: Codec, tmp_path: Path) -> None:
    async with (
        served(tmp_path) as server,
        connect(server.url, name="Ann", codec=codec) as ann,
        connect(server.url, name="Bob") as bob,
    ):
        matches, over = await play_all(await meet(ann, bob))
        assert [match.over for match in matches] == [over, over]
        for seat in (0, 1):
            assert matches[0].view(seat) == matches[1].view(seat)
        assert verify_commitment(over.deal)
        assert over.deal.commitment == matches[0].facts.deal.commitment
        record = await ann.match_record(matches[0].id)
        assert record.standings == over.standings
        assert len(record.log) == sum(row.turns for row in over.standings)
        assert [found.match async for found in ann.matches(player="Bob")] == [matches[0].id]


async def test_a_sealed_deal_is_disclosed_and_verified(tmp_path: Path) -> None:
    async with served(tmp_path) as server, connect(server.url, name="Ann") as ann:
        _, over = await play_all(await meet(ann, settings=Settings(drop_limit=2, countdown=0)))
        assert over.deal.known is Known.SEALED
        assert verify_commitment(over.deal)


@asynccontextmanager
async def in_memory(server: Running, name: str) -> AsyncIterator[Client]:
    """A client of `server` without a socket."""
    serving: set[asyncio.Task[None]] = set()

    async def dial() -> Transport:
        client_end, server_end = memory_pair()
        serving.add(asyncio.create_task(server.gateway.serve(MemorySocket(server_end))))
        return client_end

    async with connect(name=name, dial=dial) as client:
        yield client
    await asyncio.gather(*serving)


async def test_a_race_in_memory(tmp_path: Path) -> None:
    async with served(tmp_path) as server, in_memory(server, "Ann") as ann, in_memory(server, "Bob") as bob:
        matches, over = await play_all(await meet(ann, bob))
        assert len(over.standings) == 2
        assert matches[0].view(1) == matches[1].view(1)


class Flaky:
    """A transport that breaks after a while, in the middle of anything."""

    def __init__(self, inner: Transport, frames: int) -> None:
        self._inner = inner
        self._left = frames

    @property
    def subprotocol(self) -> str | None:
        return self._inner.subprotocol

    async def send(self, frame: Frame) -> None:
        # The frame that breaks it may have arrived or not.
        broken = self._use()
        if not broken or self._left % 2:
            await self._inner.send(frame)
        if broken:
            await self._break()

    async def recv(self) -> Frame:
        frame = await self._inner.recv()
        if self._use():
            await self._break()
        return frame

    async def close(self, code: int = 1000, reason: str = "") -> None:
        await self._inner.close(code, reason)

    def _use(self) -> bool:
        self._left -= 1
        return self._left < 0

    async def _break(self) -> None:
        await self._inner.close(1001)
        raise TransportClosed(1006, "")


@pytest.mark.parametrize("luck", range(4))
async def test_connections_that_keep_breaking_lose_and_double_nothing(luck: int, tmp_path: Path) -> None:
    chance = random.Random(luck)
    async with served(tmp_path) as server, connect(server.url, name="Ann") as ann:
        dialled = 0

        async def dial() -> Transport:
            nonlocal dialled
            dialled += 1
            # The first connection lasts until the match runs.
            frames = 14 if dialled == 1 else chance.randint(4, 12)
            return Flaky(await dial_socket(server.url, SUBPROTOCOL_MSGPACK), frames)

        async with connect(name="Bob", dial=dial, backoff=Backoff(first=0.001, most=0.001)) as bob:
            matches, over = await play_all(await meet(ann, bob))
            assert dialled > 5
            row = next(row for row in over.standings if row.seat == 1)
            assert (row.turns, row.ended) == (20, "censored")
            assert matches[1].view(1) == matches[0].view(1)
            assert matches[1].view(0) == matches[0].view(0)
            steady = await play_steadily(tmp_path)
            assert row.score == steady, "the same player on the same deal"
            assert len(bob._connection.requests) == 0


async def play_steadily(folder: Path) -> int:
    """What Bob scores over a connection that never breaks."""
    (folder / "steady").mkdir()
    async with (
        served(folder / "steady") as server,
        connect(server.url, name="Ann") as ann,
        connect(server.url, name="Bob") as bob,
    ):
        _, over = await play_all(await meet(ann, bob))
        return next(row.score for row in over.standings if row.seat == 1)


async def test_the_server_restarts_in_the_middle(tmp_path: Path) -> None:
    address = ""

    async def dial() -> Transport:
        return await dial_socket(address, SUBPROTOCOL_MSGPACK)

    async with served(tmp_path) as server:
        address = server.url
        client = connect(name="Ann", dial=dial, backoff=Backoff(first=0.01, most=0.01))
        ann = await client.__aenter__()
        (room,) = await meet(ann)
        await room.start()
        match = await room.next_match()
        choose = random_player(match)
        for _ in range(10):
            move = choose(match.view(), match.legal())
            assert isinstance(move, dict)
            await match.move(move)
        before = match.view()
    async with served(tmp_path) as server:
        address = server.url
        playing = asyncio.create_task(match.play(choose))
        over = await playing
        assert over.standings[0].turns == 20
        assert before["turn"] == 10
        assert client.room is room
        await client.__aexit__(None, None, None)


async def test_the_newest_connection_plays(tmp_path: Path) -> None:
    async with served(tmp_path) as server, connect(server.url, name="Ann") as older:
        (room,) = await meet(older)
        await room.start()
        match = await room.next_match()
        await match.move({"column": 3})
        async with connect(server.url, name="Ann", token=older.token) as newer:
            with pytest.raises(Replaced):
                await match.result()
            with pytest.raises(Replaced):
                await match.move({"column": 3})
            assert newer.player == older.player
            assert newer.room is not None
            again = await newer.room.next_match()
            assert again.turn == 1
            await again.play(greedy_player(again))


async def test_watching(tmp_path: Path) -> None:
    async with (
        served(tmp_path) as server,
        connect(server.url, name="Ann") as ann,
        connect(server.url, name="Eve") as eve,
        connect(server.url, name="Late") as late,
    ):
        (room,) = await meet(ann)
        beside = await eve.join_room(room.code, Role.SPECTATOR)
        await room.start()
        match, shown = await room.next_match(), await beside.next_match()
        await match.move({"column": 3})
        behind = await (await late.join_room(room.code, Role.SPECTATOR)).next_match()
        over = await match.play(greedy_player(match))
        for seen in (shown, behind):
            assert seen.seat is None
            assert await seen.result() == over
            assert seen.view(0) == match.view()
        assert len([step async for step in shown]) == 20
