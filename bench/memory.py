"""Memory of the server for each idle connection, with compression and without: ``python -m bench.memory``."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from bench.load import SUBPROTOCOL
from bench.processes import Server, server

CONNECTIONS = 1_000


def resident_kilobytes(pid: int) -> int:
    """Resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


async def idle(target: Server, compression: str | None) -> float:
    """Kilobytes for each of so many players who said hello, sent one message and do nothing."""
    sockets: list[ClientConnection] = []

    async def arrive(number: int) -> None:
        socket = await connect(
            target.url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=compression, ping_interval=None, proxy=None
        )
        sockets.append(socket)
        await socket.send(msgpack.packb({"type": "hello", "versions": [1], "name": f"idle {number}"}))
        await socket.recv()
        await socket.send(msgpack.packb({"type": "ping", "id": "1"}))
        await socket.recv()

    for number in range(50):
        await arrive(number)
    before = resident_kilobytes(target.process.pid)
    for number in range(CONNECTIONS):
        await arrive(number)
    grown = resident_kilobytes(target.process.pid) - before
    await asyncio.gather(*(socket.close() for socket in sockets))
    return grown / CONNECTIONS


def main() -> None:
    for compression, setting in ((None, "false"), ("deflate", "true")):
        with server("race", f"compression={setting}") as running:
            print(f"{asyncio.run(idle(running, compression)):6.1f} kB a connection, compression {setting}")


if __name__ == "__main__":
    main()
