"""Hello, answers, lost connections, and coming back."""

from __future__ import annotations

import asyncio

import pytest

from samedrop_client.client import Client
from samedrop_client.connection import Backoff
from samedrop_client.errors import (
    ConnectionLost,
    Disconnected,
    NotSamedrop,
    Refused,
    Replaced,
    SamedropError,
    TokenUnknown,
    Unreachable,
    VersionMismatch,
)
from samedrop_protocol import from_server
from samedrop_protocol.codec import JSON, MSGPACK
from samedrop_protocol.errors import CloseCode, ErrorCode
from samedrop_protocol.from_client import Chat, GetMatch, Hello, ListRooms, Ping, Ready
from tests.support.playbook import Playbook
from tests.support.scene import NOW, ok, pong, refusal, room, welcome


def waiting(client: Client) -> int:
    return len(client._connection.requests)


@pytest.mark.parametrize("codec", [MSGPACK, JSON])
async def test_hello_welcome_ping(codec: object) -> None:
    book = Playbook(JSON if codec is JSON else MSGPACK)
    book.expects(Hello, name="Ann", versions=[1], token=None).says(welcome()).expects(Ping).answers(pong)
    async with book, book.connect() as client:
        assert (client.player, client.name, client.token) == ("player-ann", "Ann", "token-ann")
        assert await client.ping() == NOW


async def test_a_token_is_said_and_kept() -> None:
    book = Playbook().expects(Hello, token="token-of-old").says(welcome(token=None))
    async with book, book.connect(token="token-of-old") as client:
        assert client.token == "token-of-old"


async def test_answers_find_their_requests_in_any_order() -> None:
    first = asyncio.Event()
    book = Playbook().expects(Hello).says(welcome()).expects(ListRooms).expects(Ping).answers(pong).waits_for(first)
    async with book, book.connect() as client:
        rooms = asyncio.create_task(client.rooms())
        await asyncio.sleep(0)
        assert await client.ping() == NOW
        assert not rooms.done()
        first.set()
        rooms.cancel()
        await asyncio.gather(rooms, return_exceptions=True)
        assert waiting(client) == 0, "a cancelled request leaves the table"


async def test_ten_thousand_requests_with_errors_leave_an_empty_table() -> None:
    book = Playbook().expects(Hello).says(welcome())
    for number in range(10_000):
        book.expects(Ping).answers(refusal(ErrorCode.INTERNAL) if number % 3 else pong)
    async with book, book.connect() as client:
        answers: list[object] = []
        for _ in range(100):
            answers += await asyncio.gather(*(client.ping() for _ in range(100)), return_exceptions=True)
        assert sum(isinstance(answer, Refused) for answer in answers) == 6_666
        assert waiting(client) == 0
    ids = [message.id for message in book.heard if isinstance(message, Ping)]
    assert len(set(ids)) == 10_000


async def test_request_ids_differ_between_clients() -> None:
    ids = []
    for _ in range(2):
        book = Playbook().expects(Hello).says(welcome()).expects(Ping).answers(pong)
        async with book, book.connect() as client:
            await client.ping()
        ids += [message.id for message in book.heard if isinstance(message, Ping)]
    assert ids[0] != ids[1]


async def test_a_refusal_tells_all() -> None:
    book = Playbook().expects(Hello).says(welcome()).expects(Ping).answers(refusal(ErrorCode.STORAGE, "Full.", turn=3))
    async with book, book.connect() as client:
        with pytest.raises(Refused) as caught:
            await client.ping()
    assert (caught.value.code, caught.value.text, caught.value.turn) == (ErrorCode.STORAGE, "Full.", 3)


async def test_a_rate_limit_is_waited_for_and_the_same_request_repeated() -> None:
    book = Playbook().expects(Hello).says(welcome())
    book.expects(Ping).answers(refusal(ErrorCode.RATE_LIMITED, retry_after=0.001)).expects(Ping).answers(pong)
    async with book, book.connect() as client:
        assert await client.ping() == NOW
    pings = [message for message in book.heard if isinstance(message, Ping)]
    assert pings[0] == pings[1]


async def test_a_rate_limit_of_hello_is_waited_for() -> None:
    busy = from_server.Error(code=ErrorCode.RATE_LIMITED, text="Wait.", retry_after=0.001)
    book = Playbook().expects(Hello).says(busy)
    async with book:
        async with asyncio.timeout(5):
            entering = asyncio.create_task(book.connect().__aenter__())
            await book.done()
            # The second hello comes over the same connection.
            assert book._end is not None
            hello = MSGPACK.decode_client(await book._end.recv())
            assert hello == book.heard[0]
            await book.say(welcome())
            client = await entering
        await client.__aexit__(None, None, None)


async def test_a_rate_limit_of_hours_is_told() -> None:
    book = Playbook().expects(Hello).says(welcome())
    book.expects(Ping).answers(refusal(ErrorCode.RATE_LIMITED, retry_after=7200))
    async with book, book.connect() as client:
        with pytest.raises(Refused) as caught:
            await client.ping()
    assert caught.value.retry_after == 7200


async def test_unknown_messages_are_skipped() -> None:
    confetti = bytes.fromhex("81a474797065a8636f6e6665747469")  # {"type": "confetti"}
    book = Playbook().expects(Hello).says(welcome()).sends(confetti).expects(Ping).answers(pong)
    async with book, book.connect() as client:
        assert await client.ping() == NOW


# No connection in the first place.


async def test_unreachable_is_told_at_once() -> None:
    async with Playbook().cannot_be_reached(1) as book:
        await book.done()
        with pytest.raises(Unreachable):
            await book.connect().__aenter__()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (from_server.Error(code=ErrorCode.VERSION, text="Too old.", versions=[7, 8]), VersionMismatch),
        (from_server.Error(code=ErrorCode.TOKEN, text="Who?"), TokenUnknown),
        (from_server.Error(code=ErrorCode.NAME, text="No name."), Refused),
        (from_server.Pong(re="x", time=NOW), NotSamedrop),
    ],
)
async def test_hello_refused(answer: from_server.ServerMessage, expected: type[SamedropError]) -> None:
    async with Playbook().expects(Hello).says(answer) as book:
        with pytest.raises(expected) as caught:
            await book.connect().__aenter__()
    if expected is VersionMismatch:
        assert "7, 8" in caught.value.text


@pytest.mark.parametrize(
    ("code", "expected"),
    [(CloseCode.VERSION, VersionMismatch), (CloseCode.NO_SUBPROTOCOL, VersionMismatch), (1011, Unreachable)],
)
async def test_closed_before_welcome(code: int, expected: type[SamedropError]) -> None:
    async with Playbook().expects(Hello).closes(code) as book:
        with pytest.raises(expected):
            await book.connect().__aenter__()


# Coming back.


@pytest.mark.parametrize("code", [1006, 1001, CloseCode.RESTARTING, CloseCode.TOO_SLOW, CloseCode.HELLO_TIMEOUT])
async def test_comes_back_with_its_token(code: int) -> None:
    book = Playbook().expects(Hello, token=None).says(welcome(token="secret")).closes(code)
    book.expects(Hello, token="secret").says(welcome(token=None)).expects(Ping).answers(pong)
    async with book, book.connect() as client:
        await client.ping()
        assert client.token == "secret"
    assert book.notices == ["The connection is lost; trying again.", "The connection is back."]


async def test_goes_on_trying_while_it_cannot_be_reached() -> None:
    book = Playbook().expects(Hello).says(welcome()).cannot_be_reached(3).cuts()
    book.expects(Hello).closes(1011)
    book.expects(Hello).says(from_server.Error(code=ErrorCode.STORAGE, text="Not yet."))
    book.expects(Hello).says(welcome()).expects(Ping).answers(pong)
    async with book, book.connect() as client:
        assert await client.ping() == NOW


async def test_gives_up_when_its_patience_is_over() -> None:
    book = Playbook().expects(Hello).says(welcome()).cannot_be_reached(10**6).cuts()
    async with book, book.connect(backoff=Backoff(first=0, most=0, patience=0)) as client:
        with pytest.raises(ConnectionLost, match="not now"):
            await client.ping()
        with pytest.raises(ConnectionLost):
            await client.ping()
        assert waiting(client) == 0


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (CloseCode.REPLACED, Replaced),
        (CloseCode.VERSION, VersionMismatch),
        (CloseCode.NO_SUBPROTOCOL, VersionMismatch),
        (CloseCode.TOO_MANY_ERRORS, ConnectionLost),
    ],
)
async def test_does_not_come_back_where_it_must_not(code: CloseCode, expected: type[Disconnected]) -> None:
    book = Playbook().expects(Hello).says(welcome()).expects(Ping).closes(code, "because")
    async with book, book.connect() as client:
        with pytest.raises(expected, match="because"):
            await client.ping()
        await book.done()
        with pytest.raises(expected):
            await client.ping()
    assert [type(message) for message in book.heard] == [Hello, Ping]


async def test_a_token_that_is_refused_later_ends_it() -> None:
    book = Playbook().expects(Hello).says(welcome()).cuts()
    book.expects(Hello).says(from_server.Error(code=ErrorCode.TOKEN, text="Who?"))
    async with book, book.connect() as client:
        with pytest.raises(TokenUnknown):
            await client.ping()


async def test_nonsense_from_the_server_ends_it() -> None:
    book = Playbook().expects(Hello).says(welcome()).sends(b"\xc1")
    async with book, book.connect() as client:
        with pytest.raises(NotSamedrop):
            await client.ping()


async def test_safe_requests_are_repeated_with_their_ids() -> None:
    book = Playbook().expects(Hello).says(welcome()).expects(GetMatch).cuts()
    book.expects(Hello).says(welcome()).expects(GetMatch).answers(refusal(ErrorCode.MATCH_NOT_FOUND))
    async with book, book.connect() as client:
        with pytest.raises(Refused):
            await client.match_record("gone")
    asked = [message for message in book.heard if isinstance(message, GetMatch)]
    assert asked[0] == asked[1]


async def test_what_must_not_be_done_twice_fails_when_its_answer_is_lost() -> None:
    book = Playbook().expects(Hello).says(welcome(room=room())).expects(Chat, text="hi").cuts()
    book.expects(Hello).says(welcome(room=room())).expects(Ready).answers(ok)
    async with book, book.connect() as client:
        assert client.room is not None
        with pytest.raises(ConnectionLost):
            await client.room.chat("hi")
        await client.room.ready()


async def test_requests_made_while_away_wait() -> None:
    back = asyncio.Event()
    book = Playbook().expects(Hello).says(welcome(room=room())).cuts()
    book.expects(Hello).waits_for(back).says(welcome(room=room()))
    book.expects(Chat, text="still here").answers(ok)
    async with book, book.connect() as client:
        assert client.room is not None
        await book.noticed.wait()
        chat = asyncio.create_task(client.room.chat("still here"))
        await asyncio.sleep(0)
        back.set()
        await chat


async def test_closing_fails_what_waits() -> None:
    book = Playbook().expects(Hello).says(welcome()).expects(Ping)
    async with book:
        async with book.connect() as client:
            ping = asyncio.create_task(client.ping())
            await book.done()
        with pytest.raises(Disconnected, match="closed"):
            await ping
        assert waiting(client) == 0


async def test_the_server_says_that_it_closes() -> None:
    book = Playbook().expects(Hello).says(welcome(), from_server.Closing(text="Back soon.")).closes(1012)
    book.expects(Hello).says(welcome())
    async with book, book.connect() as client:
        await book.done()
        assert client.server == "samedrop/test"
    assert book.notices[:2] == ["Back soon.", "The connection is lost; trying again."]


def test_backoff_grows_to_its_most_and_is_spread() -> None:
    backoff = Backoff(first=1, most=8)
    for attempt, whole in enumerate([1, 2, 4, 8, 8, 8]):
        delays = {backoff.delay(attempt) for _ in range(50)}
        assert all(whole / 2 <= delay <= whole for delay in delays)
        assert len(delays) > 1
    assert backoff.delay(10**6) <= 8
