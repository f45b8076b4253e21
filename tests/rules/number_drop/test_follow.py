"""Following the events must give what the table itself shows."""

from __future__ import annotations

import copy

import pytest

from samedrop_rules import Cursor, Ended
from samedrop_rules.number_drop import NumberDrop

GAME = NumberDrop()


@pytest.mark.parametrize("options", [{}, {"latent": True}, {"mode": "sequence"}, {"start_discs": 7}])
@pytest.mark.parametrize("limit", [None, 30, 31, 55])
@pytest.mark.parametrize("seed", [f"follow {number}" for number in range(6)])
def test_following_equals_the_view_after_every_move(seed: str, options: dict[str, object], limit: int | None) -> None:
    table = GAME.table(GAME.deal(options, seed=seed), 1, limit)
    view = table.view(0)
    cursor = Cursor(seed, "test")
    while moves := table.legal(0):
        before, kept = view, copy.deepcopy(view)
        step = table.play(0, moves[cursor.below(len(moves))])
        view = GAME.follow(view, step.events)
        assert view == table.view(0)
        assert before == kept, "the old view must stay as it was"


@pytest.mark.parametrize("drops", [0, 1, 29, 30, 31])
def test_following_a_stop(drops: int) -> None:
    table = GAME.table(GAME.deal({}, seed="stop"), 1)
    view = table.view(0)
    for turn in range(drops):
        moves = table.legal(0)
        view = GAME.follow(view, table.play(0, moves[turn % len(moves)]).events)
    view = GAME.follow(view, table.stop(0, Ended.FORFEIT).events)
    assert view == table.view(0)
    assert view["ended"] == "forfeit"


def test_what_is_not_known_changes_nothing() -> None:
    view = GAME.table(GAME.deal({}, seed="new"), 1).view(0)
    assert GAME.follow(view, [{"type": "sparkle"}]) == view
