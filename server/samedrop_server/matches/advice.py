"""What the rules refuse and what they advise, as messages."""

from __future__ import annotations

from samedrop_protocol import from_client, from_server
from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_rules import IllegalMove, InvalidMove, Table


def refusal(error: InvalidMove | IllegalMove, turn: int) -> ProtocolError:
    """The error for a move that the rules refuse in the sender's `turn`."""
    code = ErrorCode.MOVE_INVALID if isinstance(error, InvalidMove) else ErrorCode.MOVE_ILLEGAL
    return ProtocolError(code, error.text, field=error.field or "move", turn=turn)


def advice(table: Table, seat: int, message: from_client.Advise) -> from_server.Advice | from_server.Error:
    """What the rules allow a seat now, or why nothing can become of the draft."""
    turn = table.turn(seat)
    try:
        told = table.game.advise(table.view(seat), message.draft)
    except (InvalidMove, IllegalMove) as error:
        refused = refusal(error, turn)
        field = f"draft{error.field.removeprefix('move')}"
        return from_server.Error(re=message.id, code=refused.code, text=error.text, field=field, turn=turn)
    return from_server.Advice(re=message.id, match=message.match, turn=turn, advice=told)
