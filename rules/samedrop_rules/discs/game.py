"""What can be said about a view in every game of discs: legal moves, typed ones, pictures, stories."""

from __future__ import annotations

from collections.abc import Sequence

from samedrop_rules.discs.events import describe
from samedrop_rules.discs.move import parse_column
from samedrop_rules.discs.summary import summary
from samedrop_rules.discs.tables import CELLS, SIZE
from samedrop_rules.game import Event, Game, Move, View

_SHOWN = str.maketrans("089", ".▓▒")


class DiscGame(Game):
    """A game whose views have the keys board, disc, clock, score, turn, ended (docs/rules/drop7.md, What is known)."""

    def legal(self, view: View) -> list[Move]:
        """See `Game.legal`: from the left."""
        if view["ended"] is not None:
            return []
        return [{"column": column} for column, top in enumerate(str(view["board"])[:SIZE]) if top == "0"]

    def parse_move(self, text: str, view: View) -> Move:
        """See `Game.parse_move`: ``4`` or ``drop 4``, columns counted from 1."""
        return parse_column(text)

    def render(self, view: View) -> list[str]:
        """See `Game.render`: ``.`` is empty, ``▓`` solid gray, ``▒`` cracked gray."""
        board = str(view["board"]).translate(_SHOWN)
        lines = [" ".join(board[start : start + SIZE]) for start in range(0, CELLS, SIZE)]
        lines.append(" ".join(str(column + 1) for column in range(SIZE)))
        state = "over" if view["ended"] else self.prompt(view)
        lines += [state, f"score {view['score']:,}, drops {view['turn']}"]
        width = max(map(len, lines))
        return [line.ljust(width) for line in lines]

    def describe(self, events: Sequence[Event]) -> list[str]:
        """See `Game.describe`."""
        return describe(events)

    def summary(self, events: Sequence[Event]) -> str:
        """See `Game.summary`."""
        return summary(events)

    def prompt(self, view: View) -> str:
        """See `Game.prompt`."""
        return f"disc {view['disc']}, rise in {view['clock']}"
