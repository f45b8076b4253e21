from __future__ import annotations

import json

import msgpack
import pytest

from samedrop_protocol.codec import JSON, MSGPACK
from samedrop_rules import Ended, Entry
from samedrop_rules import Step as Decided
from samedrop_server.matches.steps import Step, move_text
from samedrop_server.storage.records import Logged

EVENTS: list[dict[str, object]] = [{"type": "drop", "disc": 5, "cell": [6, 3]}, {"type": "next", "disc": 4, "clock": 3}]


def step(move: dict[str, object] | None, ended: Ended | None = None, request: str | None = "r1") -> Step:
    return Step(7, 1, 3, move, Decided(EVENTS, (16, 0, 0)), 1500, 46, "00ff", ended, request)


def test_a_step_is_the_same_in_both_codecs() -> None:
    made = step({"column": 3})
    packed, text = made.encoded(MSGPACK), made.encoded(JSON)
    assert isinstance(packed, bytes)
    assert isinstance(text, str)
    body = msgpack.unpackb(packed)
    assert body == json.loads(text)
    assert body == {
        "seat": 1, "turn": 3, "at": 1500, "score": 46, "digest": "00ff", "events": EVENTS, "move": {"column": 3},
        "id": "r1",
    }  # fmt: skip
    assert made.encoded(MSGPACK) is packed
    assert made.encoded(JSON) is text


def test_a_stop_has_no_move_and_keeps_the_turn() -> None:
    made = step(None, Ended.FORFEIT, None)
    body = msgpack.unpackb(made.encoded(MSGPACK))
    assert body["stopped"] == "forfeit"
    assert {"move", "id"}.isdisjoint(body)
    assert (made.progress().turn, made.progress().ended) == (3, "forfeit")
    assert step({"column": 3}).progress().turn == 4


@pytest.mark.parametrize(
    ("made", "entry"),
    [
        (step({"column": 3}), Entry(1, 3, {"column": 3}, None, 1500, 46, "00ff")),
        (step({"column": 3}, Ended.RULES), Entry(1, 3, {"column": 3}, None, 1500, 46, "00ff")),
        (step(None, Ended.TIME), Entry(1, 3, None, Ended.TIME, 1500, 46, "00ff")),
    ],
)
def test_what_is_stored_and_what_is_replayed_agree(made: Step, entry: Entry) -> None:
    assert made.entry() == entry
    stopped = None if entry.stopped is None else entry.stopped.value
    move = None if entry.move is None else move_text(entry.move)
    assert made.logged("m1") == Logged("m1", 7, 1, 3, "r1", move, stopped, 1500, 46, "00ff")


def test_a_move_has_one_text() -> None:
    assert move_text({"rotation": 1, "column": 2}) == move_text({"column": 2, "rotation": 1})
