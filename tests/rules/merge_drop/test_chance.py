"""The numbers of a deal."""

from __future__ import annotations

import pytest

from samedrop_rules.merge_drop import MergeDrop
from samedrop_rules.merge_drop.chance import seed_chance, stage

DEAL = MergeDrop().deal({}, seed="chance")
ITEMS, WEIGHTS = [2, 4, 8, 16], [4, 3, 2, 1]


def test_stages() -> None:
    assert [stage(piece) for piece in (0, 24, 25, 49, 50, 74, 75, 100, 10_000)] == [0, 0, 1, 1, 2, 2, 3, 3, 3]


def test_pieces_are_two_weighted_draws_times_their_stage() -> None:
    chance, cursor = seed_chance(DEAL), DEAL.cursor("pieces")
    for k in range(120):
        expected = [cursor.weighted(ITEMS, WEIGHTS) * 2 ** stage(k) for _ in range(2)]
        assert chance.piece(k) == expected


def test_rows_are_six_weighted_draws_at_the_stage_of_the_piece_that_comes_next() -> None:
    chance, cursor = seed_chance(DEAL), DEAL.cursor("rows")
    for g in range(20):
        factor = 2 ** stage(8 * g + 8)
        assert chance.row(g) == [cursor.weighted(ITEMS, WEIGHTS) * factor for _ in range(6)]


@pytest.mark.parametrize("name", ["piece", "row"])
def test_changing_what_was_told_changes_no_chance(name: str) -> None:
    numbers = getattr(seed_chance(DEAL), name)
    kept = list(numbers(3))
    numbers(3).clear()
    assert numbers(3) == kept
