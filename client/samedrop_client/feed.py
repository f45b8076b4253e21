"""Signals and feeds: how tasks wait for what the reading task brings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Signal:
    """Wakes everybody who waits, each time it is fired."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def fire(self) -> None:
        """Wake all who wait now."""
        self._event.set()
        self._event.clear()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Return once `condition` holds; it is looked at now, and whenever the signal fires."""
        while not condition():
            await self._event.wait()


class Feed(Generic[Item]):
    """A growing list that any number of readers follow, each at its own pace.

    With `keep`, only so many items are kept for readers who are behind; they miss what is older.
    """

    def __init__(self, keep: int | None = None) -> None:
        self._items: list[Item] = []
        self._first = 0
        self._keep = keep
        self._changed = Signal()
        self.closed = False
        self._error: Exception | None = None

    def put(self, item: Item) -> None:
        """Add an item."""
        self._items.append(item)
        # Trimmed in large pieces, so that it costs nothing on average.
        if self._keep is not None and len(self._items) >= 2 * self._keep:
            surplus = len(self._items) - self._keep
            del self._items[:surplus]
            self._first += surplus
        self._changed.fire()

    def close(self, error: Exception | None = None) -> None:
        """End it for every reader who has read all: with `error` if there is one."""
        if not self.closed:
            self.closed, self._error = True, error
            self._changed.fire()

    def reader(self) -> Reader[Item]:
        """A reader that starts at the oldest kept item."""
        return Reader(self)

    async def at(self, place: int) -> tuple[int, Item]:
        """The item at `place`, or the oldest kept after it, with its place; waits for it.

        Raises:
            StopAsyncIteration: closed, and there is none.
            Exception: what it was closed with.
        """
        await self._changed.until(lambda: place < self._first + len(self._items) or self.closed)
        place = max(place, self._first)
        if place < self._first + len(self._items):
            return place, self._items[place - self._first]
        if self._error is not None:
            raise self._error
        raise StopAsyncIteration


class Reader(Generic[Item]):
    """One reader's place in a feed."""

    def __init__(self, feed: Feed[Item]) -> None:
        self._feed = feed
        self._place = 0

    def __aiter__(self) -> Reader[Item]:
        return self

    async def __anext__(self) -> Item:
        place, item = await self._feed.at(self._place)
        self._place = place + 1
        return item
