"""Events: what a move led to, in order, complete enough to animate without knowing the rules.

A cell is ``[row, column]``. Shapes per game are in docs/protocol.md; skip event types you do not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct, UnsetType, ValidationError, convert

from samedrop_protocol.faults import explain
from samedrop_protocol.types import Signed, Whole

Cell = tuple[Whole, Whole]
NumberedCell = tuple[Whole, Whole, Whole]
"""``[row, column, number]``"""
Fall = tuple[Whole, Whole, Whole]
"""``[row, column, to_row]``"""
Joining = tuple[Whole, Whole, Whole, Whole]
"""``[row, column, to_row, to_column]``"""
RowFall = tuple[Whole, Whole]
"""``[row, to_row]``"""
Piece = tuple[Whole, Whole]
"""``[first, second]``"""


class EventBase(Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of all events."""


class Drop(EventBase, frozen=True, kw_only=True, tag="drop"):
    """A disc came to rest in `cell`."""

    disc: Whole
    cell: Cell


class Wave(EventBase, frozen=True, kw_only=True, tag="wave"):
    """One wave: all cells as the board stood before it; afterwards the `falls`, all at once."""

    wave: Whole
    cleared: list[NumberedCell]
    cracked: list[Cell]
    revealed: list[NumberedCell]
    points: Signed
    falls: list[Fall]


class Rise(EventBase, frozen=True, kw_only=True, tag="rise"):
    """Every row moved up by one and solid gray discs filled the bottom row."""

    points: Signed


class Bonus(EventBase, frozen=True, kw_only=True, tag="bonus"):
    """Points that are not a wave's."""

    reason: str
    points: Signed


class Next(EventBase, frozen=True, kw_only=True, tag="next"):
    """The next disc was dealt; `clock` drops are left until the rise."""

    disc: Whole
    clock: Whole


class Place(EventBase, frozen=True, kw_only=True, tag="place"):
    """The tiles of a piece came to rest, the first and the second one."""

    tiles: tuple[NumberedCell, NumberedCell]


class Merge(EventBase, frozen=True, kw_only=True, tag="merge"):
    """One step: all cells as the board stood before it; afterwards the `falls`, all at once."""

    step: Whole
    merged: list[Joining]
    made: list[NumberedCell]
    points: Signed
    falls: list[Fall]


class Milestone(EventBase, frozen=True, kw_only=True, tag="milestone"):
    """For the first time in this run there is a tile as great as that."""

    tile: Whole


class RiseRow(EventBase, frozen=True, kw_only=True, tag="rise_row"):
    """Every row moved up by one and these numbers filled the bottom row, from the left."""

    numbers: list[Whole]


class NextPiece(EventBase, frozen=True, kw_only=True, tag="next_piece"):
    """`piece` is to be placed now, `next` after it; `clock` pieces are left until the rise."""

    piece: Piece
    next: Piece
    clock: Whole


class PlacePiece(EventBase, frozen=True, kw_only=True, tag="place_piece"):
    """A piece of four cells came to rest in `cells`."""

    piece: str
    rotation: Whole
    column: Whole
    cells: list[Cell]


class Propose(EventBase, frozen=True, kw_only=True, tag="propose"):
    """A placement waits to be checked; without `cells` it would reach above the board."""

    piece: str
    rotation: Whole
    column: Whole
    cells: list[Cell]
    by: Whole


class Confirm(EventBase, frozen=True, kw_only=True, tag="confirm"):
    """The placement that waited is made."""

    by: Whole


class Reject(EventBase, frozen=True, kw_only=True, tag="reject"):
    """The placement that waited is struck out."""

    by: Whole
    reason: str


class TooHigh(EventBase, frozen=True, kw_only=True, tag="too_high"):
    """The piece would have reached above the board and was not placed."""

    piece: str
    rotation: Whole
    column: Whole


class Rows(EventBase, frozen=True, kw_only=True, tag="rows"):
    """Full rows went; afterwards the rows above fall, all at once."""

    cleared: list[Whole]
    points: Signed
    falls: list[RowFall]


class Restart(EventBase, frozen=True, kw_only=True, tag="restart"):
    """The attempt was given up after `used` pieces, and its points with it; the next one starts."""

    by: Whole
    attempt: Whole
    used: Whole
    points: Signed


class NextShape(EventBase, frozen=True, kw_only=True, tag="next_shape"):
    """`piece` is current and `next` comes after it; `by` is to decide, or with `check` to confirm or reject."""

    piece: str
    next: str | None
    used: Whole
    by: Whole
    check: bool


class SeatEvent(EventBase, frozen=True, kw_only=True):
    """Base of events in rounds that are about one seat."""

    seat: Whole


class Decided(SeatEvent, frozen=True, kw_only=True, tag="decided"):
    """The seat has decided in this round; what, is told once all have."""


class Opening(SeatEvent, frozen=True, kw_only=True, tag="opening"):
    """The seat's number was written into `cell`. With `default`, because its time was up."""

    number: Whole
    cell: Cell
    default: bool | UnsetType = UNSET


class Slide(SeatEvent, frozen=True, kw_only=True, tag="slide"):
    """A tile slid: it has `notch` notches now."""

    letter: str
    notch: Whole


class Block(SeatEvent, frozen=True, kw_only=True, tag="block"):
    """A letter's block came to rest: its cells are X."""

    letter: str
    cells: list[Cell]
    default: bool | UnsetType = UNSET


class Fill(SeatEvent, frozen=True, kw_only=True, tag="fill"):
    """A shape came to rest; `numbers` are those of its `cells`, in this order."""

    shape: str
    cells: list[Cell]
    numbers: list[Whole]
    default: bool | UnsetType = UNSET


class Combo(SeatEvent, frozen=True, kw_only=True, tag="combo"):
    """A combo: `kind` is identical or consecutive; its cells are used from now on."""

    kind: str
    size: Whole
    cells: list[Cell]
    points: Signed


class ColumnDone(SeatEvent, frozen=True, kw_only=True, tag="column_done"):
    """All sizes from 3 to 7 of a kind are done."""

    kind: str
    points: Signed


class Circle(SeatEvent, frozen=True, kw_only=True, tag="circle"):
    """The seat circled a letter."""

    letter: str


class FullRows(SeatEvent, frozen=True, kw_only=True, tag="full_rows"):
    """These rows are full now."""

    rows: list[Whole]
    points: Signed


class Penalty(SeatEvent, frozen=True, kw_only=True, tag="penalty"):
    """These rows above the line are used."""

    rows: list[Whole]
    points: Signed


class Cross(EventBase, frozen=True, kw_only=True, tag="cross"):
    """A letter is crossed, for all."""

    letter: str


class Throw(EventBase, frozen=True, kw_only=True, tag="throw"):
    """A round begins: the faces of the dice, ``*`` for a star; with `block` a block falls; `due` are to decide."""

    round: Whole
    dice: str
    shape: str
    block: str | None
    due: list[Whole]


class Over(EventBase, frozen=True, kw_only=True, tag="over"):
    """The run is over: `ended` is rules, censored, time or forfeit; `cause` refines it. In rounds it says whose."""

    ended: str
    cause: str
    seat: Whole | UnsetType = UNSET


class UnknownEvent(Struct, frozen=True, kw_only=True):
    """An event of a type that this library does not know; `body` is the whole map."""

    body: dict[str, Any]


KnownEvent = (
    Drop | Wave | Rise | Bonus | Next
    | Place | Merge | Milestone | RiseRow | NextPiece
    | PlacePiece | Propose | Confirm | Reject | TooHigh | Rows | Restart | NextShape
    | Decided | Opening | Slide | Block | Fill | Combo | ColumnDone | Circle | FullRows | Penalty | Cross | Throw
    | Over
)  # fmt: skip
Event = KnownEvent | UnknownEvent

EVENT_TYPES: dict[str, type[KnownEvent]] = {
    "drop": Drop,
    "wave": Wave,
    "rise": Rise,
    "bonus": Bonus,
    "next": Next,
    "place": Place,
    "merge": Merge,
    "milestone": Milestone,
    "rise_row": RiseRow,
    "next_piece": NextPiece,
    "place_piece": PlacePiece,
    "propose": Propose,
    "confirm": Confirm,
    "reject": Reject,
    "too_high": TooHigh,
    "rows": Rows,
    "restart": Restart,
    "next_shape": NextShape,
    "decided": Decided,
    "opening": Opening,
    "slide": Slide,
    "block": Block,
    "fill": Fill,
    "combo": Combo,
    "column_done": ColumnDone,
    "circle": Circle,
    "full_rows": FullRows,
    "penalty": Penalty,
    "cross": Cross,
    "throw": Throw,
    "over": Over,
}


def read_event(body: Mapping[str, object]) -> Event:
    """The event in a map as it travels; one of an unknown type comes as `UnknownEvent`.

    Raises:
        ProtocolError: INVALID, a known type with the wrong fields.
    """
    kind = EVENT_TYPES.get(str(body.get("type")))
    if kind is None:
        return UnknownEvent(body=dict(body))
    try:
        return convert(body, kind)
    except ValidationError as error:
        raise explain(error, kind, body) from None
