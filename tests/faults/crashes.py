"""One crash: bots race, the server is killed at a random moment and started again, the bots finish."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack

from tests.faults.processes import PATIENCE, ServerProcess
from tests.faults.races import SEATS, Findings, begin_races, examine

DROP_LIMIT = 20


async def crash(server: ServerProcess, seed: str, matches: int, *, patience: float = 2 * PATIENCE) -> Findings:
    """Race so many matches on a server that listens, and kill it once.

    The moment is drawn from `seed`: after so many acknowledged moves, and up to 20 ms more.
    """
    chance = random.Random(seed)
    moment = chance.randrange(1, matches * SEATS * DROP_LIMIT * 9 // 10)
    delay = chance.uniform(0, 0.02)
    async with asyncio.timeout(patience), AsyncExitStack() as stack:
        races = await begin_races(stack, server.url, matches, drop_limit=DROP_LIMIT)
        acknowledged = 0
        reached = asyncio.Event()

        def count() -> None:
            nonlocal acknowledged
            acknowledged += 1
            if acknowledged == moment:
                reached.set()

        async def kill() -> None:
            await reached.wait()
            await asyncio.sleep(delay)
            await server.kill()
            await server.start()

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(kill())
            for race in races:
                tasks.create_task(race.play(count))
    return examine(server.database, races)
