"""Which answers each request may get."""

from __future__ import annotations

from samedrop_protocol import from_client, from_server
from samedrop_protocol.errors import ErrorCode
from samedrop_rules import Move
from samedrop_server.matches.match import Match

E = ErrorCode
NO_ROOM = {E.NOT_IN_ROOM}
HOSTS = {E.NOT_IN_ROOM, E.NOT_HOST}
ALLOWED: dict[type[from_client.Request], tuple[type[from_server.ServerMessage], set[ErrorCode]]] = {
    from_client.Ping: (from_server.Pong, set()),
    from_client.CreateRoom: (from_server.RoomState, {E.ALREADY_IN_ROOM}),
    from_client.ListRooms: (from_server.Rooms, set()),
    from_client.JoinRoom: (from_server.RoomState, {E.ROOM_NOT_FOUND, E.ALREADY_IN_ROOM}),
    from_client.LeaveRoom: (from_server.RoomLeft, NO_ROOM),
    from_client.ConfigureRoom: (from_server.Ok, HOSTS | {E.WRONG_PHASE}),
    from_client.Ready: (from_server.Ok, NO_ROOM | {E.WRONG_PHASE}),
    from_client.Start: (from_server.Ok, HOSTS | {E.WRONG_PHASE, E.NOT_READY, E.ROOM_FULL}),
    from_client.CancelStart: (from_server.Ok, HOSTS | {E.WRONG_PHASE}),
    from_client.Rematch: (from_server.Ok, HOSTS | {E.WRONG_PHASE, E.NOT_READY, E.ROOM_FULL}),
    from_client.Kick: (from_server.Ok, HOSTS | {E.NO_SUCH_MEMBER}),
    from_client.Chat: (from_server.Ok, NO_ROOM),
    from_client.Forfeit: (from_server.Events, {E.MATCH_NOT_FOUND, E.MATCH_NOT_SEATED, E.MATCH_OVER}),
    from_client.Pause: (from_server.Ok, {E.MATCH_NOT_FOUND, E.MATCH_NOT_SEATED, E.MATCH_OVER, E.MATCH_NO_PAUSE}),
    from_client.Resume: (from_server.Resumed, {E.MATCH_NOT_FOUND, E.MATCH_NOT_SEATED, E.RESUME_AHEAD}),
    from_client.Watch: (from_server.Resumed, {E.MATCH_NOT_FOUND, E.MATCH_NO_WATCHING, E.RESUME_AHEAD}),
    from_client.Unwatch: (from_server.Ok, set()),
    from_client.ListMatches: (from_server.Matches, set()),
    from_client.GetMatch: (from_server.MatchPage, {E.MATCH_NOT_FOUND, E.DEAL_NOT_FOUND}),
    from_client.GetDeal: (from_server.DealPage, {E.DEAL_NOT_FOUND}),
    from_client.GetDaily: (from_server.DailyPage, set()),
    from_client.GetChallenge: (from_server.ChallengePage, {E.CHALLENGE_NOT_FOUND}),
    from_client.CreateChallenge: (from_server.ChallengePage, {E.ROOM_LIMIT, E.INVALID}),
    from_client.CloseChallenge: (from_server.ChallengePage, {E.CHALLENGE_CLOSED, E.NOT_HOST}),
    from_client.Advise: (from_server.Advice, {E.MATCH_NOT_FOUND, E.MATCH_NOT_SEATED, E.MATCH_OVER}),
}
"""What answers each request; moves are looked at more closely."""

PLAIN = [
    from_client.LeaveRoom,
    from_client.CancelStart,
    from_client.ListRooms,
    from_client.ListMatches,
    from_client.Ping,
]
"""Requests without fields."""


def refusals_of(match: Match, seat: int, turn: int, move: Move) -> set[ErrorCode]:
    """The codes with which a new move must be refused now; empty if it must be accepted."""
    table = match.table
    now = table.turn(seat)
    if turn != now:
        return {E.STALE_TURN if turn < now else E.FUTURE_TURN}
    if table.ended(seat) is not None:
        return {E.MATCH_OVER}
    if match.timing.paused_since is not None:
        return {E.MATCH_PAUSED}
    others = (other for other in range(table.seats) if table.ended(other) is None)
    if match.facts.lockstep and any(table.turn(other) < now for other in others):
        return {E.WAIT}
    return set() if move in table.legal(seat) else {E.MOVE_ILLEGAL, E.MOVE_INVALID}
