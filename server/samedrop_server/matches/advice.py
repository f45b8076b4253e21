"""What the rules allow a seat, for clients that ask (docs/protocol.md, Moves)."""

from __future__ import annotations

from collections.abc import Callable

from samedrop_protocol import from_client, from_server
from samedrop_rules import IllegalMove, InvalidMove, Table
from samedrop_server.matches.follow import Listener
from samedrop_server.matches.refusals import by_the_rules


class Advice:
    """Gives advice; where decisions are being stored, once they are, so that nobody is told of what is not."""

    def __init__(self) -> None:
        self._waiting: list[Callable[[], None]] = []

    def give(self, message: from_client.Advise, listener: Listener, table: Callable[[], tuple[Table, int]]) -> None:
        """Answer now. `table` gives the table and the asker's seat, as they are at the time of the answer."""
        listener.tell(_advice(*table(), message))

    def give_later(
        self, message: from_client.Advise, listener: Listener, table: Callable[[], tuple[Table, int]]
    ) -> None:
        """Answer with the next `caught_up`."""
        self._waiting.append(lambda: self.give(message, listener, table))

    def caught_up(self) -> None:
        """All that was decided is stored."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            for answer in waiting:
                answer()


def _advice(table: Table, seat: int, message: from_client.Advise) -> from_server.Advice | from_server.Error:
    turn = table.turn(seat)
    try:
        told = table.game.advise(table.view(seat), message.draft)
    except (InvalidMove, IllegalMove) as error:
        field = f"draft{error.field.removeprefix('move')}"
        return from_server.Error(
            re=message.id, code=by_the_rules(error, turn).code, text=error.text, field=field, turn=turn
        )
    return from_server.Advice(re=message.id, match=message.match, turn=turn, advice=told)
