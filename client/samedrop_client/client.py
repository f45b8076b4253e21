"""The client: one player at one server.

::

    async with connect("localhost:7077", name="Ann") as client:
        room = await client.join_room("K7QXM2")
        await room.ready()
        match = await room.next_match()
        result = await match.play(lambda view, moves: moves[0])

Frames and lost connections are `connection`'s; this module gives each message to the room or match that it belongs to.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from functools import partial
from types import TracebackType

import msgspec

from samedrop_client.address import socket_url
from samedrop_client.connection import Backoff, Connection, Notice
from samedrop_client.errors import Disconnected, Refused
from samedrop_client.match import Match
from samedrop_client.room import Room
from samedrop_client.transport import Dial, dial_socket
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import MSGPACK, Codec
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.model import Phase, Role, Settings
from samedrop_protocol.versions import PROTOCOL_VERSIONS

LOG_PAGE = 1000
"""Log entries that are asked for at once."""


class Client:
    """A connected player. Made by `connect`; used by one event loop.

    Attributes:
        player, name: as the server knows them.
        server: its name and version.
        games: what it plays.
        room: the room that this player is in, or None.
    """

    def __init__(self, dial: Dial, codec: Codec, hello: from_client.Hello, backoff: Backoff, notice: Notice) -> None:
        self.player = self.name = self.server = ""
        self.games: list[model.GameInfo] = []
        self.room: Room | None = None
        self._connection = Connection(dial, codec, hello, self, backoff, notice)
        self._notice = notice
        self._matches: dict[str, Match] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def token(self) -> str:
        """Keep it: whoever has it is this player, here and in history."""
        return self._connection.token

    async def __aenter__(self) -> Client:
        await self._connection.open()
        self._spawn(self._connection.run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._connection.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def ping(self) -> int:
        """The server's time, in milliseconds since 1970 UTC."""
        answer = await self._connection.ask(from_client.Ping(id=self._id()))
        assert isinstance(answer, from_server.Pong)
        return answer.time

    # Rooms

    async def rooms(self) -> list[model.RoomSummary]:
        """The public rooms."""
        answer = await self._connection.ask(from_client.ListRooms(id=self._id()))
        assert isinstance(answer, from_server.Rooms)
        return answer.rooms

    async def create_room(self, settings: Settings | None = None, *, title: str = "", public: bool = False) -> Room:
        """Make a room and be its host."""
        message = from_client.CreateRoom(id=self._id(), title=title, public=public, settings=settings or Settings())
        return await self._enter(message)

    async def join_room(self, code: str, role: Role = Role.PLAYER) -> Room:
        """Enter a room; in the room already, change the role.

        Raises:
            RoomNotFound, Refused
        """
        return await self._enter(from_client.JoinRoom(id=self._id(), code=code, role=role))

    async def _enter(self, message: from_client.CreateRoom | from_client.JoinRoom) -> Room:
        await self._connection.ask(message)
        if self.room is None:
            raise Disconnected("The room was left again at once.")
        return self.room

    # Matches and history

    async def watch(self, match: str) -> Match:
        """Follow a match, by id, without a seat."""
        await self._connection.ask(from_client.Watch(id=self._id(), match=match))
        return self._matches[match]

    async def unwatch(self, match: Match) -> None:
        """Stop following a match."""
        self._matches.pop(match.id, None)
        await self._connection.ask(from_client.Unwatch(id=self._id(), match=match.id))

    async def matches(
        self,
        *,
        player: str | None = None,
        game: str | None = None,
        deal: str | None = None,
        since: int | None = None,
        until: int | None = None,
    ) -> AsyncIterator[model.MatchSummary]:
        """Finished matches, newest first, page by page as they are iterated over.

        Args:
            player: a player's id or name.
            game, deal: ids.
            since, until: bounds of the start, in milliseconds since 1970 UTC; until is excluded.
        """
        cursor: str | None = None
        while True:
            message = from_client.ListMatches(
                id=self._id(), player=player, game=game, deal=deal, since=since, until=until, cursor=cursor
            )
            page = await self._connection.ask(message)
            assert isinstance(page, from_server.Matches)
            for summary in page.matches:
                yield summary
            if page.next is None:
                return
            cursor = page.next

    async def match_record(self, match: str) -> model.MatchRecord:
        """A finished match with its whole log."""
        record: model.MatchRecord | None = None
        log: list[model.LogEntry] = []
        place: int | None = 0
        while place is not None:
            page = await self._connection.ask(
                from_client.GetMatch(id=self._id(), match=match, first=place, limit=LOG_PAGE)
            )
            assert isinstance(page, from_server.MatchPage)
            record, place = page.record, page.next
            log += page.record.log
        assert record is not None
        return msgspec.structs.replace(record, first=0, log=log)

    # What the connection brings (see `connection.Handler`).

    def welcomed(self, welcome: from_server.Welcome) -> None:
        """See `Handler.welcomed`: take up where this player was."""
        self.player, self.name, self.server, self.games = welcome.player, welcome.name, welcome.server, welcome.games
        self._place(welcome.room)
        for match in dict.fromkeys([*self._matches, *welcome.matches]):
            self._spawn(self._take_up(match))

    def _place(self, state: model.Room | None) -> None:
        """This player is in that room, or in none."""
        if self.room is not None and (state is None or state.code != self.room.code):
            self.room.close("closed")
            self.room = None
        if state is None:
            return
        if self.room is None:
            self.room = Room(self._connection, self.player, state)
            if state.phase is Phase.PLAYING and state.match is not None:
                self._spawn(self._take_up(state.match))
        self.room.take(from_server.RoomState(room=state))

    def received(self, message: from_server.ServerMessage) -> None:
        """See `Handler.received`."""
        match message:
            case from_server.Events():
                self._take_events(message)
            case from_server.Progress():
                if (match := self._matches.get(message.match)) is not None:
                    match.take_progress(message.seats)
            case from_server.RoomState():
                self._place(message.room)
            case from_server.ChatLine() | from_server.Countdown():
                self._tell_room(message)
            case from_server.Started():
                self._add(Match(self._connection, self.player, message.match, message.views))
                self._tell_room(message)
            case from_server.MatchOver():
                self._finish(message)
            case from_server.RoomLeft():
                if self.room is not None:
                    self.room.close(message.reason)
                    self.room = None
            case from_server.Error(re=None):
                self._tell_room(message)
            case _:
                self._received_rarely(message)

    def _received_rarely(self, message: from_server.ServerMessage) -> None:
        match message:
            case from_server.Resumed():
                if message.match.match not in self._matches:
                    self._add(Match(self._connection, self.player, message.match, message.views or []))
                self._matches[message.match.match].resumed(message)
            case from_server.Suspended():
                if (match := self._matches.get(message.match)) is not None:
                    match.suspend(message.text)
                    self._notice(message.text)
            case from_server.Continued():
                if (match := self._matches.get(message.match)) is not None:
                    match.suspend(None)
                    self._notice("The match goes on.")
                    self._spawn(self._take_up(match.id))
            case from_server.Closing():
                self._notice(message.text)

    def _take_events(self, message: from_server.Events) -> None:
        match = self._matches.get(message.match)
        if match is not None and not match.take(message):
            self._spawn(self._take_up(match.id))
        for step in message.steps:
            self._connection.requests.answer(step.id, step)

    def _add(self, match: Match) -> None:
        self._matches[match.id] = match
        if self.room is not None and self.room.code == match.facts.room:
            self.room.take_match(match)

    def _finish(self, message: from_server.MatchOver) -> None:
        match = self._matches.get(message.match)
        if match is None:
            return
        match.finish(message)
        self._tell_room(message)
        # Not at once: whoever waits for the answer to `watch` must still find it. They run before this does.
        asyncio.get_running_loop().call_soon(partial(self._matches.pop, message.match, None))

    def _tell_room(
        self,
        message: from_server.ChatLine
        | from_server.Countdown
        | from_server.Started
        | from_server.MatchOver
        | from_server.Error,
    ) -> None:
        if self.room is not None:
            self.room.take(message)

    def following(self, match: str) -> bool:
        """See `Handler.following`."""
        known = self._matches.get(match)
        return known is not None and known.following

    def lost(self) -> None:
        """See `Handler.lost`."""
        for match in self._matches.values():
            match.following = False

    def stopped(self, error: Exception) -> None:
        """See `Handler.stopped`."""
        for match in self._matches.values():
            match.fail(error)
        if self.room is not None:
            self.room.fail(error)

    async def _take_up(self, match_id: str) -> None:
        """Ask for the stream of a match from where it broke off; of one that is not known, from a snapshot."""
        match = self._matches.get(match_id)
        last = None if match is None else match.last
        try:
            await self._resume(match_id, match, last)
        except Refused as error:
            if match is not None and match.over is None:
                self._matches.pop(match_id, None)
                match.fail(error)
        except Disconnected:
            pass  # it is taken up again once the connection is back; or it is told that there is none

    async def _resume(self, match_id: str, match: Match | None, last: int | None) -> None:
        kind: type[from_client.Resume | from_client.Watch] = from_client.Resume
        if match is not None and match.seat is None:
            kind = from_client.Watch
        try:
            await self._connection.ask(kind(id=self._id(), match=match_id, last=last))
        except Refused as error:
            if error.code == ErrorCode.RESUME_AHEAD and last is not None:
                await self._resume(match_id, match, None)
            elif error.code == ErrorCode.MATCH_NOT_SEATED and match is None:
                await self._connection.ask(from_client.Watch(id=self._id(), match=match_id))
            else:
                raise

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _id(self) -> str:
        return self._connection.requests.new_id()


def connect(
    address: str = "",
    *,
    name: str,
    token: str | None = None,
    codec: Codec = MSGPACK,
    dial: Dial | None = None,
    backoff: Backoff = Backoff(),  # noqa: B008 - frozen
    notice: Notice = lambda line: None,
) -> Client:
    """A client to be entered with ``async with``: it connects there, and is closed at the end of the block.

    Args:
        address: ``host:port`` or a URL (see `address.socket_url`).
        name: how others see the player.
        token: of the player that the server made at an earlier time; None makes a new one.
        codec: MSGPACK, or JSON to be able to read what goes over the wire.
        dial: opens the transport in place of a WebSocket connection to `address`.
        backoff: how to come back after a lost connection.
        notice: takes a line for people when the connection is lost or back, or a match is suspended or goes on.

    Raises (on entering):
        Unreachable, VersionMismatch, TokenUnknown, Refused, NotSamedrop
    """
    hello = from_client.Hello(versions=list(PROTOCOL_VERSIONS), name=name, token=token, client="samedrop_client")
    return Client(dial or partial(dial_socket, socket_url(address), codec.subprotocol), codec, hello, backoff, notice)
