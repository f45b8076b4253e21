"""The naive dice-drop alone, on positions worked by hand, before it judges the real engine."""

from __future__ import annotations

from tests.support.naive.dice_drop import FACES, NaiveDiceDrop, NaiveSheet, every_combo, is_combo, placed

Cells = list[tuple[int, int]]


def test_the_worked_position_of_the_page() -> None:
    assert placed({}, "T", False, 1, 3) == [(11, 3), (12, 3), (13, 3), (12, 4)]
    assert placed({}, "T", False, 0, 5) is None
    assert placed({(3, 0): "X"}, "I", False, 1, 0) is None


def test_a_shape_stands_on_what_it_meets() -> None:
    grid = {(13, 1): "5"}
    assert placed(grid, "I", False, 0, 0) == [(12, 0), (12, 1), (12, 2), (12, 3)]
    assert placed(grid, "L", True, 0, 2) == [(13, 4), (13, 3), (13, 2), (12, 2)]


def test_combos_by_hand() -> None:
    row: Cells = [(13, column) for column in range(7)]
    grid = dict(zip(row, "3334567", strict=True))
    found = every_combo(grid, set())
    assert {(kind, len(cells)) for kind, cells in found} == {
        ("identical", 3), ("consecutive", 3), ("consecutive", 4), ("consecutive", 5)
    }  # fmt: skip
    assert is_combo(grid, set(), "consecutive", set(row[2:]))
    assert not is_combo(grid, {row[4]}, "consecutive", set(row[2:]))
    assert not is_combo({**grid, (13, 3): "X"}, set(), "consecutive", set(row[2:]))


def test_scores_by_hand() -> None:
    sheet = NaiveSheet()
    sheet.identical = {4, 5, 6, 7}
    sheet.put([(13, column) for column in range(7)], list("3334567"))
    sheet.combine("identical", [(13, 2), (13, 0), (13, 1)], set())
    sheet.end_of_turn()
    assert [event["type"] for event in sheet.told] == ["combo", "column_done", "full_rows"]
    assert sheet.score == 3 + 10 + 2
    sheet.put([(0, 0)], ["X"])
    sheet.end_of_turn()
    assert sheet.score == 10


def test_throws_have_faces_of_their_dice() -> None:
    game = NaiveDiceDrop("friday", 2, five=True, opening=False)
    for _ in range(30):
        assert game.throw is not None
        dice, shape = game.throw
        assert all(face in faces for face, faces in zip(dice, FACES, strict=True))
        assert shape in "IOTLS*"
        game.roll()
