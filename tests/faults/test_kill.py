"""kill -9: every acknowledged move is there after the restart, none twice, and the clients finish by themselves.

``make soak`` does the same at length.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.crashes import crash
from tests.faults.processes import server_process

MATCHES = 10


@pytest.mark.parametrize(("seed", "durability"), [("1", "normal"), ("2", "normal"), ("3", "normal"), ("4", "full")])
async def test_nothing_is_lost_and_nothing_doubled(seed: str, durability: str, tmp_path: Path) -> None:
    async with server_process(tmp_path, "--durability", durability) as server:
        findings = await crash(server, seed, MATCHES)
        assert findings.clean, f"seed {seed}: {findings}\n{server.log()}"
