"""Waiting for what nothing announces."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PATIENCE = 10.0
"""Seconds until something that does not come counts as missing."""


async def eventually(condition: Callable[[], object]) -> None:
    """Return once the condition holds.

    Raises:
        TimeoutError: it does not.
    """
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - for what has no event
            await asyncio.sleep(0.001)
