"""A bot in ten lines: it joins a room and drops anywhere. Run as ``python ten_line_bot.py ADDRESS CODE``."""

import asyncio
import random
import sys

from samedrop_client import connect


async def main(address: str, code: str) -> None:
    async with connect(address, name="ten lines") as client:
        room = await client.join_room(code)
        await room.ready()
        match = await room.next_match()
        result = await match.play(lambda view, moves: random.choice(moves))
        for row in result.standings:
            print(row.rank, row.name, row.score)


asyncio.run(main(*sys.argv[1:]))
