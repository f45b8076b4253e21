"""Following discs by events."""

from __future__ import annotations

from samedrop_rules import Event
from samedrop_rules.discs.follow import follow_discs


def after(text: str, event: Event) -> str:
    board = list(text.rjust(49, "0"))
    follow_discs(board, event)
    return "".join(board).lstrip("0")


def test_a_drop() -> None:
    assert after("2000000", {"type": "drop", "disc": 5, "cell": [6, 3]}) == "2005000"


def test_a_rise() -> None:
    assert after("2000009", {"type": "rise", "points": 0}) == "2000009" + "8888888"


def test_a_wave_clears_cracks_opens_and_then_lets_fall() -> None:
    wave: Event = {
        "type": "wave",
        "cleared": [[6, 1, 3], [6, 3, 3]],
        "cracked": [[6, 2]],
        "revealed": [[6, 0, 4]],
        "falls": [[4, 1, 5], [5, 1, 6]],
    }
    assert after("0100000" + "0200000" + "9383000", wave) == "100000" + "4290000"


def test_other_events_change_nothing() -> None:
    assert after("2000000", {"type": "next", "disc": 1, "clock": 2}) == "2000000"
