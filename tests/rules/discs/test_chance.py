"""Where numbers come from: streams, tapes, and what is under the gray discs."""

from __future__ import annotations

import pytest

from samedrop_rules.discs.chance import Buried, Drawn, Unknown, seed_chance, tape_chance
from samedrop_rules.discs.tables import CELL_OF, DISC, NUMBER_OF
from samedrop_rules.drop7 import Drop7

DEAL = Drop7().deal({}, seed="chance")


def grays(*cells: int) -> int:
    return sum(DISC[8][cell] for cell in cells)


def opened(discs: list[int] | None) -> list[tuple[int, int]]:
    assert discs is not None
    return [(CELL_OF[disc], NUMBER_OF[disc]) for disc in discs]


def test_a_seed_s_numbers_are_one_and_a_uniform_draw_below_seven() -> None:
    chance = seed_chance(DEAL)
    for numbers, label in ((chance.discs, "discs"), (chance.reveals, "reveals"), (chance.rows, "rows")):
        cursor = DEAL.cursor(label)
        assert [numbers[k] for k in range(100)] == [1 + cursor.below(7) for _ in range(100)]


def test_a_tape_s_numbers_are_those_written_and_then_none() -> None:
    chance = tape_chance([3, 1], [[1, 2, 3, 4, 5, 6, 7], [7, 6, 5, 4, 3, 2, 1]])
    assert [chance.discs[k] for k in range(4)] == [3, 1, 0, 0]
    assert [chance.rows[7 * g + c] for g in (0, 1) for c in (0, 6)] == [1, 7, 7, 1]
    assert chance.rows[14] == 0
    assert chance.reveals[0] == 0
    assert len(chance.discs) == 2, "asking for what is missing must not add it"


def test_drawn_numbers_are_taken_in_row_major_order() -> None:
    chance = seed_chance(DEAL)
    drawn = Drawn(chance)
    assert (drawn.reveals, drawn.rows) == (0, 0)
    board = grays(20, 23, 41)
    assert opened(drawn.open(board, board)) == [
        (20, chance.reveals[0]),
        (23, chance.reveals[1]),
        (41, chance.reveals[2]),
    ]
    assert opened(drawn.open(grays(0), board)) == [(0, chance.reveals[3])]
    assert (drawn.reveals, drawn.rows) == (0b1111, 0)


def test_buried_numbers_belong_to_their_disc() -> None:
    chance = seed_chance(DEAL)
    buried = Buried(chance)
    for _ in range(3):
        buried.lay()
    # Column 2 holds the gray discs of rows 0, 1, 2 from the top.
    column = grays(30, 37, 44)
    assert opened(buried.open(grays(37), column)) == [(37, chance.rows[7 + 2])]
    assert opened(buried.open(grays(30, 44), grays(30, 44))) == [(30, chance.rows[2]), (44, chance.rows[14 + 2])]
    assert (buried.reveals, buried.rows) == (0, 1 << 2 | 1 << 9 | 1 << 16)


def test_a_missing_buried_number_changes_nothing() -> None:
    buried = Buried(tape_chance([1], [[1] * 7]))
    buried.lay()
    buried.lay()
    column = grays(37, 44)
    assert buried.open(column, column) is None
    assert buried.rows == 0
    assert opened(buried.open(grays(37), column)) == [(37, 1)]
    assert buried.open(grays(44), grays(44)) is None


@pytest.mark.parametrize("cells", [[0], [3, 5, 48]])
def test_unknown_numbers_leave_no_disc(cells: list[int]) -> None:
    assert list(Unknown().open(grays(*cells), grays(*cells))) == []
