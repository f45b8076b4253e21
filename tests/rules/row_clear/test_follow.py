from __future__ import annotations

from samedrop_rules import Ended, Move
from samedrop_rules.row_clear import RowClear
from samedrop_rules.row_clear.follow import follow

GAME = RowClear()


def test_a_whole_attempt_of_a_team_can_be_followed() -> None:
    table = GAME.table(GAME.deal({"team": 2, "queue": "seeded"}, seed="friday"), 1)
    view = table.view(0)
    moves: list[Move] = [
        {"rotation": 1, "column": 0, "by": 0},
        {"reject": "lay it", "by": 1},
        {"rotation": 0, "column": 0, "by": 0},
        {"confirm": True, "by": 1},
        {"rotation": 1, "column": 5, "by": 1},
        {"restart": True, "by": 0},
        {"rotation": 1, "column": 2, "by": 0},
    ]
    for move in moves:
        view = follow(view, table.play(0, move).events)
        assert view == table.view(0)
    view = follow(view, table.stop(0, Ended.FORFEIT).events)
    assert view == table.view(0)


def test_events_of_later_versions_change_nothing() -> None:
    view = GAME.table(GAME.deal({}, seed="friday"), 1).view(0)
    assert follow(view, [{"type": "sparkle"}]) == view
