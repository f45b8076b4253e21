"""The load of the socket benchmarks: clients that cost less than the server, in a process of their own.

They speak WebSocket by hand on asyncio protocols (a masking key of zeros leaves the payload as it is), so that the
server and not the load is what limits. Run as ``python -m bench.load echo|race URL ...``; prints one JSON line.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import time
from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit

import msgpack

from bench.processes import cpu_seconds, pin

SUBPROTOCOL = "samedrop.v1.msgpack"
SETTINGS = {"countdown": 0, "options": {"drops_per_rise": 30}}
"""Long games (some 150 drops a seat), so that moves are measured and not the beginning of matches."""
Message = dict[str, object]


class Wire(asyncio.Protocol):
    """A WebSocket client without the parts that a benchmark does not need (no fragments, no control frames)."""

    def __init__(self, path: str, on_open: Callable[[], None]) -> None:
        self.path = path
        self.on_open = on_open
        self.on_frame: Callable[[bytes], None] = lambda frame: None
        self.opened = False
        self.buffer = b""
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are not instances of asyncio's classes.
        self.transport = cast(asyncio.Transport, transport)
        key = base64.b64encode(b"0123456789abcdef").decode()
        self.transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        data = self.buffer + data if self.buffer else data
        if not self.opened:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self.buffer = head
                return
            assert b" 101 " in head.split(b"\r\n")[0], head
            self.opened, self.buffer = True, b""
            self.on_open()
        at = 0
        while len(data) - at >= 2:
            size, start = data[at + 1], at + 2
            if size >= 126:
                width = 2 if size == 126 else 8
                size = int.from_bytes(data[start : start + width], "big")
                start += width
            if len(data) < start + size:
                break
            if data[at] == 0x82:
                self.on_frame(data[start : start + size])
            at = start + size
        self.buffer = data[at:]

    def send(self, payload: bytes) -> None:
        if self.transport.is_closing():
            # A move that was planned when the run ended.
            return
        size = len(payload)
        head = bytes((0x82, 0x80 | size)) if size < 126 else b"\x82\xfe" + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + payload)


async def open_wire(url: str) -> Wire:
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    loop = asyncio.get_running_loop()
    opened = loop.create_future()
    _, wire = await loop.create_connection(
        lambda: Wire(parts.path or "/", lambda: opened.set_result(None)), parts.hostname, parts.port
    )
    await opened
    return wire


class Count:
    """What all clients did, and what CPU time the server spent, in the counted part of the run."""

    def __init__(self, server: int) -> None:
        self.server = server
        self.reset()

    async def over(self, seconds: float) -> None:
        """Count for `seconds`, after a quarter of that to warm up."""
        await asyncio.sleep(seconds / 4)
        self.reset()
        before, began = cpu_seconds(self.server), time.perf_counter()
        await asyncio.sleep(seconds)
        self.seconds = time.perf_counter() - began
        self.cpu = cpu_seconds(self.server) - before
        self.counted = self.units

    def reset(self) -> None:
        self.units = 0
        self.frames = 0
        self.bytes = 0
        self.latencies: list[float] = []


async def echo(url: str, count: Count, connections: int, seconds: float, size: int, reply: int) -> None:
    """Round trips of `size` bytes out and `reply` bytes back, each client one at a time."""
    payload = reply.to_bytes(4, "big") + bytes(size - 4)
    wires = [await open_wire(url) for _ in range(connections)]

    def client(wire: Wire) -> None:
        def answered(_: bytes) -> None:
            count.units += 1
            wire.send(payload)

        wire.on_frame = answered
        wire.send(payload)

    for wire in wires:
        client(wire)
    await count.over(seconds)
    for wire in wires:
        wire.transport.abort()


class Racer:
    """One player: sends a move, and the next one once it is acknowledged; the lowest column, then the leftmost."""

    def __init__(self, wire: Wire, count: Count, think: float) -> None:
        self.wire = wire
        self.count = count
        self.think = think
        self.waited: tuple[str, object, asyncio.Future[Message]] | None = None
        self.over = asyncio.Event()
        self.match = ""
        self.player: object = None
        wire.on_frame = self.take

    def send(self, message: Message) -> None:
        self.wire.send(msgpack.packb(message))

    async def until(self, key: str, value: object) -> Message:
        """The next message with that value under that key."""
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self.waited = (key, value, future)
        return await future

    async def ask(self, **message: object) -> Message:
        self.send({"id": "q", **message})
        return await self.until("re", "q")

    def take(self, frame: bytes) -> None:
        message = msgpack.unpackb(frame)
        kind = message["type"]
        if kind == "events":
            self.count.frames += 1
            self.count.bytes += len(frame)
            for step in message["steps"]:
                if step["seat"] == self.seat:
                    self.acknowledged(step["events"])
        elif kind == "progress":
            self.count.frames += 1
            self.count.bytes += len(frame)
        elif kind == "started":
            self.start(message["match"])
        elif kind == "over":
            self.over.set()
        elif kind == "error":
            raise RuntimeError(str(message))
        if self.waited is not None and message.get(self.waited[0]) == self.waited[1]:
            future = self.waited[2]
            self.waited = None
            future.set_result(message)

    def start(self, facts: Message) -> None:
        self.over.clear()
        self.match = str(facts["match"])
        seats = facts["seats"]
        assert isinstance(seats, list)
        self.seat = next(seat["seat"] for seat in seats if seat["player"] == self.player)
        self.heights = [1] * 7
        self.turn = 0
        self.move()

    def move(self) -> None:
        column = self.heights.index(min(self.heights))
        body = {"column": column}
        self.sent = time.perf_counter()
        self.send({"type": "move", "id": f"{self.turn}", "match": self.match, "turn": self.turn, "move": body})

    def acknowledged(self, events: list[Message]) -> None:
        self.count.units += 1
        self.count.latencies.append(time.perf_counter() - self.sent)
        self.turn += 1
        self.heights = follow(self.heights, events)
        if events[-1]["type"] == "over":
            return
        if self.think:
            asyncio.get_running_loop().call_later(self.think, self.move)
        else:
            self.move()


def follow(heights: list[int], events: list[Message]) -> list[int]:
    """Column heights after `events`."""
    heights = list(heights)
    for event in events:
        if event["type"] == "drop":
            heights[event["cell"][1]] += 1  # type: ignore[index]
        elif event["type"] == "wave":
            for cell in event["cleared"]:  # type: ignore[attr-defined]
                heights[cell[1]] -= 1
        elif event["type"] == "rise":
            heights = [height + 1 for height in heights]
    return heights


async def race(url: str, count: Count, matches: int, seconds: float, think: float, seats: int) -> None:
    """That many races at a time until time is up; each room goes on with rematches."""
    rooms = []
    for number in range(matches):
        racers = [Racer(await open_wire(url), count, think) for _ in range(seats)]
        for racer in racers:
            racer.send({"type": "hello", "versions": [1], "name": f"racer {number}"})
            racer.player = (await racer.until("type", "welcome"))["player"]
        room = await racers[0].ask(type="create_room", settings=SETTINGS)
        for racer in racers[1:]:
            await racer.ask(type="join_room", code=room["room"]["code"])  # type: ignore[index]
            await racer.ask(type="ready")
        rooms.append(racers)

    async def series(racers: list[Racer]) -> None:
        await racers[0].ask(type="start")
        while True:
            for racer in racers:
                await racer.over.wait()
                racer.over.clear()
            await racers[0].ask(type="rematch")

    series_tasks = [asyncio.ensure_future(series(racers)) for racers in rooms]
    await count.over(seconds)
    for task in series_tasks:
        task.cancel()
    for racers in rooms:
        for racer in racers:
            racer.wire.transport.abort()


def main() -> None:
    pin()
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["echo", "race"])
    parser.add_argument("url")
    parser.add_argument("--pid", type=int, required=True, help="the server's process")
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--reply", type=int, default=139)
    parser.add_argument("--think", type=float, default=0.0)
    parser.add_argument("--seats", type=int, default=2)
    given = parser.parse_args()
    import uvloop

    count = Count(given.pid)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        if given.kind == "echo":
            runner.run(echo(given.url, count, given.connections, given.seconds, given.size, given.reply))
        else:
            matches = given.connections // given.seats
            runner.run(race(given.url, count, matches, given.seconds, given.think, given.seats))
    result: dict[str, float] = {"count": count.counted, "seconds": count.seconds, "cpu": count.cpu}
    if count.latencies:
        times = sorted(count.latencies)
        result["p50_ms"] = 1000 * times[len(times) // 2]
        result["p99_ms"] = 1000 * times[len(times) * 99 // 100]
        result["frames_per_move"] = count.frames / count.units
        result["bytes_per_frame"] = count.bytes / count.frames
    print(json.dumps(result))


if __name__ == "__main__":
    main()
