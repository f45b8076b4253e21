from __future__ import annotations

from samedrop_rules import Ended
from samedrop_rules.dice_drop.follow import follow
from tests.rules.dice_drop.positions import new_table


def test_a_match_with_blocks_and_a_stop_can_be_followed_by_all() -> None:
    table = new_table(4, seed="blocks")
    table.sheets[2].circled = {"A", "C"}
    table.sheets[3].circled = {"B"}
    views = [table.view(seat) for seat in range(4)]
    blocks = 0
    for number in range(12):
        for seat in range(4):
            if not table.due(seat):
                continue
            move = table.default(seat)
            assert move is not None
            step = table.stop(seat, Ended.FORFEIT) if number == 8 and seat == 3 else table.play(seat, move)
            views = [follow(view, step.events) for view in views]
            assert views == [table.view(one) for one in range(4)]
            blocks += any(event["type"] == "block" for event in step.events)
    assert blocks


def test_events_of_later_versions_change_nothing() -> None:
    view = new_table().view(0)
    assert follow(view, [{"type": "sparkle"}, {"type": "glow", "seat": 0}]) == view
