"""HTTP by hand: a request as bytes, and the whole answer, so that nothing is mended on the way."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass
from typing import Any

import msgspec

from samedrop_server.app import Running

PATIENCE = 10.0
SWITCHED = 101
HANDSHAKE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": "samedrop.v1.json",
}


@dataclass
class Answer:
    """What came back; header names in small letters."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


async def exchange(server: Running, sent: bytes, *, tls: ssl.SSLContext | None = None) -> Answer:
    """Send bytes, and return the answer that comes back."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=tls)
    try:
        async with asyncio.timeout(PATIENCE):
            writer.write(sent)
            head = await reader.readuntil(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").strip().split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            status = int(first.split()[1])
            return Answer(status, headers, b"" if status == SWITCHED else await reader.read())
    finally:
        writer.close()


async def get(
    server: Running, path: str, *, method: str = "GET", tls: ssl.SSLContext | None = None, **headers: str
) -> Answer:
    """The answer to one request; headers are given with underscores for dashes."""
    fields = {"Host": f"127.0.0.1:{server.port}"} | {name.replace("_", "-"): value for name, value in headers.items()}
    return await ask(server, path, fields.items(), method=method, tls=tls)


async def ask(
    server: Running, path: str, fields: Any, *, method: str = "GET", tls: ssl.SSLContext | None = None
) -> Answer:
    """The answer to one request with these header fields, which may repeat."""
    head = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields), "", ""]
    return await exchange(server, "\r\n".join(head).encode(), tls=tls)


async def shake(server: Running, path: str = "/ws", **headers: str) -> Answer:
    """The answer to a WebSocket handshake."""
    fields = {"Host": f"127.0.0.1:{server.port}"} | HANDSHAKE
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    return await ask(server, path, fields.items())
