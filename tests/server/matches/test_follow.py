from __future__ import annotations

import asyncio

from samedrop_protocol import from_server, model
from samedrop_rules import Step as Decided
from samedrop_server.matches.follow import Flusher, Follow
from samedrop_server.matches.steps import Step
from samedrop_server.matches.streams import Stream
from tests.support.server import FakeSession


def follow(sent: int = 0) -> tuple[FakeSession, Stream, Follow]:
    session, stream = FakeSession(), Stream()
    progress = [model.SeatProgress(seat=seat, turn=4 + seat, score=10) for seat in range(2)]
    return session, stream, Follow("m1", session, stream, progress, sent)


def feed(stream: Stream, count: int) -> None:
    for turn in range(count):
        number = len(stream.told) + 1
        stream.feed(Step(number, 0, turn, {"column": 0}, Decided([], (0,)), 0, 0, "", None, None))


def test_a_flush_sends_what_is_new_as_one_frame() -> None:
    session, stream, following = follow()
    feed(stream, 3)
    following.flush()
    frame = session.take_only(from_server.Events)
    assert (frame.first, len(frame.steps), frame.progress) == (1, 3, [])
    following.flush()
    assert session.take() == []
    feed(stream, 1)
    following.flush()
    assert session.take_only(from_server.Events).first == 4


def test_progress_goes_with_the_steps_or_alone() -> None:
    session, stream, following = follow()
    following.news.add(1)
    following.flush()
    alone = session.take_only(from_server.Progress)
    assert [(seat.seat, seat.turn) for seat in alone.seats] == [(1, 5)]
    feed(stream, 1)
    following.news |= {1, 0}
    following.flush()
    frame = session.take_only(from_server.Events)
    assert [seat.seat for seat in frame.progress] == [0, 1]


async def test_lazy_news_come_within_the_gathering_time_and_once() -> None:
    session, stream, following = follow()
    flusher = Flusher(gather=0.001)
    arrived = asyncio.Event()
    write = session.write

    def written(frame: bytes | str) -> None:
        write(frame)
        arrived.set()

    session.write = written  # type: ignore[method-assign]
    for _ in range(3):
        feed(stream, 1)
        flusher.lazy(following)
    assert session.told == []
    async with asyncio.timeout(5):
        await arrived.wait()
    assert len(session.take_only(from_server.Events).steps) == 3


async def test_urgent_news_take_the_lazy_ones_along() -> None:
    session, stream, following = follow()
    flusher = Flusher(gather=3600)
    feed(stream, 1)
    flusher.lazy(following)
    feed(stream, 1)
    flusher.urgent(following)
    flusher.flush()
    assert len(session.take_only(from_server.Events).steps) == 2
    flusher._flush_lazy()
    assert session.take() == []
    flusher.close()
