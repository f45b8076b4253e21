"""Behind nginx, set up as docs/operating.md says: at the root of a name, and at a path."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from samedrop_client import connect
from samedrop_client.players import greedy_player
from samedrop_protocol.model import Settings
from samedrop_server.app import Running
from tests.e2e.support import PATIENCE, served

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
PAGE = Path(__file__).parents[2] / "docs" / "operating.md"
pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


def location(path: str) -> str:
    """The block of that path in the page; the other one's headers stand for ``... as above``."""
    root = re.search(r"location / \{\n(.*?)\n    \}", PAGE.read_text("utf-8"), re.S)
    block = re.search(rf"location {path} \{{\n(.*?)\n    \}}", PAGE.read_text("utf-8"), re.S)
    assert root is not None
    assert block is not None
    headers = "\n".join(line for line in root[1].splitlines() if "proxy_pass" not in line)
    return f"location {path} {{\n{block[1]}\n{headers if block[1] != root[1] else ''}\n}}"


@asynccontextmanager
async def nginx(folder: Path, server: Running, path: str) -> AsyncIterator[int]:
    """nginx in front of `server`; gives its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    block = location(path).replace("127.0.0.1:7077", f"127.0.0.1:{server.port}")
    temporary = "".join(f"{kind}_temp_path {folder};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    config = folder / "nginx.conf"
    config.write_text(
        f"daemon off; worker_processes 1; pid {folder / 'nginx.pid'}; error_log {folder / 'error.log'}; events {{}}\n"
        f"http {{ access_log off; {temporary}\nserver {{ listen 127.0.0.1:{port};\n{block}\n}} }}\n"
    )
    assert NGINX is not None
    process = await asyncio.create_subprocess_exec(NGINX, "-c", str(config), "-e", str(folder / "error.log"))
    try:
        async with asyncio.timeout(PATIENCE):
            while not await listens(port):  # noqa: ASYNC110 - it announces nothing
                await asyncio.sleep(0.02)
        yield port
    finally:
        process.terminate()
        await process.wait()


async def listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


@pytest.mark.parametrize(("path", "prefix"), [("/", ""), ("/drop/", "/drop")])
async def test_a_race_behind_nginx(path: str, prefix: str, tmp_path: Path) -> None:
    settings = Settings(seed="friday", drop_limit=5, countdown=0)
    async with (
        served(tmp_path, trusted_proxies="127.0.0.1", path_prefix=prefix) as server,
        nginx(tmp_path, server, path) as port,
        connect(f"127.0.0.1:{port}{prefix}", name="ann") as ann,
    ):
        room = await ann.create_room(settings)
        await room.start()
        match = await room.next_match()
        over = await match.play(greedy_player(match))
        assert over.standings[0].turns == 5
        for page in ("/healthz", f"/api/v1/matches/{match.id}"):
            assert await asyncio.to_thread(status, f"http://127.0.0.1:{port}{prefix}{page}") == 200


def status(url: str) -> int:
    """Of the answer to a plain request."""
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return int(answer.status)
