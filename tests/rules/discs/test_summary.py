"""A drop in one line."""

from __future__ import annotations

import pytest

from samedrop_rules import Event
from samedrop_rules.discs.summary import summary

DROP: Event = {"type": "drop", "disc": 3, "cell": [5, 3]}
NEXT: Event = {"type": "next", "disc": 6, "clock": 2}
BONUS: Event = {"type": "bonus", "reason": "clear", "points": 70_000}


def wave(number: int, *, cleared: int, cracked: int = 0, opened: int = 0, points: int) -> Event:
    return {
        "type": "wave",
        "wave": number,
        "cleared": [[0, 0, 1]] * cleared,
        "cracked": [[0, 0]] * cracked,
        "revealed": [[0, 0, 1]] * opened,
        "points": points,
        "falls": [],
    }


@pytest.mark.parametrize(
    ("events", "line"),
    [
        ([DROP, NEXT], "Dropped 3 in column 4. Rise in 2. Next 6."),
        (
            [DROP, wave(1, cleared=2, points=14), wave(2, cleared=3, opened=1, points=124), NEXT],
            "Dropped 3 in column 4: 2 waves, 5 cleared, 1 opened, +138. Rise in 2. Next 6.",
        ),
        (
            [DROP, wave(1, cleared=1, cracked=2, points=7), {"type": "rise", "points": 17_000}, BONUS, NEXT],
            "Dropped 3 in column 4: 1 wave, 1 cleared, 2 cracked, the board rose, clear bonus, +87,007."
            " Rise in 2. Next 6.",
        ),
        ([DROP, {"type": "rise", "points": 0}, NEXT], "Dropped 3 in column 4: the board rose. Rise in 2. Next 6."),
        ([DROP, {"type": "over", "ended": "rules", "cause": "full"}], "Dropped 3 in column 4. Your run is over."),
        ([DROP, {"type": "confetti"}, NEXT], "Dropped 3 in column 4. Rise in 2. Next 6."),
        ([{"type": "over", "ended": "time", "cause": "time"}], "Your run is over."),
    ],
)
def test_a_drop_in_one_line(events: list[Event], line: str) -> None:
    assert summary(events) == line
