"""The inbox: gives each message of the server to the room or match that it belongs to, and takes matches up again.

What is asked of the server is `client`'s, `room`'s and `match`'s; frames and lost connections are `connection`'s.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from functools import partial

from samedrop_client.connection import Backoff, Connection, Notice
from samedrop_client.errors import Disconnected, MatchOver, Refused
from samedrop_client.match import Match
from samedrop_client.records import played_again, read_record
from samedrop_client.room import Room
from samedrop_client.transport import Dial
from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.codec import Codec
from samedrop_protocol.errors import ErrorCode
from samedrop_protocol.from_client import Request
from samedrop_protocol.model import Phase
from samedrop_rules import Ended


class Inbox:
    """See the module. It is the `connection.Handler` of its connection.

    Attributes:
        connection: where the messages come from.
        welcome: the newest, once connected.
        room: the room that this player is in, or None.
        matches: those that are followed, by id.
    """

    welcome: from_server.Welcome

    def __init__(self, dial: Dial, codec: Codec, hello: from_client.Hello, backoff: Backoff, notice: Notice) -> None:
        self.connection = Connection(dial, codec, hello, self, backoff, notice)
        self.room: Room | None = None
        self.matches: dict[str, Match] = {}
        self._notice = notice
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stop everything that runs beside."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def welcomed(self, welcome: from_server.Welcome) -> None:
        """See `Handler.welcomed`: take up where this player was."""
        self.welcome = welcome
        for match in self.matches.values():
            self.spawn(self._take_up(match.id, match))
        for seated in welcome.matches:
            if seated not in self.matches:
                self.spawn(self._take_up(seated, None, seated=True))
        self._place(welcome.room, welcome.matches)

    def _place(self, state: model.Room | None, seated: Sequence[str] = ()) -> None:
        """This player is in that room, or in none. `seated` are matches that are taken up anyway."""
        if self.room is not None and (state is None or state.code != self.room.code):
            self.room.close("closed")
            self.room = None
        if state is None:
            return
        if self.room is None:
            self.room = Room(self.connection, self.welcome.player, state)
            if state.phase is Phase.PLAYING and state.match is not None and state.match not in seated:
                self.spawn(self._take_up(state.match, None))
        self.room.take(from_server.RoomState(room=state))

    def received(self, message: from_server.ServerMessage) -> None:
        """See `Handler.received`."""
        match message:
            case from_server.Events():
                self._take_events(message)
            case from_server.Progress():
                if (match := self.matches.get(message.match)) is not None:
                    match.take_progress(message.seats)
            case from_server.RoomState():
                self._place(message.room)
            case from_server.ChatLine() | from_server.Countdown():
                self._tell_room(message)
            case from_server.Started():
                self._add(Match(self.connection, self.welcome.player, message.match, message.views))
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
                if message.match.match not in self.matches:
                    self._add(Match(self.connection, self.welcome.player, message.match, message.views or []))
                self.matches[message.match.match].resumed(message)
            case from_server.Paused():
                if (match := self.matches.get(message.match)) is not None:
                    match.take_pause(message)
                    if self.room is not None and self.room.match is match:
                        self._tell_room(message)
            case from_server.Suspended():
                if (match := self.matches.get(message.match)) is not None:
                    match.suspend(message.text)
                    self._notice(message.text)
            case from_server.Continued():
                if (match := self.matches.get(message.match)) is not None:
                    match.suspend(None)
                    match.following = False
                    self._notice("The match goes on.")
                    self.spawn(self._take_up(match.id, match))
            case from_server.Closing():
                self._notice(message.text)

    def _take_events(self, message: from_server.Events) -> None:
        match = self.matches.get(message.match)
        if match is not None and not match.take(message):
            self.spawn(self._take_up(match.id, match))
        for step in message.steps:
            self.connection.requests.answer(step.id, step)

    def _add(self, match: Match) -> None:
        self.matches[match.id] = match
        if self.room is not None and self.room.code == match.facts.room:
            self.room.take_match(match)

    def _finish(self, message: from_server.MatchOver) -> None:
        match = self.matches.get(message.match)
        if match is None:
            return
        match.finish(message)
        self._tell_room(message)
        # Not at once: whoever waits for the answer to `watch` must still find it. They run before this does.
        asyncio.get_running_loop().call_soon(partial(self.matches.pop, message.match, None))

    def _tell_room(
        self,
        message: from_server.ChatLine
        | from_server.Countdown
        | from_server.Started
        | from_server.MatchOver
        | from_server.Paused
        | from_server.Error,
    ) -> None:
        if self.room is not None:
            self.room.take(message)

    def following(self, match: str) -> bool:
        """See `Handler.following`."""
        known = self.matches.get(match)
        return known is not None and known.following

    def lost(self) -> None:
        """See `Handler.lost`."""
        for match in self.matches.values():
            match.following = False

    def stopped(self, error: Exception) -> None:
        """See `Handler.stopped`."""
        for match in self.matches.values():
            match.fail(error)
        if self.room is not None:
            self.room.fail(error)

    async def _take_up(self, match_id: str, match: Match | None, *, seated: bool = False) -> None:
        """Ask for the stream of a match from where it broke off; of one that is not known, from a snapshot.

        Args: seated: whether this player holds a seat, if `match` is not known.
        """
        kind = from_client.Resume if seated or (match is not None and match.seat is not None) else from_client.Watch
        last = None if match is None else match.last
        try:
            try:
                await self.connection.ask(kind(id=self.connection.requests.new_id(), match=match_id, last=last))
            except Refused as error:
                if error.code != ErrorCode.RESUME_AHEAD:
                    raise
                await self.connection.ask(kind(id=self.connection.requests.new_id(), match=match_id))
        except Refused as error:
            if match is not None and match.over is None:
                await self._look_up(match, error)
        except Disconnected:
            pass  # it is taken up again once the connection is back; or it is told that there is none

    async def _look_up(self, match: Match, refused: Refused) -> None:
        """A match that cannot be taken up any more: it ended meanwhile, and is in history; or it failed."""
        requests = [entry for entry in self.connection.requests if entry.match == match.id]
        self.matches.pop(match.id, None)
        try:
            if refused.code != ErrorCode.MATCH_NOT_FOUND:
                raise refused
            record = await read_record(self.connection, match.id)
        except (Refused, Disconnected):
            match.fail(refused)
            for entry in requests:
                self.connection.requests.refuse(entry.message.id, refused)
            return
        steps, views = played_again(record)
        match.conclude(steps, views)
        for entry in requests:
            made = next(
                (step for step in steps if step.seat == match.seat and _made_by(entry.message, step, match.by)), None
            )
            if made is not None:
                self.connection.requests.answer(entry.message.id, made)
            else:
                self.connection.requests.refuse(entry.message.id, MatchOver(_TOO_LATE))
        over = from_server.MatchOver(match=match.id, standings=record.standings, deal=record.match.deal)
        match.finish(over)
        self._tell_room(over)

    def spawn(self, work: Coroutine[object, object, None]) -> None:
        """Let something run beside the reading, until `close`."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_TOO_LATE = from_server.Error(code=ErrorCode.MATCH_OVER, text="The match is over.")


def _made_by(request: Request, step: from_server.Step, by: int) -> bool:
    if isinstance(request, from_client.Move):
        return step.turn == request.turn and step.move in (request.move, {**request.move, "by": by})
    return isinstance(request, from_client.Forfeit) and step.stopped == Ended.FORFEIT
