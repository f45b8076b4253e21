"""Following the events must give what the table itself shows."""

from __future__ import annotations

import copy

import pytest

from samedrop_rules import Cursor, Ended, Table, find_game
from samedrop_rules.drop7 import Drop7

GAME = Drop7()


def assert_followed(table: Table, seed: str) -> None:
    """Play to the end at random, following the events from the first view on."""
    view = table.view(0)
    cursor = Cursor(seed, "test")
    while moves := table.legal(0):
        before, kept = view, copy.deepcopy(view)
        step = table.play(0, moves[cursor.below(len(moves))])
        view = GAME.follow(view, step.events)
        assert view == table.view(0)
        assert before == kept, "the old view must stay as it was"


@pytest.mark.parametrize("options", [{}, {"latent": True}, {"start_rows": 0}, {"drops_per_rise": 1}, {"start_rows": 6}])
@pytest.mark.parametrize("seed", [f"follow {number}" for number in range(20)])
def test_following_equals_the_view_after_every_move(seed: str, options: dict[str, object]) -> None:
    assert_followed(GAME.table(GAME.deal(options, seed=seed), 1), seed)


@pytest.mark.parametrize("discs", [1, 2, 5, 30])
@pytest.mark.parametrize("number", range(7))
@pytest.mark.parametrize("rows", [0, 1, 2])
def test_following_a_tape_that_runs_out(discs: int, number: int, rows: int) -> None:
    # Whether it is the discs or the hidden numbers that run out, and whether before or after a rise.
    tape = {
        "discs": [(number + place) % 7 + 1 for place in range(discs)],
        "latent_rows": [[(number + column) % 7 + 1 for column in range(7)]] * rows,
    }
    assert_followed(GAME.table(GAME.deal({"drops_per_rise": 2}, tape=tape), 1), f"{discs} {number} {rows}")


def test_following_a_drop_limit() -> None:
    assert_followed(GAME.table(GAME.deal({}, seed="limit"), 1, drop_limit=7), "limit")


def test_following_a_stop() -> None:
    table = GAME.table(GAME.deal({}, seed="stop"), 1)
    view = GAME.follow(table.view(0), table.play(0, {"column": 3}).events)
    view = GAME.follow(view, table.stop(0, Ended.FORFEIT).events)
    assert view == table.view(0)
    assert view["ended"] == "forfeit"


def test_several_steps_at_once_are_as_one_by_one() -> None:
    table = GAME.table(GAME.deal({"drops_per_rise": 1}, seed="many"), 1)
    first = table.view(0)
    events = [event for column in (0, 1, 2) for event in table.play(0, {"column": column}).events]
    assert GAME.follow(first, events) == table.view(0)


def test_an_unknown_event_changes_nothing() -> None:
    view = GAME.table(GAME.deal({}, seed="new"), 1).view(0)
    assert GAME.follow(view, [{"type": "confetti", "colour": "red"}]) == view


def test_the_registered_game_follows() -> None:
    game = find_game("drop7")
    view = game.table(game.deal({}, seed="registered"), 1).view(0)
    assert game.follow(view, []) == view
