"""Lines that a person types, read so that nothing else has to wait for them."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable

CHUNK = 4096


class Console:
    """The lines of a file descriptor (standard input), as they are typed or piped in."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor

    async def lines(self) -> AsyncIterator[str]:
        """Each line without its end; over at the end of the file."""
        typed: asyncio.Queue[str | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def deliver(line: str | None) -> None:
            try:
                loop.call_soon_threadsafe(typed.put_nowait, line)
            except RuntimeError:
                pass  # the loop is closed: nobody waits for lines any more

        # A thread, because files and Windows consoles cannot be waited for by an event loop; a daemon, because a
        # blocked read cannot be called off.
        threading.Thread(target=_read, args=(self._descriptor, deliver), daemon=True, name="console").start()
        while (line := await typed.get()) is not None:
            yield line


def _read(descriptor: int, deliver: Callable[[str | None], None]) -> None:
    rest = b""
    while chunk := _read_some(descriptor):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            deliver(_text(line))
    if rest:
        deliver(_text(rest))
    deliver(None)


def _read_some(descriptor: int) -> bytes:
    # Not through sys.stdin: its lock would be held at the interpreter's exit.
    try:
        return os.read(descriptor, CHUNK)
    except OSError:
        return b""  # the terminal is gone


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r")
