"""Signals and feeds."""

from __future__ import annotations

import asyncio

import pytest

from samedrop_client.feed import Feed, Signal


async def test_a_signal_wakes_who_waits_and_looks_again() -> None:
    signal, seen = Signal(), [0]
    task = asyncio.create_task(signal.until(lambda: seen[0] == 2))
    for number in (1, 2):
        await asyncio.sleep(0)
        assert not task.done()
        seen[0] = number
        signal.fire()
    await task


async def test_every_reader_reads_all() -> None:
    feed = Feed[int]()
    feed.put(1)
    early = feed.reader()
    assert await anext(early) == 1
    feed.put(2)
    feed.close()
    assert [item async for item in early] == [2]
    assert [item async for item in feed.reader()] == [1, 2]


async def test_a_reader_waits_for_the_next_item() -> None:
    feed = Feed[str]()
    reader = feed.reader()
    waiting = asyncio.create_task(reader.__anext__())
    await asyncio.sleep(0)
    assert not waiting.done()
    feed.put("now")
    assert await waiting == "now"


async def test_closing_with_an_error_comes_after_what_was_put() -> None:
    feed = Feed[int]()
    reader = feed.reader()
    feed.put(1)
    feed.close(KeyError("gone"))
    feed.close()
    assert await anext(reader) == 1
    with pytest.raises(KeyError):
        await anext(reader)


async def test_a_bounded_feed_keeps_the_newest() -> None:
    feed = Feed[int](keep=10)
    reader = feed.reader()
    for number in range(1_000):
        feed.put(number)
    feed.close()
    read = [item async for item in reader]
    assert 10 <= len(read) < 20
    assert read == list(range(1_000))[-len(read) :]
