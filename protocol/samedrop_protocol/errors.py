"""Error codes, close codes, and the exceptions that carry them.

::

    ProtocolError        an error with a stable code, on its way to or from the other side
    └── MalformedFrame   a frame that is not a message at all

Codes are stable: a code is never renamed, and its meaning never changes.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum


class ErrorCode(StrEnum):
    """What went wrong. The part before the dot says where."""

    # The frame or the message as such.
    MALFORMED = "protocol.malformed"  # not decodable, or not a map with a text `type`
    TOO_LARGE = "protocol.too_large"  # the frame is larger than the server takes
    UNKNOWN_TYPE = "protocol.unknown_type"  # no such message in this direction
    INVALID = "protocol.invalid"  # a field is missing, of the wrong type, or out of its range
    VERSION = "protocol.version"  # no protocol version in common
    HELLO_FIRST = "protocol.hello_first"  # a message before `hello`, or `hello` twice
    # Who you are.
    TOKEN = "identity.token"  # the token is not known here
    NAME = "identity.name"  # the name has no visible character left, or is too wide
    # Rooms.
    ROOM_NOT_FOUND = "room.not_found"  # no room of that code
    ROOM_PASSWORD = "room.password"  # the room has a password, and it was not given, or not that
    ROOM_FULL = "room.full"  # no place left
    ROOM_LIMIT = "room.limit"  # the server has as many rooms as it takes
    NOT_IN_ROOM = "room.not_in_room"  # join a room first
    ALREADY_IN_ROOM = "room.already_in_room"  # leave your room first
    NOT_HOST = "room.not_host"  # only the host may do this
    NOT_READY = "room.not_ready"  # somebody is not ready
    WRONG_PHASE = "room.wrong_phase"  # not possible in lobby, countdown or match, whichever it is now
    NO_SUCH_MEMBER = "room.no_such_member"  # that player is not in this room
    # What is to be played.
    GAME_UNKNOWN = "settings.game"  # no such game or version
    OPTIONS = "settings.options"  # an option of the game is not allowed
    SEED = "settings.seed"  # the seed is not allowed
    TAPE = "settings.tape"  # the tape is not of an accepted form
    GHOST = "settings.ghosts"  # no such finished run, or it may not be raced now, or not with these settings
    # Matches and moves.
    MATCH_NOT_FOUND = "match.not_found"  # no match of that id, or not one that you may see
    MATCH_NOT_SEATED = "match.not_seated"  # you hold no seat in it
    MATCH_OVER = "match.over"  # the match, or your run in it, is over
    MATCH_SUSPENDED = "match.suspended"  # storage trouble: nothing is taken now, nothing stored is lost
    MATCH_PAUSED = "match.paused"  # all agreed to a pause; moves are taken again once one of them ends it
    MATCH_NO_PAUSE = "match.no_pause"  # a deal that others race on at other times; alone against the clock; too often
    MATCH_NO_WATCHING = "match.no_watching"  # spectators are off, or you hold a seat
    STALE_TURN = "move.stale_turn"  # that turn is over; `turn` has the current one
    FUTURE_TURN = "move.future_turn"  # that turn has not come; `turn` has the current one
    WAIT = "move.wait"  # lockstep: others have not finished this turn yet
    MOVE_INVALID = "move.invalid"  # not of the game's documented form
    MOVE_ILLEGAL = "move.illegal"  # not allowed in this position
    RESUME_AHEAD = "resume.ahead"  # the number is newer than anything that was sent
    # Challenges.
    CHALLENGE_CLOSED = "challenge.closed"  # no open challenge with that code, or you have had your run
    CHALLENGE_NOT_FOUND = "challenge.not_found"  # no challenge with that code
    # History.
    DEAL_NOT_FOUND = "deal.not_found"  # no finished match on a deal of that id, or it may not be shown now
    FILTER = "history.filter"  # a filter or cursor is not usable
    # The server.
    RATE_LIMITED = "server.rate_limited"  # too much at once; `retry_after` seconds
    STORAGE = "server.storage"  # the database refused; nothing was changed
    INTERNAL = "server.internal"  # a fault of the server; nothing was changed


class CloseCode(IntEnum):
    """WebSocket close codes in use, besides those of RFC 6455."""

    RESTARTING = 1012  # the server goes down; come back and resume
    TOO_MANY_ERRORS = 4000  # malformed or invalid messages without end
    REPLACED = 4001  # the same token connected elsewhere; do not reconnect by yourself
    TOO_SLOW = 4002  # the reader is too slow; reconnect and resume
    HELLO_TIMEOUT = 4003  # no `hello` in time
    VERSION = 4004  # no protocol version in common; do not reconnect
    NO_SUBPROTOCOL = 4005  # none of the subprotocols was offered; do not reconnect


class ProtocolError(Exception):
    """An error as it travels: see `from_server.Error` for the fields.

    `re` is the id of the request at fault, as far as the decoder could read it.
    """

    def __init__(
        self,
        code: ErrorCode,
        text: str,
        *,
        field: str | None = None,
        turn: int | None = None,
        retry_after: float | None = None,
        re: str | None = None,
    ) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text
        self.field = field
        self.turn = turn
        self.retry_after = retry_after
        self.re = re


class MalformedFrame(ProtocolError):
    """The frame is not a message; nothing is known of it, not even its request id."""

    def __init__(self, text: str) -> None:
        super().__init__(ErrorCode.MALFORMED, text)
