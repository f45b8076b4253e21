"""Messages find the room and the match that they belong to."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from samedrop_protocol import from_server
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.from_client import Hello, Ping, Resume, Watch
from tests.support.playbook import Playbook
from tests.support.scene import CODE, MATCH, NOW, Scene, pong, refusal, room, welcome


async def test_news_of_unknown_matches_and_rooms_is_passed_over() -> None:
    scene = Scene()
    book = (
        Playbook()
        .expects(Hello)
        .says(
            welcome(),
            scene.play(0, 3),
            from_server.Progress(match=MATCH, seats=scene.progress()),
            scene.over(),
            from_server.Suspended(match=MATCH, text="No disk."),
            from_server.Continued(match=MATCH),
            from_server.RoomLeft(reason="kicked"),
            from_server.ChatLine(player="x", name="X", text="hi", time=NOW),
            from_server.Error(code=ErrorCode.INTERNAL, text="What?"),
        )
    )
    async with book.expects(Ping).answers(pong), book.connect() as client:
        assert await client.ping() == NOW
        assert client.room is None
    assert book.notices == []


async def test_two_matches_at_a_time() -> None:
    own, other = Scene("own"), Scene("other")
    other.facts = replace(other.facts, match="match-2", room="OTHER2")
    watched = other.resumed(0, snapshot=True)
    step = replace(other.play(0, 6), match="match-2")
    book = Playbook().expects(Hello).says(welcome(room=room()), own.started(), own.play(0, 3))
    book.expects(Watch, match="match-2").answers(watched).says(step).expects(Ping).answers(pong)
    async with book, book.connect() as client:
        second = await client.watch("match-2")
        await client.ping()
        assert client.room is not None
        first = await client.room.next_match()
        assert client.room.code == CODE
        assert first.id == MATCH, "a match of another room is not this room's"
        assert first.view(0) == own.table.view(0)
        assert second.view(0) == other.table.view(0)


async def test_a_running_match_that_cannot_be_taken_up_is_passed_over() -> None:
    book = Playbook().expects(Hello).says(welcome(matches=(MATCH,)))
    refused = asyncio.Event()
    book.expects(Resume, match=MATCH, last=None).answers(refusal(ErrorCode.MATCH_NOT_FOUND)).sets(refused)
    book.expects(Ping).answers(pong)
    async with book, book.connect() as client:
        await refused.wait()
        assert await client.ping() == NOW
