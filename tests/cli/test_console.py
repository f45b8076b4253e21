"""Lines from a pipe, as they come."""

from __future__ import annotations

import asyncio
import os

from samedrop_cli.console import Console


async def test_lines_of_all_kinds() -> None:
    reading, writing = os.pipe()
    os.write(writing, "4\n\nchat Zoë\r\nbro".encode() + b"ken \xff\nlast")
    os.close(writing)
    assert [line async for line in Console(reading).lines()] == ["4", "", "chat Zoë", "broken \ufffd", "last"]
    os.close(reading)


async def test_a_line_is_there_before_the_next_is_typed() -> None:
    reading, writing = os.pipe()
    lines = aiter(Console(reading).lines())
    for typed in ("ready", "start"):
        os.write(writing, f"{typed}\n".encode())
        assert await anext(lines) == typed
    waiting = asyncio.create_task(anext(lines, "the end"))
    os.close(writing)
    assert await waiting == "the end"
    os.close(reading)


async def test_a_terminal_that_is_gone_is_the_end() -> None:
    reading, writing = os.pipe()
    os.close(writing)
    os.close(reading)
    assert [line async for line in Console(reading).lines()] == []
