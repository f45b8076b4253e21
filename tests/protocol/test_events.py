"""Events as typed values."""

from __future__ import annotations

import msgspec
import pytest

from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.events import (
    EVENT_TYPES,
    Block,
    Bonus,
    Circle,
    ColumnDone,
    Combo,
    Confirm,
    Cross,
    Decided,
    Drop,
    Fill,
    FullRows,
    Merge,
    Milestone,
    Next,
    NextPiece,
    NextShape,
    Opening,
    Over,
    Penalty,
    Place,
    PlacePiece,
    Propose,
    Reject,
    Restart,
    Rise,
    RiseRow,
    Rows,
    Slide,
    Throw,
    TooHigh,
    UnknownEvent,
    Wave,
    read_event,
)
from tests.vectors.frames_samples import EVERY_EVENT_STEP


def test_every_type_is_read_as_its_class_and_unknown_ones_as_they_are() -> None:
    events = [read_event(body) for body in EVERY_EVENT_STEP.events]
    known = [
        Drop, Wave, Rise, Bonus, Next,
        Place, Merge, Milestone, RiseRow, NextPiece,
        PlacePiece, Propose, Confirm, Reject, TooHigh, Rows, Restart, NextShape,
        Decided, Opening, Slide, Block, Fill, Combo, ColumnDone, Circle, FullRows, Penalty, Cross, Throw,
        Over,
    ]  # fmt: skip
    assert [type(event) for event in events] == [*known, UnknownEvent]
    assert {type(event) for event in events} - {UnknownEvent} == set(EVENT_TYPES.values())
    assert events[0] == Drop(disc=1, cell=(6, 2))
    assert events[-1] == UnknownEvent(body=EVERY_EVENT_STEP.events[-1])


def test_the_table_of_types_has_each_class_under_its_tag() -> None:
    assert {name: kind.__struct_config__.tag for name, kind in EVENT_TYPES.items()} == {
        name: name for name in EVENT_TYPES
    }


def test_a_later_version_may_add_fields() -> None:
    assert read_event({"type": "rise", "points": 17_000, "colour": "green"}) == Rise(points=17_000)


@pytest.mark.parametrize("body", [{}, {"type": None}, {"type": ["drop"]}, {"disc": 3}])
def test_a_body_without_a_known_type_is_unknown(body: dict[str, object]) -> None:
    assert read_event(body) == UnknownEvent(body=body)


def test_a_known_type_with_wrong_fields_is_refused_naming_the_field() -> None:
    with pytest.raises(ProtocolError) as caught:
        read_event({"type": "drop", "disc": 3, "cell": [5, "left"]})
    assert (caught.value.code, caught.value.field) == (ErrorCode.INVALID, "cell.1")


def test_events_are_written_as_they_are_read() -> None:
    for body in EVERY_EVENT_STEP.events[:-1]:
        assert msgspec.json.decode(msgspec.json.encode(read_event(body))) == body
