from __future__ import annotations

from samedrop_rules.dice_drop.combos import Combo
from samedrop_rules.dice_drop.sheet import Sheet
from samedrop_rules.dice_drop.turn import play_turn
from tests.rules.dice_drop.positions import drop, new_table, sheet_of, thrown

END = (
    ".......", ".......", ".....43", ".....66", "4412666", "5441471", "6446777",
    "123X322", "44XXX12", "455X.22", "5556422", "5275.56", "XXX2341", "X.X123.",
)  # fmt: skip
"""An end position, from the top."""
COMBOS = {
    ("identical", 3): "05 15 04",
    ("identical", 4): "58 47 57 67",
    ("identical", 5): "09 19 18 28 17",
    ("identical", 6): "14 24 03 13 23 02",
    ("identical", 7): "56 66 65 54 64 53 63",
    ("consecutive", 4): "06 16 26 27",
    ("consecutive", 6): "30 31 41 51 52 62",
}
"""Done on it: column and row from the bottom."""


def test_the_end_position_is_worth_54() -> None:
    sheet = sheet_of(*END)
    sheet.grid[2] = ["."] * 7
    sheet.heights = [min(height, 11) for height in sheet.heights]
    for (kind, size), cells in COMBOS.items():
        named = [(13 - int(cell[1]), int(cell[0])) for cell in cells.split()]
        assert size in sheet.open_sizes[kind]
        found = combo(sheet, kind, named)
        sheet.score_combo(found)
        sheet.score += 10 if sheet.all_done(kind) and size == 7 else 0
    assert sheet.all_done("identical")
    assert not sheet.all_done("consecutive")
    assert sheet.score == 25 + 10 + 10
    # The last drop brings the two cells above the line, and all rows are counted.
    sheet.grid[2] = list(END[2])
    assert sheet.full_rows() == [4, 5, 6, 7, 8, 10, 12]
    assert sheet.rows_above() == [2]
    assert sheet.score + 2 * len(sheet.full_rows()) - 5 * len(sheet.rows_above()) == 54


def combo(sheet: Sheet, kind: str, cells: list[tuple[int, int]]) -> Combo:
    from samedrop_rules.dice_drop.combos import read_combo

    found = read_combo(sheet.grid, sheet.used, kind, cells)
    assert found is not None, (kind, cells)
    return found


def test_a_perfect_game_is_worth_100() -> None:
    """All rows below the line, every size of both kinds, and size 8."""
    sheet = sheet_of(*["1" * 7] * 11)
    rows = [(row, column) for row in range(3, 14) for column in range(7)]
    for kind in ("identical", "consecutive"):
        for size in range(3, 8):
            cells, rows = rows[:size], rows[size:]
            sheet.score_combo(Combo(kind, tuple(cells)))
        assert sheet.all_done(kind)
        sheet.score += 10
    sheet.score_combo(Combo("identical", tuple(rows[:8])))
    assert sheet.open_sizes == {"identical": [], "consecutive": []}
    assert sheet.score + 2 * len(sheet.full_rows()) == 100
    assert sheet.rows_above() == []


def test_a_copy_is_its_own() -> None:
    sheet = sheet_of("1234567", solo=True)
    other = sheet.copy()
    assert other.shown() == sheet.shown()
    play_turn(other, thrown("1457", "I")._replace(throw=None, phase="opening"), 0, {"column": 0, "numbers": []})
    assert sheet.grid[12] == ["."] * 7
    assert other.tiles is not sheet.tiles
    assert other.shown() != sheet.shown()


def test_what_is_seen_is_the_sheet() -> None:
    table = new_table()
    throw = table.now.throw
    assert throw is not None
    move = table.default(0)
    assert move is not None
    table.play(0, move)
    seen = Sheet.seen(table.view(0))
    assert seen.shown() == table.sheets[0].shown()
    assert seen.heights == table.sheets[0].heights
    assert drop(0, "1457")["numbers"] == [1, 4, 5, 7]


def test_holes() -> None:
    sheet = sheet_of("11.....", ".1.....", "11.....")
    assert sheet.holes() == 1
    assert sheet.heights == [3, 3, 0, 0, 0, 0, 0]
