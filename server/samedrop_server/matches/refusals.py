"""Why a match takes no decision, as errors that the sender is told; all are looked at before anything changes."""

from __future__ import annotations

from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_rules import IllegalMove, InvalidMove, Table


def suspended() -> ProtocolError:
    """Nothing can be stored now."""
    text = "The match is suspended until the server can store moves again."
    return ProtocolError(ErrorCode.MATCH_SUSPENDED, text, retry_after=1.0)


def require_running(table: Table, seat: int, turn: int) -> None:
    """Refuse a seat whose run is over."""
    if table.ended(seat) is not None:
        raise ProtocolError(ErrorCode.MATCH_OVER, "Your run is over.", turn=turn)


def paused(turn: int) -> ProtocolError:
    """All agreed to a pause."""
    return ProtocolError(ErrorCode.MATCH_PAUSED, "The match is paused. It goes on once one of you says so.", turn=turn)


def no_pause() -> ProtocolError:
    """Others race on that deal at other times."""
    text = "A challenge, or the deal of the day, cannot be paused: those who play it at other times could not agree."
    return ProtocolError(ErrorCode.MATCH_NO_PAUSE, text)


def paused_too_often(most: int) -> ProtocolError:
    """Every pause is kept with the match."""
    return ProtocolError(ErrorCode.MATCH_NO_PAUSE, f"This match was paused {most} times; it is not paused any more.")


def paused_alone() -> ProtocolError:
    """Who is left alone would have time that the others had not, and these cannot agree any more."""
    text = "The others are done, and this is a race against the clock: nobody can agree to a pause any more."
    return ProtocolError(ErrorCode.MATCH_NO_PAUSE, text)


def require_lockstep(table: Table, turn: int) -> None:
    """Refuse a turn before all others have made the one before it."""
    for other in range(table.seats):
        if table.turn(other) < turn and table.ended(other) is None:
            raise ProtocolError(ErrorCode.WAIT, "Wait until everybody has made this turn's move.", turn=turn)


def future(wanted: int, turn: int) -> ProtocolError:
    """A move for a turn that has not come."""
    text = f"Turn {wanted} has not come yet; the turn is {turn}."
    return ProtocolError(ErrorCode.FUTURE_TURN, text, field="turn", turn=turn)


def stale(wanted: int, turn: int) -> ProtocolError:
    """A move for a turn that is over, by another request than the one that made it."""
    return ProtocolError(ErrorCode.STALE_TURN, f"Turn {wanted} is over; the turn is {turn}.", field="turn", turn=turn)


def by_the_rules(error: InvalidMove | IllegalMove, turn: int) -> ProtocolError:
    """A move that the rules refuse in the sender's `turn`."""
    code = ErrorCode.MOVE_INVALID if isinstance(error, InvalidMove) else ErrorCode.MOVE_ILLEGAL
    return ProtocolError(code, error.text, field=error.field or "move", turn=turn)
