"""The ten-line bot of docs/client.md plays, and is what the page shows."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from samedrop_client import connect
from samedrop_client.players import greedy_player
from samedrop_protocol.model import Settings
from tests.e2e.support import served

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "ten_line_bot.py"


async def test_it_plays(tmp_path: Path) -> None:
    async with served(tmp_path) as server, connect(server.url, name="Ann") as ann:
        room = await ann.create_room(Settings(drop_limit=5, countdown=0))
        pipe = asyncio.subprocess.PIPE
        bot = await asyncio.create_subprocess_exec(
            sys.executable, str(EXAMPLE), server.url, room.code, stdout=pipe, stderr=pipe
        )
        await room.until(lambda: any(member.ready for member in room.players))
        await room.start()
        match = await room.next_match()
        over = await match.play(greedy_player(match))
        out, err = await bot.communicate()
    assert (bot.returncode, err) == (0, b"")
    assert out.decode().splitlines() == [f"{row.rank} {row.name} {row.score}" for row in over.standings]


def test_it_has_ten_lines() -> None:
    code = [line for line in EXAMPLE.read_text("utf-8").splitlines() if line.strip()]
    body = [line for line in code if not line.startswith(("import ", "from ", '"""'))]
    assert len(body) <= 10


def test_the_page_shows_it() -> None:
    page = (ROOT / "docs" / "client.md").read_text("utf-8")
    _, code = EXAMPLE.read_text("utf-8").split("\n\n", 1)
    assert code.strip() in page
