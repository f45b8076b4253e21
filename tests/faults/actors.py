"""Actors: clients that keep all that they are told, and check with each message what must always hold.

What they are told over all connections is one stream for each match; a number in it means one step for good, numbers
of a connection go on without gaps, and nothing is answered that was not asked.
"""

from __future__ import annotations

import asyncio
from collections import Counter

from samedrop_client.transport import TransportClosed
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.errors import CloseCode, ErrorCode
from samedrop_rules import View
from samedrop_server.app import Running
from tests.faults.memory import MemoryPlayer, dial
from tests.support.waiting import eventually


class Actor:
    """A player with at most one connection at a time.

    Attributes:
        player, token: who it is, once it was connected.
        line: the connection, or None.
        room: the room as it was told, while connected.
        facts: of the matches that it was told of.
        told: each match's steps by number, over all connections.
        snapshots: match, number and views of each snapshot.
        over: results.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.player = ""
        self.token: str | None = None
        self.line: MemoryPlayer | None = None
        self.room: model.Room | None = None
        self.facts: dict[str, model.Match] = {}
        self.told: dict[str, dict[int, from_server.Step]] = {}
        self.snapshots: list[tuple[str, int, list[View]]] = []
        self.over: dict[str, from_server.MatchOver] = {}
        self.answers: Counter[str] = Counter()
        self.answer: from_server.ServerMessage | None = None
        self._next: dict[str, int] = {}
        self._asking = ""
        self._asked = 0

    # Connections

    async def connect(self, server: Running) -> None:
        """Connect (again); who was connected is thrown out, and told so."""
        older = self.line
        self.line = dial(server)
        self._next.clear()
        welcome = await self.line.hello(self.name, self.token)
        assert welcome.token is None or self.token is None
        self.player, self.token = welcome.player, welcome.token or self.token
        self.room = welcome.room
        self.line.seen.clear()
        if older is not None:
            assert await closed(older) == CloseCode.REPLACED

    async def cut(self) -> None:
        """Lose the connection."""
        assert self.line is not None
        await self.line.cut()
        self.line, self.room = None, None

    # Requests

    def new_id(self) -> str:
        """A request id."""
        self._asked += 1
        return f"{self.name}-{self._asked}"

    async def send(self, message: from_client.Request) -> None:
        """Send a request; `answer` is there once it is `answered`."""
        assert self.line is not None
        self._asking, self.answer = message.id, None
        self.answers[message.id] = 0
        await self.line.send(message)

    def answered(self) -> bool:
        """Take what came; whether the request was answered."""
        self.drain()
        return self.answers[self._asking] > 0

    # What comes

    def drain(self) -> int:
        """Take all that came; returns how much."""
        if self.line is None:
            return 0
        taken = 0
        while self.line.end._inbox:
            self.take(self.line.codec.decode_server(self.line.end._inbox.popleft()))
            taken += 1
        return taken

    def take(self, message: from_server.ServerMessage) -> None:
        """Check and keep a message."""
        answered = getattr(message, "re", None)
        if answered is not None:
            assert answered == self._asking, f"{message} answers nothing that was asked last"
            self.answers[answered] += 1
            self.answer = message
        match message:
            case from_server.Error():
                assert message.code != ErrorCode.INTERNAL
            case from_server.RoomState():
                self.room = message.room
            case from_server.RoomLeft():
                assert self.room is not None
                self._next.pop(self.room.match or "", None)
                self.room = None
            case from_server.Started():
                self.facts[message.match.match] = message.match
                self._next[message.match.match] = 1
                self.snapshots.append((message.match.match, 0, message.views))
            case from_server.Resumed():
                self._take_resumed(message)
            case from_server.Events():
                self._take_events(message)
            case from_server.MatchOver():
                assert self.over.setdefault(message.match, message) == message

    def _take_resumed(self, message: from_server.Resumed) -> None:
        match = message.match.match
        self.facts[match] = message.match
        self._next[match] = message.last + 1
        if message.views is not None:
            self.snapshots.append((match, message.last, message.views))

    def _take_events(self, message: from_server.Events) -> None:
        told = self.told.setdefault(message.match, {})
        if not message.repeat:
            assert self._next.get(message.match) == message.first, f"{self.name}: {message.first} in {self._next}"
            self._next[message.match] += len(message.steps)
        for number, step in enumerate(message.steps, message.first):
            assert told.setdefault(number, step) == step
            if step.id == self._asking and not (isinstance(self.answer, from_server.Resumed)):
                self.answers[self._asking] += 1
                self.answer = message

    def left(self, match: str) -> None:
        """Nothing more may come of that match."""
        self._next.pop(match, None)

    def newest(self, match: str) -> int:
        """The number of the newest step that came over this connection."""
        return self._next[match] - 1


async def closed(line: MemoryPlayer) -> int:
    """The code with which the server closes a connection; what comes before is passed over."""
    async with asyncio.timeout(10):
        try:
            while True:
                await line.end.recv()
        except TransportClosed as end:
            await line.serving
            return end.code


async def settle(server: Running, actors: list[Actor]) -> None:
    """Return once nothing is on its way any more, and the actors have taken all."""
    services = server.hall._services
    quiet = 0
    while quiet < 4:
        if services.journal.waiting:
            await eventually(lambda: not services.journal.waiting)
        await asyncio.sleep(0)
        taken = sum(actor.drain() for actor in actors)
        waiting = services.journal.waiting or services.flusher._lazy or services.flusher._urgent
        quiet = 0 if taken or waiting else quiet + 1
