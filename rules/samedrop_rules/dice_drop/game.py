"""The game dice-drop, rules version 1 (docs/rules/dice-drop.md).

Version 1: the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from samedrop_rules.deal import Deal
from samedrop_rules.dice_drop.choices import advise, legal_moves, situation
from samedrop_rules.dice_drop.events import LETTERS, describe, summary
from samedrop_rules.dice_drop.follow import follow
from samedrop_rules.dice_drop.shapes import ROWS
from samedrop_rules.dice_drop.sheet import LINE, Sheet
from samedrop_rules.dice_drop.table import DiceDropTable
from samedrop_rules.dice_drop.turn import play_turn
from samedrop_rules.dice_drop.typed import parse_decision, prompt
from samedrop_rules.errors import InvalidOptions
from samedrop_rules.game import Event, Game, Move, Pace, Table, View
from samedrop_rules.options import Option


class DiceDrop(Game):
    """Dice-drop: all use the same throw, each on a grid of their own; rows, combos, and blocks for those who lag."""

    id = "dice-drop"
    version = 1
    title = "Dice-drop"
    pace = Pace.ROUNDS
    max_seats = 6
    options = (
        Option("shapes", "shapes of the shape die: I O T L, or S too", "four", choices=("four", "five")),
        Option("opening_number", "each player writes a number into the bottom row first", False),
        Option("solo", "for one player alone, with tiles", False),
    )
    streams = ("dice", "blocks")

    def most_seats(self, options: Mapping[str, object]) -> int:
        """See `Game.most_seats`."""
        return 1 if options["solo"] else self.max_seats

    def table(self, deal: Deal, seats: int, drop_limit: int | None = None) -> Table:
        """See `Game.table`.

        Raises:
            InvalidOptions: solo is for one seat.
        """
        if seats > self.most_seats(deal.options):
            raise InvalidOptions(f"With these options there is room for {self.most_seats(deal.options)}.", "solo")
        return DiceDropTable(self, deal, seats, drop_limit)

    def legal(self, view: View) -> list[Move]:
        """See `Game.legal`; the moves that are listed are those of docs/rules/dice-drop.md, The greedy player."""
        return legal_moves(Sheet.seen(view), situation(view)) if view["due"] else []

    def follow(self, view: View, events: Sequence[Event]) -> View:
        """See `Game.follow`."""
        return follow(view, events)

    def outlook(self, view: View, move: Move) -> tuple[int, ...]:
        """See `Game.outlook`: points of the turn, nothing above the line, lower, fewer holes, a letter, further left.

        Raises:
            InvalidMove, IllegalMove
        """
        sheet = Sheet.seen(view)
        play_turn(sheet, situation(view), cast("int", view["seat"]), move)
        points = sheet.score - cast("int", view["score"])
        letters = len(sheet.circled) - len(cast("list[str]", view["circled"]))
        column = cast("int", move["column"])
        highest = max(sheet.heights)
        return points, int(highest <= ROWS - LINE), -highest, -sheet.holes(), letters, -column

    def advise(self, view: View, draft: Move) -> dict[str, object]:
        """See `Game.advise`: placements, or with a whole drop the combos that it makes possible."""
        return advise(Sheet.seen(view), situation(view), cast("int", view["seat"]), bool(view["due"]), draft)

    def parse_move(self, text: str, view: View) -> Move:
        """See `Game.parse_move`: ``3``, ``T 3 r1 m 5172; same A1 A2 B1``, ``slide B; 3 5172``."""
        return parse_decision(text, view)

    def render(self, view: View) -> list[str]:
        """See `Game.render`: rows as people count them, ``.`` is empty, a line below row 12."""
        lines = []
        for row, marks in enumerate(cast("list[str]", view["grid"])):
            lines.append(f"{ROWS - row:>2} " + " ".join(marks))
            if row == LINE - 1:
                lines.append("   " + "-" * (2 * len(marks) - 1))
        lines.append("   " + " ".join(LETTERS))
        lines.append(prompt(view))
        lines.append(f"score {view['score']}, turns {view['turn']}")
        lines.append(f"same {_list(view['identical'])}, runs {_list(view['consecutive'])}")
        lines.append(f"circled {_list(view['circled'])}, crossed {_list(view['crossed'])}")
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
        return prompt(view)


def _list(listed: object) -> str:
    return " ".join(map(str, cast("list[object]", listed))) or "-"
