"""A room keeps the score over its matches, until it is decided."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec.structs import replace

from samedrop_client import Client, connect
from samedrop_client.players import greedy_player, random_player
from samedrop_protocol.model import Series, Settings
from tests.e2e.support import served

FIRST_TO_2 = Settings(seed="friday", drop_limit=15, countdown=0, first_to=2)


async def play(ann: Client, bob: Client) -> Series:
    """The match that starts now; the score after it."""
    assert ann.room is not None
    assert bob.room is not None
    room = ann.room
    before = room.state.series
    matches = [await one.next_match() for one in (ann.room, bob.room)]
    await asyncio.gather(matches[0].play(greedy_player(matches[0])), matches[1].play(random_player(matches[1])))
    await room.until(lambda: room.state.series not in (None, before))
    assert room.state.series is not None
    return room.state.series


async def test_first_to_two_then_a_new_series(tmp_path: Path) -> None:
    async with served(tmp_path) as server, connect(server.url, name="a") as ann, connect(server.url, name="b") as bob:
        room = await ann.create_room(FIRST_TO_2)
        await (await bob.join_room(room.code)).ready()
        await room.start()
        series = await play(ann, bob)
        assert (series.played, [one.wins for one in series.wins], series.winners) == (1, [1, 0], [])
        await room.rematch(same_deal=True)
        series = await play(ann, bob)
        assert (series.played, series.wins[0].name, series.winners) == (2, "a", [ann.player])
        await room.rematch()
        series = await play(ann, bob)
        assert (series.played, series.winners) == (1, [])
        await room.configure(settings=Settings(drop_limit=5, countdown=0))
        await room.until(lambda: room.state.series is None)


async def test_the_score_survives_a_restart(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        async with served(tmp_path) as server:
            ann = await stack.enter_async_context(connect(server.url, name="a"))
            bob = await stack.enter_async_context(connect(server.url, name="b"))
            room = await ann.create_room(FIRST_TO_2)
            await (await bob.join_room(room.code)).ready()
            await room.start()
            assert (await play(ann, bob)).played == 1
            await room.configure(settings=replace(FIRST_TO_2, first_to=3))
            await room.rematch(same_deal=True)
            before = await play(ann, bob)
            assert (before.played, before.first_to) == (1, 3), "other settings begin a new series"
            await room.rematch(same_deal=True)
            match = await room.next_match()
            await match.move(match.legal()[0])
            port = server.port
        async with served(tmp_path, port=port):
            await ann.ping()
            assert ann.room is room
            assert room.state.series == before
            assert bob.room is not None
            other = await bob.room.next_match()
            await asyncio.gather(match.play(greedy_player(match)), other.play(random_player(other)))
            await room.until(lambda: room.state.series not in (None, before))
            assert room.state.series is not None
            assert (room.state.series.played, room.state.series.first_to) == (2, 3)
            assert [one.wins for one in room.state.series.wins] == [2, 0]
