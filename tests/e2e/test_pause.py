"""Two who race agree to a pause over real sockets: it holds, across a restart, too, and takes nothing from anybody."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from samedrop_client import Client, Match, Refused, Room, connect
from samedrop_protocol import from_client, from_server
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.model import Pause, Settings
from samedrop_rules.matchfile import read_match_file, verify
from tests.e2e.support import raw, served, start_match
from tests.e2e.test_games import samedrop
from tests.support.http import get
from tests.support.server import FakeClock

TIMED = Settings(drop_limit=10, countdown=0, time_limit=60)


async def meet(ann: Client, bob: Client, settings: Settings) -> tuple[Room, list[Match]]:
    room = await ann.create_room(settings)
    other = await bob.join_room(room.code)
    await other.ready()
    await room.start()
    return room, [await one.next_match() for one in (room, other)]


async def until_paused(room: Room, match: Match) -> None:
    async for message in room:
        if isinstance(message, from_server.Paused) and message.paused:
            assert match.paused
            return


async def test_a_pause_stops_the_time_and_survives_a_restart(tmp_path: Path) -> None:
    clock = FakeClock()
    async with AsyncExitStack() as stack:
        async with served(tmp_path, clock) as server:
            ann = await stack.enter_async_context(connect(server.url, name="ann"))
            bob = await stack.enter_async_context(connect(server.url, name="bob"))
            room, matches = await meet(ann, bob, TIMED)
            clock.advance(40)
            await matches[0].move(matches[0].legal()[0])
            await asyncio.gather(*(match.pause() for match in matches))
            began = clock.now()
            await until_paused(room, matches[0])
            with pytest.raises(Refused) as refused:
                await matches[1].move(matches[1].legal()[0], through_pauses=False)
            assert refused.value.code == ErrorCode.MATCH_PAUSED
            waiting = asyncio.create_task(matches[1].move(matches[1].legal()[0]))
            port = server.port
        clock.advance(1000)
        async with served(tmp_path, clock, port=port) as server:
            await ann.ping()
            await bob.ping()
            clock.advance(1000)
            server.hall.tidy()
            assert not waiting.done()
            assert matches[0].paused
            await matches[0].go_on()
            clock.advance(5)
            step = await waiting
            assert step.at in (40_000, 45_000)
            assert (await matches[1].move(matches[1].legal()[0])).at == 45_000
            clock.advance(15)
            server.hall.tidy()
            over = await matches[0].result()
            assert {row.ended for row in over.standings} == {"time"}
            record = await ann.match_record(matches[0].id)
            assert record.pauses == [Pause(began=began, ended=began + 2_000_000)]
            assert record.log[-1].at == 60_000
            answer = await get(server, f"/api/v1/matches/{matches[0].id}")
            assert answer.json["record"]["pauses"] == [{"began": began, "ended": began + 2_000_000}]
    exported = read_match_file(samedrop(tmp_path, "export", matches[0].id))
    verify(exported)
    assert exported.pauses == ((began, began + 2_000_000),)
    assert "1 pause by agreement, 2000 seconds in all" in samedrop(tmp_path, "show", matches[0].id)


@pytest.mark.parametrize("settings", [Settings(daily=True, countdown=0), None])
async def test_who_cannot_ask_the_others_cannot_pause(tmp_path: Path, settings: Settings | None) -> None:
    async with served(tmp_path) as server, connect(server.url, name="ann") as ann:
        if settings is None:
            code = (await ann.challenge(Settings(drop_limit=3), hours=1)).code
            settings = Settings(challenge=code, countdown=0)
        room = await ann.create_room(settings)
        await room.start()
        match = await room.next_match()
        with pytest.raises(Refused) as refused:
            await match.pause()
        assert refused.value.code == ErrorCode.MATCH_NO_PAUSE
        await match.move(match.legal()[0])


async def test_others_are_no_part_of_it(tmp_path: Path) -> None:
    async with served(tmp_path) as server, raw(server) as ann, raw(server) as eve:
        await ann.hello("ann")
        await eve.hello("eve")
        (started,) = await start_match(ann, settings=Settings(countdown=0))
        match = started.match.match
        for number, wrong in enumerate((match, "none")):
            assert (await eve.ask(from_client.Pause(id=f"a{number}", match=wrong))).code == ErrorCode.MATCH_NOT_FOUND
        await eve.ask(from_client.JoinRoom(id="j", code=started.match.room))
        assert (await eve.ask(from_client.Pause(id="s", match=match))).code == ErrorCode.MATCH_NOT_SEATED
        assert isinstance(await ann.ask(from_client.Pause(id="p", match=match)), from_server.Ok)
        assert (await ann.move(match, 0, 3)).code == ErrorCode.MATCH_PAUSED
        await ann.send(from_client.Pause(id="q", match=match, agree=False))
        assert not (await ann.until(from_server.Paused)).paused
        assert isinstance(await ann.move(match, 0, 3), from_server.Events)
