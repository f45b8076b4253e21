"""The client: one player at one server.

::

    async with connect("localhost:7077", name="Ann") as client:
        room = await client.join_room("K7QXM2")
        await room.ready()
        match = await room.next_match()
        result = await match.play(lambda view, moves: moves[0])

What is asked for is here; what comes is given to rooms and matches by `inbox`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from types import TracebackType

from samedrop_client.address import socket_url
from samedrop_client.connection import Backoff, Notice
from samedrop_client.errors import Disconnected
from samedrop_client.inbox import Inbox
from samedrop_client.match import Match
from samedrop_client.records import read_record
from samedrop_client.room import Room
from samedrop_client.transport import Dial, dial_socket
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import MSGPACK, Codec
from samedrop_protocol.model import Role, Settings
from samedrop_protocol.versions import PROTOCOL_VERSIONS


class Client:
    """A connected player. Made by `connect`; used by one event loop."""

    def __init__(self, dial: Dial, codec: Codec, hello: from_client.Hello, backoff: Backoff, notice: Notice) -> None:
        self._inbox = Inbox(dial, codec, hello, backoff, notice)
        self._connection = self._inbox.connection

    @property
    def player(self) -> str:
        """The player's id, the same in history."""
        return self._inbox.welcome.player

    @property
    def name(self) -> str:
        """The player's name, as the server made it readable."""
        return self._inbox.welcome.name

    @property
    def server(self) -> str:
        """The server's name and version."""
        return self._inbox.welcome.server

    @property
    def games(self) -> list[model.GameInfo]:
        """What the server plays."""
        return self._inbox.welcome.games

    @property
    def room(self) -> Room | None:
        """The room that this player is in, or None."""
        return self._inbox.room

    @property
    def token(self) -> str:
        """Keep it: whoever has it is this player, here and in history."""
        return self._connection.token

    async def __aenter__(self) -> Client:
        await self._connection.open()
        self._inbox.spawn(self._connection.run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._connection.close()
        await self._inbox.close()

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

    async def create_room(
        self, settings: Settings | None = None, *, title: str = "", public: bool = False, password: str = ""
    ) -> Room:
        """Make a room and be its host. With a password, others need it besides the code."""
        message = from_client.CreateRoom(
            id=self._id(), title=title, public=public, settings=settings or Settings(), password=password
        )
        return await self._enter(message)

    async def join_room(self, code: str, role: Role = Role.PLAYER, *, password: str = "") -> Room:
        """Enter a room; in the room already, change the role.

        Raises:
            RoomNotFound, WrongPassword, Refused
        """
        return await self._enter(from_client.JoinRoom(id=self._id(), code=code, role=role, password=password))

    async def _enter(self, message: from_client.CreateRoom | from_client.JoinRoom) -> Room:
        await self._connection.ask(message)
        if self.room is None:
            raise Disconnected("The room was left again at once.")
        return self.room

    # Matches and history

    async def watch(self, match: str) -> Match:
        """Follow a match, by id, without a seat."""
        await self._connection.ask(from_client.Watch(id=self._id(), match=match))
        return self._inbox.matches[match]

    async def unwatch(self, match: Match) -> None:
        """Stop following a match."""
        self._inbox.matches.pop(match.id, None)
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

    async def deal(self, deal: str) -> model.Deal:
        """A deal that was played, by its id, with its seed or tape if it may be told.

        Raises:
            Refused: nobody has played that deal, or it may not be looked at now.
        """
        page = await self._connection.ask(from_client.GetDeal(id=self._id(), deal=deal, limit=1))
        assert isinstance(page, from_server.DealPage)
        return page.deal

    async def runs(
        self,
        deal: str,
        *,
        player: str | None = None,
        first_sight: bool | None = None,
        each: model.Each | None = None,
    ) -> AsyncIterator[model.Run]:
        """The runs on a deal, those at first sight before others, best first, page by page as they are iterated over.

        Args:
            player: a player's id or name.
            first_sight: only those, or only others.
            each: of each player only that one of either kind; None: all.

        Raises:
            Refused: nobody has played that deal, or it may not be looked at now.
        """
        place: int | None = 0
        while place is not None:
            message = from_client.GetDeal(
                id=self._id(), deal=deal, player=player, first_sight=first_sight, each=each, first=place, limit=100
            )
            page = await self._connection.ask(message)
            assert isinstance(page, from_server.DealPage)
            for run in page.runs:
                yield run
            place = page.next

    async def daily(self, game: str, *, before: str | None = None, limit: int = 20) -> from_server.DailyPage:
        """Today's day, the days on which a game's daily deal was played, and this player's streak.

        Args:
            before: only days before this one, as 2030-01-31.
            limit: so many days at most (100).

        Raises:
            Refused: `before` is no day.
        """
        answer = await self._connection.ask(from_client.GetDaily(id=self._id(), game=game, before=before, limit=limit))
        assert isinstance(answer, from_server.DailyPage)
        return answer

    async def challenge(self, settings: Settings | None = None, *, hours: int = 24, title: str = "") -> model.Challenge:
        """Make a challenge: a secret deal that everybody plays once, until it opens after so many hours."""
        message = from_client.CreateChallenge(id=self._id(), settings=settings or Settings(), hours=hours, title=title)
        return await self._challenge(message)

    async def get_challenge(self, code: str) -> model.Challenge:
        """A challenge and the runs on it. To play it, make a room with ``Settings(challenge=code)``."""
        return await self._challenge(from_client.GetChallenge(id=self._id(), code=code))

    async def close_challenge(self, code: str) -> model.Challenge:
        """Open a challenge of this player's to all, before its time."""
        return await self._challenge(from_client.CloseChallenge(id=self._id(), code=code))

    async def _challenge(
        self, message: from_client.CreateChallenge | from_client.GetChallenge | from_client.CloseChallenge
    ) -> model.Challenge:
        answer = await self._connection.ask(message)
        assert isinstance(answer, from_server.ChallengePage)
        return answer.challenge

    async def match_record(self, match: str) -> model.MatchRecord:
        """A finished match with its whole log."""
        return await read_record(self._connection, match)

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
