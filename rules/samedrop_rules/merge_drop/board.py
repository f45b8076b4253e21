"""One player's part of a merge-drop race: grid, score, and the pieces and rows dealt so far.

The order of a placement is here; merging, falling and rising are `grid`'s, spelling out what happened is `events`'s.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from samedrop_rules.errors import IllegalMove
from samedrop_rules.game import Draws, Ended, Event, Move, Step, View
from samedrop_rules.merge_drop.chance import PIECES_PER_RISE, Chance
from samedrop_rules.merge_drop.events import MILESTONE, merge_event, place_event
from samedrop_rules.merge_drop.grid import CELLS, COLUMNS, Grid
from samedrop_rules.merge_drop.move import read_placement
from samedrop_rules.race import Board


class MergeDropBoard(Board):
    """One player's board. See `docs/rules/merge-drop.md` for the rules, section A placement for their order.

    Attributes (beside those of `Board`):
        grid: the tiles.
        piece, following: the current and the next piece; `following` is empty once the rules have ended the game.
    """

    __slots__ = ("_chance", "_reached", "following", "grid", "piece")

    def __init__(self, chance: Chance, tiles: Iterable[int] = (0,) * CELLS, turn: int = 0) -> None:
        """A board at its start; or, for tests and tools, at a position: its tiles, and how many pieces were placed."""
        self.grid = Grid(tiles)
        # Such a tile vanishes only into a greater one: once there has been one, there is one.
        self._reached = max(self.grid.tiles) >= MILESTONE
        self._chance = chance
        self.turn = turn
        self.piece = chance.piece(turn)
        self.following = chance.piece(turn + 1)
        self.score = 0
        self.ended: Ended | None = None

    @property
    def clock(self) -> int:
        """Pieces until the next row rises."""
        return PIECES_PER_RISE - self.turn % PIECES_PER_RISE

    def legal(self) -> list[Move]:
        """See `Board.legal`: from the left, by rotation."""
        if self.ended is not None:
            return []
        return [{"column": column, "rotation": rotation} for column, rotation in self.grid.placements()]

    def play(self, move: Move) -> Step:
        """See `Board.play`. A move is ``{"column": 0 to 5, "rotation": 0 to 3}``; other keys are ignored."""
        column, rotation = read_placement(move)
        columns = self.grid.columns(column, rotation)
        if columns is None:
            raise IllegalMove("The piece does not fit there.", "move.column")
        cells = self.grid.place(columns, rotation, self.piece)
        events = [place_event(cells, self.piece)]
        self._settle(cells, events)
        rows = 0
        self.turn += 1
        cause = ""
        if self.turn % PIECES_PER_RISE == 0:
            rows = 63 << COLUMNS * (self.turn // PIECES_PER_RISE - 1)
            cause = self._rise(events)
        if not cause and self.grid.full:
            cause = "full"
        return Step(events, (self._next(cause, events), rows))

    def _settle(self, moved: list[int], events: list[Event]) -> None:
        """Run a chain, telling what happens."""
        for merge in self.grid.settle(moved):
            events.append(merge_event(merge))
            self.score += merge.points
            greatest = max(value for _, value in merge.made)
            if greatest >= MILESTONE and not self._reached:
                self._reached = True
                events.append({"type": "milestone", "tile": greatest})

    def _rise(self, events: list[Event]) -> str:
        """A row rises and settles; returns why the run is over, or nothing."""
        numbers = self._chance.row(self.turn // PIECES_PER_RISE - 1)
        events.append({"type": "rise_row", "numbers": numbers})
        risen = self.grid.rise(numbers)
        if not all(self.grid.free):
            return "rise"
        self._settle(risen, events)
        return ""

    def _next(self, cause: str, events: list[Event]) -> int:
        """The run ends by `cause`, or goes on with the next piece; returns the draws of pieces that become known."""
        if cause:
            self.ended, self.following = Ended.RULES, []
            events.append({"type": "over", "ended": self.ended.value, "cause": cause})
            return 0
        self.piece, self.following = self.following, self._chance.piece(self.turn + 1)
        events.append(
            {"type": "next_piece", "piece": self.piece[:], "next": self.following[:], "clock": self.clock},
        )
        return 3 << 2 * (self.turn + 1)

    @property
    def known(self) -> Draws:
        """See `Board.known`."""
        pieces = self.turn + 2 if self.following else self.turn + 1
        return (1 << 2 * pieces) - 1, (1 << COLUMNS * (self.turn // PIECES_PER_RISE)) - 1

    def view(self) -> View:
        """See `Board.view`; the keys are those of docs/rules/merge-drop.md, What is known."""
        tiles = self.grid.tiles
        return {
            "board": [tiles[start : start + COLUMNS] for start in range(0, CELLS, COLUMNS)],
            "piece": [] if self.ended else self.piece[:],
            "next": [] if self.ended else self.following[:],
            "clock": self.clock,
            "score": self.score,
            "turn": self.turn,
            "ended": self.ended.value if self.ended else None,
        }

    def digest(self) -> str:
        """See `Board.digest`: a hash over the tiles and the counts, which tell the draws known too."""
        state = b"%b %d %d %d %b" % (
            bytes(map(int.bit_length, self.grid.tiles)),
            self.turn,
            self.score,
            len(self.following),
            self.ended.encode() if self.ended else b"",
        )
        return blake2b(state, digest_size=8).hexdigest()
