"""The load of the socket benchmarks: lean clients in a process of their own, so that the server has its core alone.

Run as ``python -m bench.load echo|race URL ...``; prints one JSON line.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time

import msgpack
from websockets.asyncio.client import ClientConnection, connect

from bench.processes import pin

SUBPROTOCOL = "samedrop.v1.msgpack"


async def echo(url: str, connections: int, seconds: float, size: int, reply: int) -> dict[str, float]:
    """Round trips of `size` bytes out and `reply` bytes back, each client one at a time."""
    frame = reply.to_bytes(4, "big") + bytes(size - 4)
    stop = time.perf_counter() + seconds
    count = 0

    async def client() -> None:
        nonlocal count
        async with connect(url, compression=None, ping_interval=None) as socket:
            while time.perf_counter() < stop:
                await socket.send(frame)
                await socket.recv()
                count += 1

    started = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(connections)))
    return {"count": count, "seconds": time.perf_counter() - started}


class Racer:
    """A lean client: hello, room, then moves as fast as they are acknowledged."""

    def __init__(self, socket: ClientConnection, name: str, latencies: list[float], think: float) -> None:
        self.socket = socket
        self.name = name
        self.latencies = latencies
        self.think = think
        self.moves = 0
        self.bytes_in = 0
        self.frames_in = 0

    async def ask(self, **message: object) -> dict[str, object]:
        await self.socket.send(msgpack.packb({"id": "q", **message}))
        return await self.until("re", "q")

    async def until(self, key: str, value: object) -> dict[str, object]:
        while True:
            message: dict[str, object] = msgpack.unpackb(await self.socket.recv())
            if message.get(key) == value:
                if message["type"] == "error":
                    raise RuntimeError(str(message))
                return message

    async def play(self, stop: float) -> None:
        """Play the next match to its end or until `stop` (perf_counter); a drop limit is expected in the room."""
        started = await self.until("type", "started")
        facts = started["match"]
        assert isinstance(facts, dict)
        match_id, seat = facts["match"], int(self.name)
        heights = [1] * 7
        turn = 0
        while time.perf_counter() < stop:
            column = heights.index(min(heights))
            request = f"{turn}"
            frame = msgpack.packb(
                {"type": "move", "id": request, "match": match_id, "turn": turn, "move": {"column": column}}
            )
            sent = time.perf_counter()
            await self.socket.send(frame)
            answer = await self.answer(seat, turn)
            if answer is None:
                return
            self.latencies.append(time.perf_counter() - sent)
            self.moves += 1
            heights = follow(heights, answer)
            turn += 1
            if any(event["type"] == "over" for event in answer):
                return
            if self.think:
                await asyncio.sleep(self.think)

    async def answer(self, seat: int, turn: int) -> list[dict[str, object]] | None:
        """The events of the own move of `turn`; None once the match is over."""
        while True:
            data = await self.socket.recv()
            self.frames_in += 1
            self.bytes_in += len(data)
            message = msgpack.unpackb(data)
            kind = message["type"]
            if kind == "events":
                for step in message["steps"]:
                    if step["seat"] == seat and step["turn"] == turn:
                        return list(step["events"])
            elif kind == "over":
                return None
            elif kind == "error":
                raise RuntimeError(str(message))


def follow(heights: list[int], events: list[dict[str, object]]) -> list[int]:
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


async def race(url: str, matches: int, seconds: float, think: float, seats: int) -> dict[str, float]:
    """`matches` races at a time until time is up; each pair goes on with rematches."""
    latencies: list[float] = []
    racers: list[Racer] = []
    stop = time.perf_counter() + seconds

    async def pair(number: int) -> None:
        sockets = [
            await connect(url, subprotocols=[SUBPROTOCOL], compression=None, ping_interval=None, max_size=None)  # type: ignore[list-item]
            for _ in range(seats)
        ]
        team = [Racer(socket, str(seat), latencies, think) for seat, socket in enumerate(sockets)]
        racers.extend(team)
        for racer in team:
            await racer.socket.send(
                msgpack.packb({"type": "hello", "versions": [1], "name": f"r{number}-{racer.name}"})
            )
            await racer.until("type", "welcome")
        room = await team[0].ask(type="create_room", settings={"countdown": 0})
        code = room["room"]["code"]  # type: ignore[index]
        for racer in team[1:]:
            await racer.ask(type="join_room", code=code)
            await racer.ask(type="ready")
        await team[0].ask(type="start")
        while True:
            await asyncio.gather(*(racer.play(stop) for racer in team))
            if time.perf_counter() >= stop:
                break
            await asyncio.gather(*(racer.until("type", "over") for racer in team))
            await team[0].ask(type="rematch")
        for socket in sockets:
            await socket.close()

    started = time.perf_counter()
    await asyncio.gather(*(pair(number) for number in range(matches)))
    taken = time.perf_counter() - started
    latencies.sort()
    moves = sum(racer.moves for racer in racers)
    return {
        "count": moves,
        "seconds": taken,
        "p50_ms": 1000 * latencies[len(latencies) // 2],
        "p99_ms": 1000 * latencies[len(latencies) * 99 // 100],
        "frames_per_move": sum(racer.frames_in for racer in racers) / moves,
        "bytes_per_frame": sum(racer.bytes_in for racer in racers) / max(sum(racer.frames_in for racer in racers), 1),
    }


def main() -> None:
    pin()
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["echo", "race"])
    parser.add_argument("url")
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--reply", type=int, default=139)
    parser.add_argument("--think", type=float, default=0.0)
    parser.add_argument("--seats", type=int, default=2)
    arguments = parser.parse_args()
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        if arguments.kind == "echo":
            result = runner.run(
                echo(arguments.url, arguments.connections, arguments.seconds, arguments.size, arguments.reply)
            )
        else:
            result = runner.run(
                race(
                    arguments.url,
                    arguments.connections // arguments.seats,
                    arguments.seconds,
                    arguments.think,
                    arguments.seats,
                )
            )
    print(json.dumps(result))


if __name__ == "__main__":
    main()
