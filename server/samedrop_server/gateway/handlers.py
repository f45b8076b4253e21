"""What each message of a client does: one handler each, bound to its class.

A handler is called with the connection (whose player is known, except for `hello`) and the message. It may raise
ProtocolError, which is told to the sender alone. Handlers of moves and rooms never wait.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from samedrop_protocol import from_client, from_server, model
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_server.daily import day_of, end_of_day
from samedrop_server.gateway.connection import Connection
from samedrop_server.players import Player
from samedrop_server.storage.loading import StoredRun

MessageT = TypeVar("MessageT", bound=from_client.ClientMessage)
Handler = Callable[[Connection, Any], Awaitable[None] | None]

HANDLERS: dict[type[from_client.ClientMessage], Handler] = {}

WATCHED_AT_MOST = 16
"""Matches that one connection may watch at a time."""


def handles(
    message: type[MessageT],
) -> Callable[
    [Callable[[Connection, MessageT], Awaitable[None] | None]], Callable[[Connection, MessageT], Awaitable[None] | None]
]:
    """Bind a handler to its message class."""

    def bind(
        handler: Callable[[Connection, MessageT], Awaitable[None] | None],
    ) -> Callable[[Connection, MessageT], Awaitable[None] | None]:
        HANDLERS[message] = handler
        return handler

    return bind


def _player(connection: Connection) -> Player:
    assert connection.player is not None, "only hello comes before the player is known"
    return connection.player


def _done(connection: Connection, message: from_client.Request) -> None:
    connection.tell(from_server.Ok(re=message.id))


@handles(from_client.Hello)
async def hello(connection: Connection, message: from_client.Hello) -> None:
    """See `Connection.hello`."""
    await connection.hello(message)


@handles(from_client.Ping)
def ping(connection: Connection, message: from_client.Ping) -> None:
    """Answer with the server's time."""
    connection.tell(from_server.Pong(re=message.id, time=connection.gateway.clock.now()))


# Rooms


@handles(from_client.CreateRoom)
async def create_room(connection: Connection, message: from_client.CreateRoom) -> None:
    """Make a room."""
    settings, ghosts = await _with_ghosts(connection, message.settings)
    message = replace(message, settings=settings)
    room = connection.gateway.hall.create(_player(connection), message, ghosts)
    connection.tell(from_server.RoomState(room=room.public_state(), re=message.id))


async def _with_ghosts(connection: Connection, settings: model.Settings) -> tuple[model.Settings, Sequence[StoredRun]]:
    """The settings on the deal of the ghosts that they name, and those; each counts as a look at history."""
    for _ in settings.ghosts:
        connection.gateway.limits.message(from_client.GetMatch, _player(connection).id, connection.address)
    return await connection.gateway.history.ghosts(settings)


@handles(from_client.ListRooms)
def list_rooms(connection: Connection, message: from_client.ListRooms) -> None:
    """List the public rooms."""
    connection.tell(from_server.Rooms(re=message.id, rooms=connection.gateway.hall.public_rooms()))


@handles(from_client.JoinRoom)
def join_room(connection: Connection, message: from_client.JoinRoom) -> None:
    """Enter a room. Codes and passwords cannot be tried out: an address has only so many wrong ones."""
    limits = connection.gateway.limits
    limits.may_guess(connection.address)
    try:
        room = connection.gateway.hall.join(_player(connection), message)
    except ProtocolError as error:
        if error.code in (ErrorCode.ROOM_NOT_FOUND, ErrorCode.ROOM_PASSWORD):
            limits.guessed(connection.address)
        raise
    connection.tell(from_server.RoomState(room=room.public_state(), re=message.id))


@handles(from_client.LeaveRoom)
def leave_room(connection: Connection, message: from_client.LeaveRoom) -> None:
    """Leave the room."""
    player = _player(connection)
    connection.gateway.hall.room_of(player)
    connection.gateway.hall.leave(player)
    connection.tell(from_server.RoomLeft(reason="left", re=message.id))


@handles(from_client.ConfigureRoom)
async def configure_room(connection: Connection, message: from_client.ConfigureRoom) -> None:
    """Change the room."""
    player = _player(connection)
    ghosts: Sequence[StoredRun] = ()
    connection.gateway.hall.room_of(player).require_host(player)
    if message.settings is not None:
        settings, ghosts = await _with_ghosts(connection, message.settings)
        message = replace(message, settings=settings)
    connection.gateway.hall.room_of(player).configure(player, message, ghosts)
    _done(connection, message)


@handles(from_client.Ready)
def ready(connection: Connection, message: from_client.Ready) -> None:
    """Be ready, or not."""
    player = _player(connection)
    connection.gateway.hall.room_of(player).set_ready(player, message.ready)
    _done(connection, message)


@handles(from_client.Start)
def start(connection: Connection, message: from_client.Start) -> None:
    """Start the countdown."""
    player = _player(connection)
    connection.gateway.hall.room_of(player).start(player, message)
    _done(connection, message)


@handles(from_client.CancelStart)
def cancel_start(connection: Connection, message: from_client.CancelStart) -> None:
    """Stop the countdown."""
    player = _player(connection)
    connection.gateway.hall.room_of(player).cancel_start(player)
    _done(connection, message)


@handles(from_client.Rematch)
def rematch(connection: Connection, message: from_client.Rematch) -> None:
    """Start again."""
    player = _player(connection)
    connection.gateway.hall.room_of(player).rematch(player, message)
    _done(connection, message)


@handles(from_client.Kick)
def kick(connection: Connection, message: from_client.Kick) -> None:
    """Remove a member."""
    player = _player(connection)
    connection.gateway.hall.room_of(player).kick(player, message)
    _done(connection, message)


@handles(from_client.Chat)
def chat(connection: Connection, message: from_client.Chat) -> None:
    """Say something."""
    player = _player(connection)
    connection.gateway.hall.room_of(player).chat(player, message)
    _done(connection, message)


# Matches


@handles(from_client.Move)
def move(connection: Connection, message: from_client.Move) -> None:
    """Decide a turn; the answer is the step, once it is stored."""
    player = _player(connection)
    match, seat = connection.gateway.hall.seat(player, message.match)
    match.move(seat, message, connection, match.by_of(seat, player.id))
    connection.gateway.tally.moves += 1


@handles(from_client.Advise)
def advise(connection: Connection, message: from_client.Advise) -> None:
    """Say what the rules allow."""
    match, seat = connection.gateway.hall.seat(_player(connection), message.match)
    match.advise(seat, message, connection)


@handles(from_client.Forfeit)
def forfeit(connection: Connection, message: from_client.Forfeit) -> None:
    """Give up; the answer is the step, once it is stored."""
    match, seat = connection.gateway.hall.seat(_player(connection), message.match)
    match.forfeit(seat, message.id, connection)


@handles(from_client.Pause)
def pause(connection: Connection, message: from_client.Pause) -> None:
    """Agree to a pause, or end one."""
    match, seat = connection.gateway.hall.pausable(_player(connection), message.match)
    match.pause(seat, message, connection)


@handles(from_client.Resume)
def resume(connection: Connection, message: from_client.Resume) -> None:
    """Take up a match again."""
    player = _player(connection)
    match, seat = connection.gateway.hall.seat(player, message.match)
    match.resume(message.id, seat, message.last, connection, match.by_of(seat, player.id))


@handles(from_client.Watch)
def watch(connection: Connection, message: from_client.Watch) -> None:
    """Follow a match without a seat."""
    match = connection.gateway.hall.watchable(_player(connection), message.match)
    connection.watching.intersection_update(connection.gateway.hall.matches)
    if len(connection.watching) >= WATCHED_AT_MOST and match.id not in connection.watching:
        text = f"One connection may watch {WATCHED_AT_MOST} matches at a time."
        raise ProtocolError(ErrorCode.MATCH_NO_WATCHING, text)
    match.resume(message.id, None, message.last, connection)
    connection.watching.add(match.id)


@handles(from_client.Unwatch)
def unwatch(connection: Connection, message: from_client.Unwatch) -> None:
    """Stop following a match."""
    match = connection.gateway.hall.matches.get(message.match)
    if match is not None and match.seat_of(_player(connection).id) is None:
        match.audience.leave(connection)
    connection.watching.discard(message.match)
    _done(connection, message)


# History


@handles(from_client.ListMatches)
async def list_matches(connection: Connection, message: from_client.ListMatches) -> None:
    """List finished matches."""
    matches, following = await connection.gateway.history.list_matches(message)
    connection.tell(from_server.Matches(re=message.id, matches=matches, next=following))


@handles(from_client.GetMatch)
async def get_match(connection: Connection, message: from_client.GetMatch) -> None:
    """Read a finished match."""
    record, following = await connection.gateway.history.get_match(message)
    connection.gateway.hall.require_not_playing(_player(connection), record.match.deal.deal)
    connection.tell(from_server.MatchPage(re=message.id, record=record, next=following))


@handles(from_client.GetDeal)
async def get_deal(connection: Connection, message: from_client.GetDeal) -> None:
    """Read a deal and the runs on it."""
    deal, runs, following = await connection.gateway.history.get_deal(message)
    connection.gateway.hall.require_not_playing(_player(connection), deal.deal)
    connection.tell(from_server.DealPage(re=message.id, deal=deal, runs=runs, next=following))


@handles(from_client.GetDaily)
async def get_daily(connection: Connection, message: from_client.GetDaily) -> None:
    """List the days of a game's daily deal."""
    now, days, streak = await connection.gateway.history.get_daily(message, _player(connection).id)
    connection.tell(
        from_server.DailyPage(
            re=message.id, game=message.game, day=day_of(now), ends=end_of_day(now), days=days, streak=streak
        )
    )


# Challenges


@handles(from_client.CreateChallenge)
async def create_challenge(connection: Connection, message: from_client.CreateChallenge) -> None:
    """Make a challenge."""
    code = await connection.gateway.hall.challenges.make(_player(connection).id, message)
    await _tell_challenge(connection, message.id, code)


@handles(from_client.GetChallenge)
async def get_challenge(connection: Connection, message: from_client.GetChallenge) -> None:
    """Read a challenge. Codes cannot be tried out, like those of rooms."""
    limits = connection.gateway.limits
    limits.may_guess(connection.address)
    try:
        await _tell_challenge(connection, message.id, message.code)
    except ProtocolError as error:
        if error.code == ErrorCode.CHALLENGE_NOT_FOUND:
            limits.guessed(connection.address)
        raise


@handles(from_client.CloseChallenge)
async def close_challenge(connection: Connection, message: from_client.CloseChallenge) -> None:
    """Open a challenge to all."""
    code = await connection.gateway.hall.challenges.close(_player(connection).id, message.code)
    await _tell_challenge(connection, message.id, code)


async def _tell_challenge(connection: Connection, request: str, code: str) -> None:
    challenge = await connection.gateway.history.get_challenge(code)
    connection.tell(from_server.ChallengePage(re=request, challenge=challenge))
