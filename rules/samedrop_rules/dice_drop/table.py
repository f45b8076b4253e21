"""The table of a dice-drop match: the sheets of all seats, throws, and the letters that all share."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import NamedTuple

from samedrop_rules.deal import Deal
from samedrop_rules.dice_drop.chance import LETTERS, Chance
from samedrop_rules.dice_drop.choices import default_move, legal_moves
from samedrop_rules.dice_drop.sheet import TILE_NOTCHES, Sheet
from samedrop_rules.dice_drop.turn import BLOCK, DROP, OPENING, Situation, Turn, play_turn
from samedrop_rules.errors import IllegalMove, InvalidMove
from samedrop_rules.game import Draws, Event, Game, Move, View
from samedrop_rules.rounds import RoundsTable


class Plan(NamedTuple):
    """What a seat has decided: its sheet as it will be, and what will have happened."""

    sheet: Sheet
    turn: Turn


class DiceDropTable(RoundsTable[Plan]):
    """All sheets of one match.

    Attributes:
        sheets: by seat.
        now: what all know of the open round.
    """

    def __init__(self, game: Game, deal: Deal, seats: int, drop_limit: int | None) -> None:
        super().__init__(game, deal, seats, drop_limit)
        self._chance = Chance(deal)
        self._solo = bool(deal.options["solo"])
        self._thrown = 0
        tiles = dict.fromkeys(LETTERS, 0) if self._solo else None
        self.sheets = [Sheet(tiles) for _ in range(seats)]
        self.now = Situation(0, OPENING, None, None, self._chance.shapes, self._chance.blocks, frozenset())
        if not deal.options["opening_number"]:
            self._throw(0)

    # Rounds

    def asks(self, seat: int) -> bool:
        """See `RoundsTable.asks`."""
        return self.now.block is None or self.now.block not in self.sheets[seat].circled

    def plan(self, seat: int, move: Move) -> Plan:
        """See `RoundsTable.plan`. Moves are those of docs/rules/dice-drop.md, Move."""
        if not isinstance(move, Mapping):
            raise InvalidMove("A move must be an object.", "move")
        if "default" in move:
            if move["default"] is not True:
                raise InvalidMove("default must be true, or be left out.", "move.default")
            if dict(move) != self.default(seat):
                raise IllegalMove("That is not the default move.", "move.default")
        sheet = self.sheets[seat].copy()
        return Plan(sheet, play_turn(sheet, self.now, seat, move))

    def resolve(self, plans: dict[int, Plan]) -> tuple[list[Event], str]:
        """See `RoundsTable.resolve`."""
        events: list[Event] = []
        crossed = self.now.crossed
        for seat in sorted(plans):
            self.sheets[seat], turn = plans[seat]
            crossed |= turn.crossed
            events += [event if event["type"] == "cross" else _about(seat, event) for event in turn.events]
        if self.now.block is not None:
            crossed |= {self.now.block}
            events.append({"type": "cross", "letter": self.now.block})
        self.now = self.now._replace(crossed=crossed)
        return events, self._cause()

    def _cause(self) -> str:
        if any(sheet.rows_above() for sheet in self.sheets):
            return "line"
        tiles = self.sheets[0].tiles
        return "tiles" if tiles is not None and min(tiles.values()) == TILE_NOTCHES else ""

    def begin_round(self) -> tuple[list[Event], Draws]:
        """See `RoundsTable.begin_round`."""
        number = self._thrown
        events = self._throw(self.now.number + 1)
        throw = self.now.throw
        assert throw is not None
        due = [seat for seat in self.running if self.asks(seat)]
        shown = {"dice": throw.dice, "shape": throw.shape, "block": self.now.block}
        events.append({"type": "throw", "round": self.now.number, **shown, "due": due})
        return events, (1 << number, 0)

    def _throw(self, number: int) -> list[Event]:
        """Throw the dice for round `number`; a letter that hits nobody is crossed."""
        throw = self._chance.throw(self._thrown)
        self._thrown += 1
        self.now = self.now._replace(number=number, throw=throw, block=None, phase=DROP)
        letter = None
        if throw.starred and not self._solo:
            circled = {one for sheet in self.sheets for one in sheet.circled}
            letter = min(circled - self.now.crossed, default=None)
        if letter is None:
            return []
        if all(letter in self.sheets[seat].circled for seat in self.running):
            self.now = self.now._replace(crossed=self.now.crossed | {letter})
            return [{"type": "cross", "letter": letter}]
        self.now = self.now._replace(block=letter, phase=BLOCK)
        return []

    # Looked at

    def legal(self, seat: int) -> list[Move]:
        """See `Table.legal`; the moves that are listed are those of docs/rules/dice-drop.md, The greedy player."""
        return legal_moves(self.sheets[seat], self.now) if self.due(seat) else []

    def default(self, seat: int) -> Move | None:
        """See `Table.default`."""
        return default_move(self.sheets[seat], self.now) if self.due(seat) else None

    def view(self, seat: int) -> View:
        """See `Table.view`; the keys are those of docs/rules/dice-drop.md, What is known."""
        now, ended = self.now, self.endings[seat]
        return {
            "seat": seat,
            "round": now.number,
            "phase": now.phase,
            "due": self.due(seat),
            "decided": self.has_decided(seat),
            "throw": None if now.throw is None else now.throw._asdict(),
            "block": now.block,
            "shapes": now.shapes,
            "blocks": dict(now.blocks),
            "crossed": sorted(now.crossed),
            **self.sheets[seat].shown(),
            "turn": self.turns[seat],
            "ended": None if ended is None else ended.value,
        }

    def knowledge(self, seat: int) -> Draws:
        """See `Table.knowledge`: the same for all."""
        return (1 << self._thrown) - 1, 1

    def score(self, seat: int) -> int:
        """See `Table.score`; as of the last round that was resolved."""
        return self.sheets[seat].score

    def digest(self, seat: int) -> str:
        """See `Table.digest`: a hash over all that is known of all seats, and which of them this is."""
        views = [list(self.view(one).items()) for one in range(self.seats)]
        return blake2b(repr((seat, views)).encode(), digest_size=8).hexdigest()


def _about(seat: int, event: Event) -> Event:
    return {"type": event["type"], "seat": seat, **event}
