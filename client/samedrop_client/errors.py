"""What can go wrong for a client, and whose doing it was.

::

    SamedropError
    ├── Refused              the server said no and changed nothing (code, text, field, turn, retry_after)
    │   ├── TokenUnknown     it does not know this token (a new database, or another server)
    │   ├── RoomNotFound     no room of that code
    │   ├── WrongPassword    the room has a password, and it was not given, or not that
    │   ├── StaleTurn        that turn is not the current one, which `turn` names
    │   ├── IllegalMove      not a move of this game, or not allowed in this position
    │   └── MatchOver        the match, or the own run in it, is over
    ├── RoomLeft             this client is in no room any more (reason: left, kicked, closed)
    └── Disconnected         there is no connection, and there will be none
        ├── Unreachable      none could be made in the first place
        ├── ConnectionLost   it broke; coming back failed, or whether a request was done cannot be known
        ├── Replaced         the same token connected elsewhere; coming back would throw that one out
        ├── VersionMismatch  the server speaks no version (or subprotocol) of this library
        └── NotSamedrop      what came is not the protocol at all

Texts are for people and shown as they are.
"""

from __future__ import annotations

from samedrop_protocol import from_server
from samedrop_protocol.errors import CloseCode, ErrorCode


class SamedropError(Exception):
    """Base of everything that this library raises on purpose. `text` is for people."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Refused(SamedropError):
    """The server refused a request and changed nothing.

    Attributes:
        code: one of `samedrop_protocol.errors.ErrorCode`, or a newer one.
        field: dotted name of the part at fault, or None.
        turn: the own current turn, where it applies.
        retry_after: seconds to wait, where it applies.
    """

    def __init__(self, error: from_server.Error) -> None:
        super().__init__(error.text)
        self.code = error.code
        self.field = error.field
        self.turn = error.turn
        self.retry_after = error.retry_after


class TokenUnknown(Refused):
    """The server does not know this token."""


class RoomNotFound(Refused):
    """There is no room of that code."""


class WrongPassword(Refused):
    """The room has a password, and it was not given, or not that."""


class StaleTurn(Refused):
    """The turn is over, or has not come; `turn` names the current one."""


class IllegalMove(Refused):
    """The move is not of the game's form, or not allowed in this position."""


class MatchOver(Refused):
    """The match, or the own run in it, is over."""


class RoomLeft(SamedropError):
    """This client is in no room any more. `reason` is left, kicked or closed."""

    def __init__(self, reason: str) -> None:
        super().__init__(_ROOM_LEFT.get(reason, f"You are not in the room any more ({reason})."))
        self.reason = reason


class Disconnected(SamedropError):
    """There is no connection, and there will be none."""


class Unreachable(Disconnected):
    """No connection could be made in the first place."""


class ConnectionLost(Disconnected):
    """The connection broke; coming back failed, or whether a request was done cannot be known."""


class Replaced(Disconnected):
    """The same token connected elsewhere. Do not connect again by yourself."""


class VersionMismatch(Disconnected):
    """The server speaks no version, or no subprotocol, of this library."""


class NotSamedrop(Disconnected):
    """What came from the server is not the protocol."""


_ROOM_LEFT = {
    "left": "You left the room.",
    "kicked": "The host removed you from the room.",
    "closed": "The room was closed.",
}

_REFUSALS: dict[str, type[Refused]] = {
    ErrorCode.TOKEN: TokenUnknown,
    ErrorCode.ROOM_NOT_FOUND: RoomNotFound,
    ErrorCode.ROOM_PASSWORD: WrongPassword,
    ErrorCode.STALE_TURN: StaleTurn,
    ErrorCode.FUTURE_TURN: StaleTurn,
    ErrorCode.MOVE_INVALID: IllegalMove,
    ErrorCode.MOVE_ILLEGAL: IllegalMove,
    ErrorCode.MATCH_OVER: MatchOver,
}


def refusal(error: from_server.Error) -> Refused | VersionMismatch:
    """The exception for an `error` message."""
    if error.code == ErrorCode.VERSION:
        spoken = f" It speaks {', '.join(map(str, error.versions))}." if error.versions else ""
        return VersionMismatch(error.text + spoken)
    return _REFUSALS.get(error.code, Refused)(error)


def final_close(code: int, reason: str) -> Disconnected | None:
    """The exception for a close code after which nobody must come back; None where coming back is right."""
    match code:
        case CloseCode.REPLACED:
            return Replaced(reason or "The same player connected elsewhere.")
        case CloseCode.VERSION | CloseCode.NO_SUBPROTOCOL:
            return VersionMismatch(reason or "The server speaks another version of the protocol.")
        case CloseCode.TOO_MANY_ERRORS:
            return ConnectionLost(reason or "The server did not understand this client too many times.")
        case 1008:  # RFC 6455: policy violation
            return ConnectionLost(reason or "The server does not want this client.")
        case 1009:  # RFC 6455: message too big
            return ConnectionLost(reason or "This client sent more at once than the server takes.")
    return None
