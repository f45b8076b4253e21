"""The small clients that people copy play whole races against a real server."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from samedrop_protocol import from_client
from tests.e2e.support import raw, served

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


async def start(script: str, *arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-u", str(EXAMPLES / script), *arguments, stdout=asyncio.subprocess.PIPE
    )


async def output(process: asyncio.subprocess.Process) -> list[str]:
    async with asyncio.timeout(120):
        printed, _ = await process.communicate()
    assert process.returncode == 0
    return printed.decode().splitlines()


async def test_two_minimal_clients_play_a_whole_race(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        host = await start("minimal_client.py", server.url)
        assert host.stdout is not None
        async with asyncio.timeout(30):
            code = (await host.stdout.readline()).decode().split()[-1]
        guest = await start("minimal_client.py", server.url, code)
        told = await asyncio.gather(output(host), output(guest))
        async with raw(server) as reviewer:
            await reviewer.hello("reviewer")
            answer = await reviewer.ask(from_client.ListMatches(id="1"))
    (match,) = answer.matches
    assert {standing.ended for standing in match.standings} == {"rules"}
    for lines in told:
        for standing in match.standings:
            assert any(str(standing.score) in line for line in lines), (lines, standing)


def test_the_minimal_client_is_minimal() -> None:
    lines = (EXAMPLES / "minimal_client.py").read_text().splitlines()
    imports = [line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))]
    assert len(lines) <= 40
    assert set(imports) <= {"websockets", "msgpack"} | set(sys.stdlib_module_names)
