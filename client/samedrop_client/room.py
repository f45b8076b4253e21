"""A room as one client sees it: its state, what is said in it, and its series of matches."""

from __future__ import annotations

from collections.abc import Callable

from samedrop_client.connection import Connection
from samedrop_client.errors import RoomLeft
from samedrop_client.feed import Feed, Signal
from samedrop_client.match import Match
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.from_client import Request
from samedrop_protocol.model import Role, Settings

RoomMessage = (
    from_server.RoomState
    | from_server.ChatLine
    | from_server.Countdown
    | from_server.Started
    | from_server.MatchOver
    | from_server.Paused
    | from_server.Error
)
"""What comes in a room. An `Error` here is news for everybody in it, not the answer to a request."""

KEPT_MESSAGES = 500
"""Messages that wait for a reader who is behind; older ones are lost to it."""


class Room:
    """The room that this client is in.

    Iterating over it gives what comes, each message once, until this client is in the room no more.

    Attributes:
        state: the room as it is now.
        match: the running match, or the last one that this client saw; None before.
        left: why this client is not in the room any more, or None.
    """

    def __init__(self, connection: Connection, player: str, state: model.Room) -> None:
        self.state = state
        self.match: Match | None = None
        self.left: str | None = None
        self._connection = connection
        self._player = player
        self._fresh: Match | None = None
        self._feed: Feed[RoomMessage] = Feed(KEPT_MESSAGES)
        self._reader = self._feed.reader()
        self._changed = Signal()
        self._error: Exception | None = None

    @property
    def code(self) -> str:
        """What others type to join."""
        return self.state.code

    @property
    def is_host(self) -> bool:
        """Whether this client's player is the host."""
        return self.state.host == self._player

    @property
    def me(self) -> model.Member | None:
        """This client's player as a member."""
        return next((member for member in self.state.members if member.player == self._player), None)

    @property
    def players(self) -> list[model.Member]:
        """The members who are there to play."""
        return [member for member in self.state.members if member.role is Role.PLAYER]

    async def ready(self, ready: bool = True) -> None:
        """Say whether this player is ready."""
        await self._ask(from_client.Ready(id=self._id(), ready=ready))

    async def start(self, *, force: bool = False) -> None:
        """Host: start the countdown. With `force`, players who are not ready watch."""
        await self._ask(from_client.Start(id=self._id(), force=force))

    async def cancel_start(self) -> None:
        """Host: stop the countdown."""
        await self._ask(from_client.CancelStart(id=self._id()))

    async def rematch(self, *, same_deal: bool = False) -> None:
        """Host: start the countdown again for all players present, on a new deal or the same."""
        await self._ask(from_client.Rematch(id=self._id(), same_deal=same_deal))

    async def configure(
        self,
        *,
        title: str | None = None,
        public: bool | None = None,
        settings: Settings | None = None,
        password: str | None = None,
    ) -> None:
        """Host: change the room; None leaves a part as it is, and an empty password takes it away.

        With new settings everybody must say ready again.
        """
        message = from_client.ConfigureRoom(
            id=self._id(), title=title, public=public, settings=settings, password=password
        )
        await self._ask(message)

    async def kick(self, player: str) -> None:
        """Host: remove a member, by player id, for good."""
        await self._ask(from_client.Kick(id=self._id(), player=player))

    async def chat(self, text: str) -> None:
        """Say something to the room."""
        await self._ask(from_client.Chat(id=self._id(), text=text))

    async def leave(self) -> None:
        """Leave the room; a run that is not over is forfeited."""
        await self._ask(from_client.LeaveRoom(id=self._id()))

    async def next_match(self) -> Match:
        """The running match if it was not returned before; otherwise the next one to start.

        Raises:
            RoomLeft: this client is in the room no more.
            Disconnected: there is no connection any more.
        """
        await self.until(lambda: self._fresh is not None)
        match, self._fresh = self._fresh, None
        assert match is not None
        return match

    async def until(self, condition: Callable[[], bool]) -> None:
        """Return once `condition()` holds; it is looked at now, and with everything that comes in the room.

        Raises:
            RoomLeft, Disconnected: as `next_match`.
        """
        await self._changed.until(lambda: condition() or self._error is not None)
        if self._error is not None and not condition():
            raise self._error

    def __aiter__(self) -> Room:
        return self

    async def __anext__(self) -> RoomMessage:
        return await self._reader.__anext__()

    # What the connection brings.

    def take(self, message: RoomMessage) -> None:
        """Something came in this room."""
        if isinstance(message, from_server.RoomState):
            self.state = message.room
        self._feed.put(message)
        self._changed.fire()

    def take_match(self, match: Match) -> None:
        """A match of this room started, or was taken up."""
        self.match = self._fresh = match
        self._changed.fire()

    def close(self, reason: str) -> None:
        """This client is in the room no more."""
        self.left = reason
        self._end(RoomLeft(reason))
        self._feed.close()

    def fail(self, error: Exception) -> None:
        """Nothing more will come."""
        self._end(error)
        self._feed.close(error)

    def _end(self, error: Exception) -> None:
        self._error = self._error or error
        self._changed.fire()

    def _id(self) -> str:
        return self._connection.requests.new_id()

    async def _ask(self, message: Request) -> None:
        await self._connection.ask(message)
