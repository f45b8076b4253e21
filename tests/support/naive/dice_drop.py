"""A second dice-drop, written from docs/rules/dice-drop.md alone: slow, obvious, and sharing nothing with the engine.

A grid is a dict from (row from the top, column) to what is in the cell: ``"0"`` to ``"9"`` or ``"X"``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from tests.support.naive.deal import below, stream_bytes

Cell = tuple[int, int]
PICTURES = {
    "I": [(0, 0), (1, 0), (2, 0), (3, 0)],
    "O": [(0, 0), (1, 0), (0, 1), (1, 1)],
    "T": [(0, 0), (1, 0), (2, 0), (1, 1)],
    "L": [(0, 0), (1, 0), (2, 0), (2, 1)],
    "S": [(0, 0), (1, 0), (1, 1), (2, 1)],
    "V3": [(0, 0), (1, 0), (0, 1)],
    "I3": [(0, 0), (1, 0), (2, 0)],
    "U5": [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1)],
    "X5": [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)],
    "T5": [(0, 2), (1, 2), (2, 2), (1, 1), (1, 0)],
}
FACES = ["13457*", "12456*", "23467*", "123567"]


def placed(grid: dict[Cell, str], shape: str, mirror: bool, turns: int, column: int) -> list[Cell] | None:
    """Where the shape comes to rest: step by step from far above; None where it does not fit."""
    cells = [(-x if mirror else x, y) for x, y in PICTURES[shape]]
    for _ in range(turns):
        cells = [(y, -x) for x, y in cells]
    left = min(x for x, _ in cells)
    low = min(y for _, y in cells)
    there = [(-20 - (y - low), column + x - left) for x, y in cells]
    if any(at > 6 for _, at in there):
        return None
    while all(row + 1 <= 13 and (row + 1, at) not in grid for row, at in there):
        there = [(row + 1, at) for row, at in there]
    return there if all(row >= 0 for row, _ in there) else None


def is_combo(grid: dict[Cell, str], used: set[Cell], kind: str, cells: set[Cell]) -> bool:
    if any(cell in used or grid.get(cell, "X") == "X" for cell in cells):
        return False
    if kind == "identical":
        return len({grid[cell] for cell in cells}) == 1 and reaches_all(cells)
    path = sorted(cells, key=lambda cell: int(grid[cell]))
    numbers = [int(grid[cell]) for cell in path]
    beside = all(touch(one, other) for one, other in zip(path, path[1:], strict=False))  # noqa: RUF007
    return numbers == list(range(numbers[0], numbers[0] + len(numbers))) and beside


def touch(one: Cell, other: Cell) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def reaches_all(cells: set[Cell]) -> bool:
    """Whether one can go from any cell to all others inside the set."""
    reached = {min(cells)}
    while True:
        more = {cell for cell in cells - reached if any(touch(cell, one) for one in reached)}
        if not more:
            return reached == cells
        reached |= more


def every_combo(grid: dict[Cell, str], used: set[Cell]) -> set[tuple[str, frozenset[Cell]]]:
    """All combos of 3 to 8 cells: sets grown cell by cell."""
    free = [cell for cell, mark in grid.items() if mark != "X" and cell not in used]
    found: set[tuple[str, frozenset[Cell]]] = set()
    for kind, apart in (("identical", 0), ("consecutive", 1)):
        sets = {frozenset([cell]) for cell in free}
        for size in range(2, 9):
            sets = {
                one | {cell}
                for one in sets
                for cell in free
                if cell not in one and any(touch(cell, other) and steps(grid, cell, other) == apart for other in one)
            }
            if kind == "consecutive":
                sets = {one for one in sets if is_combo(grid, used, kind, set(one))}
            if size >= 3:
                found |= {(kind, one) for one in sets}
    return found


def steps(grid: dict[Cell, str], one: Cell, other: Cell) -> int:
    return abs(int(grid[one]) - int(grid[other]))


class NaiveSheet:
    """One player's grid and scores."""

    def __init__(self) -> None:
        self.grid: dict[Cell, str] = {}
        self.used: set[Cell] = set()
        self.identical: set[int] = set()
        self.consecutive: set[int] = set()
        self.eight = False
        self.circled: set[str] = set()
        self.rows: set[int] = set()
        self.score = 0
        self.told: list[dict[str, object]] = []

    def sizes(self, kind: str) -> set[int]:
        return self.identical if kind == "identical" else self.consecutive

    def may(self, kind: str, size: int) -> bool:
        return not self.eight if size == 8 else size not in self.sizes(kind)

    def put(self, cells: list[Cell], marks: list[str]) -> None:
        for cell, mark in zip(cells, marks, strict=True):
            assert cell not in self.grid
            self.grid[cell] = mark

    def combine(self, kind: str, cells: list[Cell], crossed: set[str]) -> None:
        size = len(cells)
        assert self.may(kind, size)
        assert is_combo(self.grid, self.used, kind, set(cells))
        ordered = sorted(cells) if kind == "identical" else sorted(cells, key=lambda cell: self.grid[cell])
        self.tell("combo", kind=kind, size=size, cells=[list(cell) for cell in ordered], points=size)
        self.used |= set(cells)
        self.score += size
        if size == 8:
            self.eight = True
            return
        self.sizes(kind).add(size)
        if self.sizes(kind) == {3, 4, 5, 6, 7}:
            self.tell("column_done", kind=kind, points=10)
            self.score += 10
        letter = " ABCDE"[size - 2]
        if size in self.identical and size in self.consecutive and letter not in crossed:
            self.circled.add(letter)
            self.tell("circle", letter=letter)

    def end_of_turn(self) -> None:
        full = [row for row in range(3, 14) if row not in self.rows and all((row, at) in self.grid for at in range(7))]
        above = [row for row in range(3) if any((row, at) in self.grid for at in range(7))]
        if full:
            self.rows |= set(full)
            self.score += 2 * len(full)
            self.tell("full_rows", rows=full, points=2 * len(full))
        if above:
            self.score -= 5 * len(above)
            self.tell("penalty", rows=above, points=-5 * len(above))

    def tell(self, type_: str, **rest: object) -> None:
        self.told.append({"type": type_, **rest})

    def above_line(self) -> bool:
        return any(row < 3 for row, _ in self.grid)

    def picture(self) -> list[str]:
        return ["".join(self.grid.get((row, column), ".") for column in range(7)) for row in range(14)]


class NaiveDiceDrop:
    """A match of some players (not solo), all of whom play to the end."""

    def __init__(self, seed: str, seats: int, five: bool, opening: bool) -> None:
        self.sheets = [NaiveSheet() for _ in range(seats)]
        self.faces = "IOTLS" if five else "IOTL"
        self.dice = stream_bytes(seed, "dice")
        shapes = ["V3", "I3", "U5", "X5", "T5"]
        stream = stream_bytes(seed, "blocks")
        for i in range(4, 0, -1):
            j = below(stream, i + 1)
            shapes[i], shapes[j] = shapes[j], shapes[i]
        self.blocks = dict(zip("ABCDE", shapes, strict=True))
        self.crossed: set[str] = set()
        self.round = 0
        self.throw: tuple[str, str] | None = None
        self.block = ""
        self.over = False
        self.told: list[dict[str, object]] = []
        if not opening:
            self.roll()

    def roll(self) -> None:
        dice = "".join(faces[below(self.dice, 6)] for faces in FACES)
        face = (self.faces + "*")[below(self.dice, len(self.faces) + 1)]
        self.throw = (dice, face)
        self.block = ""
        letters = [one for one in "ABCDE" if one not in self.crossed and any(one in s.circled for s in self.sheets)]
        if "*" in dice + face and letters:
            if all(letters[0] in sheet.circled for sheet in self.sheets):
                self.crossed.add(letters[0])
                self.told.append({"type": "cross", "letter": letters[0]})
            else:
                self.block = letters[0]

    def due(self) -> list[int]:
        if self.over:
            return []
        return [seat for seat, sheet in enumerate(self.sheets) if not self.block or self.block not in sheet.circled]

    def numbers(self) -> Iterator[tuple[int, ...]]:
        """All ways to arrange the dice, with 1 for each star."""
        assert self.throw is not None
        return iter(sorted(set(permutations([1 if face == "*" else int(face) for face in self.throw[0]]))))

    def finish_round(self) -> list[dict[str, object]]:
        """All have decided, and their sheets are as they will be: the rest of the round, and the next throw."""
        self.told = [{"seat": seat, **event} for seat, sheet in enumerate(self.sheets) for event in sheet.told]
        for sheet in self.sheets:
            sheet.told = []
        if self.block:
            self.crossed.add(self.block)
            self.told.append({"type": "cross", "letter": self.block})
        if any(sheet.above_line() for sheet in self.sheets):
            self.over = True
            self.told += [
                {"type": "over", "seat": seat, "ended": "rules", "cause": "line"} for seat in range(len(self.sheets))
            ]
            return self.told
        self.round += 1
        self.roll()
        assert self.throw is not None
        dice, shape = self.throw
        block = self.block or None
        self.told.append(
            {"type": "throw", "round": self.round, "dice": dice, "shape": shape, "block": block, "due": self.due()}
        )
        return self.told
