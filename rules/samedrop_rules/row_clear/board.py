"""One seat's part of a row-clear race: grid, queue, attempts, and in a team who chooses and who checks.

The order of a placement is here; landing and clearing are `grid`'s, spelling out what happened is `events`'s.
"""

from __future__ import annotations

from hashlib import blake2b

from samedrop_rules.errors import IllegalMove
from samedrop_rules.game import Draws, Ended, Event, Move, Step, View
from samedrop_rules.race import Board
from samedrop_rules.row_clear import events as told
from samedrop_rules.row_clear.chance import Queue
from samedrop_rules.row_clear.grid import ROWS, Cell, Grid, placements
from samedrop_rules.row_clear.move import Decision, read_by, read_decision

MAX_ATTEMPTS = 100


class RowClearBoard(Board):
    """One board. See `docs/rules/row-clear.md` for the rules, section A placement for their order.

    Attributes (beside those of `Board`):
        grid: the cells.
        queue: the pieces.
        used: pieces placed in this attempt.
        attempt: which attempt this is, from 1.
        abandoned: pieces used and rows cleared of each earlier attempt.
        chooser: the partner who chooses; 0 where there is no team.
        pending: the placement that waits to be checked, if any.
    """

    __slots__ = ("_deepest", "abandoned", "attempt", "chooser", "grid", "pending", "queue", "team", "used")

    def __init__(self, queue: Queue, team: int) -> None:
        """Args: team: players of the seat, 1 or 2."""
        self.queue = queue
        self.team = team
        self.turn = 0
        self.attempt = 1
        self.abandoned: list[tuple[int, int]] = []
        self.ended: Ended | None = None
        self._deepest = 0
        self._begin()

    def _begin(self) -> None:
        """An attempt starts."""
        self.grid = Grid()
        self.used = 0
        self.score = 0
        self.chooser = 0
        self.pending: Decision | None = None

    @property
    def piece(self) -> str:
        """The piece to be placed."""
        return self.queue.piece(self.used)

    @property
    def decider(self) -> int:
        """The partner who is to decide: the chooser, or who checks."""
        return self.chooser if self.pending is None else 1 - self.chooser

    def legal(self) -> list[Move]:
        """See `Board.legal`: placements from the left, by rotation; or to confirm. Not listed: reject and restart."""
        if self.ended is not None:
            return []
        moves: list[dict[str, object]] = [{"confirm": True}]
        if self.pending is None:
            moves = [{"rotation": rotation, "column": column} for column, rotation in placements(self.piece)]
        if self.team > 1:
            return [{**move, "by": self.decider} for move in moves]
        return list(moves)

    def play(self, move: Move) -> Step:
        """See `Board.play`. Of a team every move names with ``by`` which partner decided."""
        decision = read_decision(move)
        by = read_by(move) if self.team > 1 else 0
        act = {"place": self._place, "confirm": self._confirm, "reject": self._reject, "restart": self._restart}
        known = self.queue.seen(self._deepest)
        events = act[decision.kind](decision, by)
        self.turn += 1
        if self.ended is None:
            events.append(told.next_shape(self))
        return Step(events, (self.queue.mask(known, self.queue.seen(self._deepest)),))

    def _place(self, chosen: Decision, by: int) -> list[Event]:
        if self.pending is not None:
            raise IllegalMove("A placement waits to be confirmed or rejected.", "move")
        if by != self.chooser:
            raise IllegalMove("Your partner chooses this piece.", "move")
        cells = self.grid.landing(self.piece, chosen.rotation, chosen.column)
        if cells is None:
            raise IllegalMove("The piece would reach beyond the wall.", "move.column")
        if self.team == 1:
            return self._settle(chosen, cells)
        self.pending = chosen
        return [told.propose(self.piece, chosen, cells, by)]

    def _confirm(self, decision: Decision, by: int) -> list[Event]:
        chosen = self._require_check(by)
        cells = self.grid.landing(self.piece, chosen.rotation, chosen.column)
        assert cells is not None, "it was looked at when it was proposed"
        self.pending = None
        self.chooser = by
        return [{"type": "confirm", "by": by}, *self._settle(chosen, cells)]

    def _reject(self, decision: Decision, by: int) -> list[Event]:
        self._require_check(by)
        self.pending = None
        return [{"type": "reject", "by": by, "reason": decision.reason}]

    def _require_check(self, by: int) -> Decision:
        if self.team == 1:
            raise IllegalMove("There is no partner whose placement could be checked.", "move")
        if self.pending is None:
            raise IllegalMove("There is no placement to check.", "move")
        if by == self.chooser:
            raise IllegalMove("Your partner checks what you chose.", "move")
        return self.pending

    def _restart(self, decision: Decision, by: int) -> list[Event]:
        if self.used == 0:
            raise IllegalMove("Nothing has been placed yet.", "move.restart")
        if self.attempt == MAX_ATTEMPTS:
            raise IllegalMove(f"This is the last of {MAX_ATTEMPTS} attempts.", "move.restart")
        event = told.restart(self, by)
        self.abandoned.append((self.used, self.score))
        self.attempt += 1
        self._begin()
        return [event]

    def _settle(self, chosen: Decision, cells: list[Cell]) -> list[Event]:
        """The piece comes to rest, full rows go; or it reaches above the board, and the attempt ends."""
        piece = self.piece
        if max(row for row, _ in cells) >= ROWS:
            return [told.too_high(piece, chosen), self._end("too_high")]
        self.grid.put(cells, piece)
        events = [told.place_piece(piece, chosen, cells)]
        if full := self.grid.clear():
            self.score += len(full)
            events.append(told.rows(full))
        self.used += 1
        self._deepest = max(self._deepest, self.used)
        if self.used == self.queue.pieces:
            events.append(self._end("queue"))
        return events

    def _end(self, cause: str) -> Event:
        self.ended = Ended.RULES
        return {"type": "over", "ended": self.ended.value, "cause": cause}

    @property
    def known(self) -> Draws:
        """See `Board.known`."""
        return (self.queue.mask(0, self.queue.seen(self._deepest)),)

    def view(self) -> View:
        """See `Board.view`; the keys are those of docs/rules/row-clear.md, What is known."""
        pending = self.pending
        return {
            "board": [list(row) for row in reversed(self.grid.rows)],
            "queue": [self.queue.piece(k) for k in range(self.queue.seen(self._deepest))],
            "pieces": self.queue.pieces,
            "used": self.used,
            "attempt": self.attempt,
            "abandoned": [list(attempt) for attempt in self.abandoned],
            "team": self.team,
            "chooser": self.chooser,
            "pending": None if pending is None else {"rotation": pending.rotation, "column": pending.column},
            "score": self.score,
            "turn": self.turn,
            "ended": self.ended.value if self.ended else None,
        }

    def digest(self) -> str:
        """See `Board.digest`: a hash over the cells, the attempts, who is to decide on what, and what is known."""
        cells = bytes(cell for row in self.grid.rows for cell in row)
        pending = (self.pending.rotation, self.pending.column) if self.pending else ()
        counts = (self.turn, self.used, self.score, self.attempt, self.abandoned, self.chooser, pending, self._deepest)
        state = b"%b %b %b" % (cells, repr(counts).encode(), self.ended.encode() if self.ended else b"")
        return blake2b(state, digest_size=8).hexdigest()
