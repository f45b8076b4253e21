"""Following the events must give what the table itself shows."""

from __future__ import annotations

import copy

import pytest

from samedrop_rules import Cursor, Ended
from samedrop_rules.merge_drop import MergeDrop

GAME = MergeDrop()


@pytest.mark.parametrize("limit", [None, 8, 9])
@pytest.mark.parametrize("seed", [f"follow {number}" for number in range(20)])
def test_following_equals_the_view_after_every_move(seed: str, limit: int | None) -> None:
    table = GAME.table(GAME.deal({}, seed=seed), 1, limit)
    view = table.view(0)
    cursor = Cursor(seed, "test")
    while moves := table.legal(0):
        before, kept = view, copy.deepcopy(view)
        step = table.play(0, moves[cursor.below(len(moves))])
        view = GAME.follow(view, step.events)
        assert view == table.view(0)
        assert before == kept, "the old view must stay as it was"


@pytest.mark.parametrize("placed", [0, 7, 8])
def test_following_a_stop(placed: int) -> None:
    table = GAME.table(GAME.deal({}, seed="stop"), 1)
    view = table.view(0)
    for turn in range(placed):
        view = GAME.follow(view, table.play(0, {"column": turn % 5, "rotation": 0}).events)
    view = GAME.follow(view, table.stop(0, Ended.FORFEIT).events)
    assert view == table.view(0)
    assert (view["ended"], view["piece"]) == ("forfeit", [])


def test_what_is_not_known_changes_nothing() -> None:
    view = GAME.table(GAME.deal({}, seed="new"), 1).view(0)
    assert GAME.follow(view, [{"type": "sparkle"}]) == view
