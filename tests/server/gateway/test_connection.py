"""One connection, over real sockets: what is too much, and what is not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import msgpack
import pytest
import structlog

from samedrop_client import connect
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import JSON, MSGPACK, Codec
from samedrop_protocol.errors import CloseCode, ErrorCode
from samedrop_server.app import Running
from samedrop_server.gateway.limits import FRAMES, HELLOS, MESSAGES
from samedrop_server.matches.match import Match
from tests.e2e.support import PATIENCE, Raw, raw, served, start_match
from tests.support.waiting import eventually


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with served(tmp_path) as running:
        yield running


@pytest.fixture
async def ann(server: Running) -> AsyncIterator[Raw]:
    async with raw(server) as client:
        await client.hello("ann")
        yield client


def limited(messages: list[from_server.ServerMessage]) -> list[from_server.Error]:
    errors = [message for message in messages if isinstance(message, from_server.Error)]
    assert {error.code for error in errors} <= {ErrorCode.RATE_LIMITED}
    return errors


@pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=["msgpack", "json"])
async def test_a_flood_is_refused_by_name_with_a_time_to_wait_and_the_socket_stays(
    server: Running, codec: Codec
) -> None:
    count = 3 * int(FRAMES.burst)
    async with raw(server, codec) as ann, raw(server) as bob:
        await ann.hello("ann")
        await bob.hello("bob")

        async def flood() -> None:
            for number in range(count):
                await ann.send(from_client.Ping(id=f"f{number}"))

        flooding = asyncio.create_task(flood())
        answers: dict[str | None, from_server.ServerMessage] = {}
        while len(answers) < count:
            message = await ann.next()
            answers[getattr(message, "re", None)] = message
            if len(answers) == count // 2:
                # Nobody else has to wait until it is over.
                assert isinstance(await bob.ask(from_client.Ping(id="1")), from_server.Pong)
        await flooding
        errors = limited(list(answers.values()))
        assert len(errors) > 100
        assert {(error.field, error.retry_after) for error in errors} == {("frames", 0.1)}
        assert all("frames" in error.text for error in errors)
        await asyncio.sleep(0.1)
        assert isinstance(await ann.ask(from_client.Ping(id="after")), from_server.Pong)
    assert server.gateway.limits.refused["frames"] == len(errors)


async def test_play_at_the_speed_of_acknowledgements_is_never_limited(server: Running, ann: Raw) -> None:
    """More moves than frames are let through at once: moves count only a little."""
    played = 0
    settings = model.Settings(countdown=0, options={"drops_per_rise": 30})
    state = await ann.ask(from_client.CreateRoom(id=ann.id(), settings=settings))
    assert state.room.members
    await ann.ask(from_client.Start(id=ann.id()))
    while played < 1.5 * FRAMES.burst:
        match = (await ann.until(from_server.Started)).match.match
        turn, over = 0, False
        while not over:
            answer = await ann.move(match, turn, turn % 7)
            if isinstance(answer, from_server.Error):
                assert answer.code == ErrorCode.MOVE_ILLEGAL, answer
                answer = await ann.ask(from_client.Forfeit(id=ann.id(), match=match))
            played += 1
            turn += 1
            over = answer.steps[-1].events[-1]["type"] == "over"
        await ann.until(from_server.MatchOver)
        await ann.send(from_client.Rematch(id=ann.id()))
    assert server.gateway.limits.refused.total() == 0


async def test_moves_sent_ahead_are_all_taken_in_their_order(server: Running, ann: Raw) -> None:
    await ann.ask(from_client.CreateRoom(id="c", settings=model.Settings(countdown=0, seed="friday", drop_limit=30)))
    await ann.send(from_client.Start(id="s"))
    match = (await ann.until(from_server.Started)).match.match
    for turn in range(30):
        await ann.send(from_client.Move(id=f"m{turn}", match=match, turn=turn, move={"column": turn % 7}))
    steps: list[from_server.Step] = []
    while len(steps) < 30:
        steps += (await ann.until(from_server.Events)).steps
    assert [step.turn for step in steps] == list(range(30))


async def test_a_connection_that_is_ahead_of_its_rate_waits_in_the_queue(server: Running, ann: Raw) -> None:
    """Whatever comes as one chunk is not handled as one: others get their turn between."""
    ping = [msgpack.packb({"type": "ping", "id": f"{number}"}) for number in range(1000)]
    ann.socket.transport.write(b"".join(b"\x82" + bytes([0x80 | len(frame)]) + b"\0\0\0\0" + frame for frame in ping))
    answers = [await ann.until(from_server.Pong) for _ in ping]
    assert [answer.re for answer in answers] == [f"{number}" for number in range(1000)]


@pytest.mark.parametrize(
    ("message", "name"),
    [
        (from_client.JoinRoom(id="1", code="AAAAAA"), "joins"),
        (from_client.Chat(id="1", text="hello"), "chat"),
        (from_client.ListRooms(id="1"), "lists"),
        (from_client.ListMatches(id="1"), "history"),
        (from_client.GetMatch(id="1", match="nothing"), "history"),
        (from_client.Resume(id="1", match="nothing"), "resumes"),
        (from_client.Watch(id="1", match="nothing"), "resumes"),
        (from_client.Ready(id="1"), "actions"),
        (from_client.CreateRoom(id="1"), "rooms"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_what_costs_something_is_limited(ann: Raw, message: from_client.Request, name: str) -> None:
    for _ in range(int(MESSAGES[type(message)].burst)):
        answer = await ann.ask(message)
        assert getattr(answer, "code", None) != ErrorCode.RATE_LIMITED
    while getattr(answer := await ann.ask(message), "code", None) != ErrorCode.RATE_LIMITED:
        pass
    assert (answer.code, answer.field) == (ErrorCode.RATE_LIMITED, name)
    assert 0 < answer.retry_after <= 1
    assert isinstance(await ann.ask(from_client.Ping(id="2")), from_server.Pong)


async def test_limits_of_a_player_outlive_the_connection(server: Running) -> None:
    async with raw(server) as first:
        token = (await first.hello()).token
        while isinstance(await first.ask(from_client.ListRooms(id="1")), from_server.Rooms):
            pass
    async with raw(server) as second:
        await second.hello(token=token)
        answer = await second.ask(from_client.ListRooms(id="2"))
        assert (answer.code, answer.field) == (ErrorCode.RATE_LIMITED, "lists")


async def test_one_player_cannot_come_and_go_without_end(server: Running) -> None:
    async with raw(server) as first:
        token = (await first.hello()).token
    for _ in range(int(HELLOS.burst)):
        async with raw(server) as client:
            await client.hello(token=token)
    async with raw(server) as client:
        await client.send(from_client.Hello(versions=[1], name="ann", token=token))
        error = await client.until(from_server.Error)
        assert (error.code, error.field, error.re) == (ErrorCode.RATE_LIMITED, "hellos", None)
        assert error.retry_after is not None
        await asyncio.sleep(error.retry_after)
        await client.hello(token=token)


async def test_the_client_library_waits_and_repeats(server: Running) -> None:
    async with connect(server.url, name="Ann") as ann:
        lists = int(MESSAGES[from_client.ListRooms].burst) + 3
        async with asyncio.timeout(PATIENCE):
            answers = await asyncio.gather(*(ann.rooms() for _ in range(lists)))
        assert answers == [[]] * lists
    assert server.gateway.limits.refused["lists"] >= 3


async def test_lines_carry_the_ids_of_what_they_are_about(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(Match, "move", fail)
    with structlog.testing.capture_logs() as lines:
        async with raw(server) as one, raw(server) as other:
            await one.hello("one")
            await other.hello("other")
            (started, _) = await start_match(one, other, settings=model.Settings(countdown=0))
            match = started.match.match
            error = await one.move(match, 0, 3, request="my-request")
            assert (error.code, error.re) == (ErrorCode.INTERNAL, "my-request")
            await other.ask(from_client.Ready(id="too-late"))
    by_event = {line["event"]: line for line in lines}
    assert by_event["connected"]["player"] == other.me.player
    assert (by_event["connected"]["new"], by_event["connected"]["address"]) == (True, "127.0.0.1")
    assert by_event["room_created"]["player"] == one.me.player
    assert (by_event["match_started"]["match"], by_event["match_started"]["room"]) == (match, started.match.room)
    failed = by_event["handler_failed"]
    assert (failed["request"], failed["match"], failed["player"]) == ("my-request", match, one.me.player)
    assert failed["kind"] == "Move"
    refused = by_event["refused"]
    assert (refused["request"], refused["player"], refused["code"]) == (
        "too-late",
        other.me.player,
        ErrorCode.WRONG_PHASE,
    )
    connections = {line["connection"] for line in lines if line["event"] == "connected"}
    assert connections == {1, 2}


async def test_a_reader_that_is_too_slow_is_let_go_and_counted(server: Running, ann: Raw) -> None:
    ann.socket.transport.pause_reading()
    session = next(iter(server.gateway.players._players.values())).session
    assert session is not None
    frame = MSGPACK.encode(from_server.RoomLeft(reason="x" * 60_000))
    for _ in range(1000):
        session.write(frame)
        if server.gateway.tally.slow:
            break
        await asyncio.sleep(0)
    ann.socket.transport.resume_reading()
    assert await ann.closed() == CloseCode.TOO_SLOW
    assert server.gateway.tally.slow == 1


async def test_who_is_gone_before_the_welcome_is_forgotten(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    identify = server.gateway.players.identify

    async def slowly(name: str, token: str | None) -> object:
        found = await identify(name, token)
        for connection in server.gateway._connections:
            connection.close(CloseCode.RESTARTING, "restarting")
        return found

    monkeypatch.setattr(server.gateway.players, "identify", slowly)
    async with raw(server) as ann:
        await ann.send(from_client.Hello(versions=[1], name="ann"))
        assert await ann.closed() == CloseCode.RESTARTING
    assert len(server.gateway.players) == 0


PING, EMPTY_FRAGMENT = b"\x89\x80\0\0\0\0", b"\x00\x80\0\0\0\0"


@pytest.mark.parametrize(
    "frames", [PING * 5000, b"\x8a" + PING[1:] + PING * 5000, b"\x02\x80\0\0\0\0" + EMPTY_FRAGMENT * 5000]
)
async def test_a_flood_of_what_is_no_message_ends_the_connection(server: Running, ann: Raw, frames: bytes) -> None:
    ann.socket.transport.write(frames)
    assert await ann.closed() == 1008
    assert ann.socket.close_reason == "too many pings or fragments"
    await eventually(lambda: not len(server.gateway))


async def test_pings_and_fragments_in_due_number_are_answered(ann: Raw) -> None:
    frame = MSGPACK.encode(from_client.Ping(id="1"))
    for _ in range(20):
        await (await ann.socket.ping())
        await ann.socket.send([frame[:4], frame[4:8], frame[8:]])
        assert (await ann.until(from_server.Pong)).re == "1"


async def test_a_peer_that_floods_and_never_reads_is_cut(server: Running, ann: Raw) -> None:
    ann.socket.transport.pause_reading()
    ann.socket.transport.write(PING * 5000)
    await eventually(lambda: not len(server.gateway))
    ann.socket.transport.abort()
