"""Spelling out what happened: for programs and for people."""

from __future__ import annotations

import pytest

from samedrop_rules import Event
from samedrop_rules.merge_drop import MergeDrop
from samedrop_rules.merge_drop.events import describe, merge_event, place_event, summary
from samedrop_rules.merge_drop.grid import Merge
from tests.support.playing import random_log


def test_events_name_cells_by_row_and_column() -> None:
    assert place_event([66, 61], [2, 4]) == {"type": "place", "tiles": [[11, 0, 2], [10, 1, 4]]}
    assert merge_event(Merge(3, [(60, 66), (66, 66)], [(66, 8)], [(54, 60)])) == {
        "type": "merge",
        "step": 3,
        "merged": [[10, 0, 11, 0], [11, 0, 11, 0]],
        "made": [[11, 0, 8]],
        "points": 24,
        "falls": [[9, 0, 10]],
    }


def test_every_key_of_every_event_is_a_documented_one() -> None:
    keys = {
        "place": {"type", "tiles"},
        "merge": {"type", "step", "merged", "made", "points", "falls"},
        "rise_row": {"type", "numbers"},
        "next_piece": {"type", "piece", "next", "clock"},
        "over": {"type", "ended", "cause"},
    }
    game = MergeDrop()
    for seed in ("a", "b", "c"):
        for _, step in random_log(game.table(game.deal({}, seed=seed), 1), seed):
            for event in step.events:
                assert set(event) == keys[str(event["type"])]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (place_event([66, 67], [2, 4]), "placed 2 in column 1, 4 in column 2"),
        (place_event([61, 67], [2, 4]), "placed 2 and 4 in column 2"),
        (merge_event(Merge(2, [(60, 66), (66, 66)], [(66, 1024)], [])), "step 2: 2 tiles become 1024, +2,048"),
        ({"type": "milestone", "tile": 2048}, "milestone: a tile of 2048"),
        ({"type": "rise_row", "numbers": [2, 4, 2, 8, 16, 2]}, "a row rises: 2 4 2 8 16 2"),
        ({"type": "next_piece", "piece": [2, 4], "next": [8, 2], "clock": 7}, "piece 2 4, then 8 2, rise in 7"),
        ({"type": "over", "ended": "rules", "cause": "rise"}, "over: a tile was pushed into the top row"),
        ({"type": "over", "ended": "rules", "cause": "full"}, "over: no placement fits"),
        ({"type": "over", "ended": "forfeit", "cause": "forfeit"}, "over: given up"),
        ({"type": "over", "ended": "time", "cause": "another"}, "over: another"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_lines(event: Event, line: str) -> None:
    assert describe([event]) == [line]


def test_what_is_not_known_is_not_told() -> None:
    assert describe([{"type": "something new"}]) == []


PLACE = place_event([60, 67], [4, 2])
NEXT: Event = {"type": "next_piece", "piece": [2, 4], "next": [8, 2], "clock": 7}
PAIR = [(66, 66), (67, 66)]


@pytest.mark.parametrize(
    ("events", "line"),
    [
        ([PLACE, NEXT], "Placed 4 in column 1, 2 in column 2. Piece 2 4, then 8 2, rise in 7."),
        (
            [PLACE, merge_event(Merge(1, PAIR, [(66, 4)], [])), merge_event(Merge(2, PAIR, [(66, 8)], [])), NEXT],
            "Placed 4 in column 1, 2 in column 2: 4 tiles merged, greatest made 8, +20. "
            "Piece 2 4, then 8 2, rise in 7.",
        ),
        (
            [PLACE, {"type": "rise_row", "numbers": [2, 4, 2, 4, 2, 4]}, {"type": "over", "cause": "rise"}],
            "Placed 4 in column 1, 2 in column 2: a row rises: 2 4 2 4 2 4. Your run is over.",
        ),
        ([{"type": "over", "ended": "time", "cause": "time"}], "Your run is over."),
    ],
)
def test_a_placement_in_one_line(events: list[Event], line: str) -> None:
    assert summary(events) == line
