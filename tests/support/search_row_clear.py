"""How many rows the fixed queue of row-clear allows: a search through every way of placing it.

Boards are whole numbers, a bit for each cell, row by row from the bottom. Written apart from the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tests.support.naive.row_clear import picture_of

QUEUE = "IOTLIOTLIO"
ROW = (1 << 6) - 1


@cache
def shapes(piece: str) -> list[tuple[int, int]]:
    """Mask and width of each distinct shape, from the leftmost column and lowest row."""
    found = {}
    for rotation in range(4):
        lines = list(reversed(picture_of(piece, rotation)))
        mask = sum(1 << 6 * y + x for y, line in enumerate(lines) for x, dot in enumerate(line) if dot == "#")
        found[mask] = len(lines[0])
    return sorted(found.items())


def placements(board: int, piece: str) -> Iterator[tuple[int, int, int]]:
    """Shape (its place among `shapes`), column, and the board that follows; those above row 8 end the attempt."""
    for number, (mask, width) in enumerate(shapes(piece)):
        for column in range(6 - width + 1):
            row = 12
            while row and not board & (mask << 6 * (row - 1) + column):
                row -= 1
            full = board | mask << 6 * row + column
            if full < 1 << 48:
                kept = [one for one in rows_of(full) if one != ROW]
                yield number, column, sum(one << 6 * place for place, one in enumerate(kept))


def rows_of(board: int) -> list[int]:
    return [board >> 6 * row & ROW for row in range(8)]


def every_way(queue: str) -> int:
    """The most rows that can be cleared: all boards that can come, pieces after pieces. For short queues."""
    boards, best = {0}, 0
    for used, piece in enumerate(queue, 1):
        boards = {after for before in boards for _, _, after in placements(before, piece)}
        best = max([best, *((4 * used - board.bit_count()) // 6 for board in boards)])
    return best


def find_way(target: int, queue: str = QUEUE) -> list[tuple[int, int]] | None:
    """Shape and column of each piece, so that `target` rows are cleared; None if there is no way.

    All ways are tried but those that cannot end well: what is on the board when all is placed is known beforehand, and
    of the rows that have cells now, all that will not be cleared must fit into that.
    """
    left_at_end = 4 * len(queue) - 6 * target
    if left_at_end < 0:
        return None
    hopeless: set[tuple[int, int]] = set()

    def search(used: int, board: int) -> list[tuple[int, int]] | None:
        if used == len(queue):
            return [] if board.bit_count() == left_at_end else None
        if (used, board) in hopeless:
            return None
        ways = sorted(placements(board, queue[used]), key=lambda way: way[2])
        for number, column, after in ways:
            if may_end_well(used + 1, after):
                rest = search(used + 1, after)
                if rest is not None:
                    return [(number, column), *rest]
        hopeless.add((used, board))
        return None

    def may_end_well(used: int, board: int) -> bool:
        counts = sorted(row.bit_count() for row in rows_of(board) if row)
        to_clear = target - (4 * used - board.bit_count()) // 6
        staying = len(counts) - to_clear
        return staying <= 0 or sum(counts[:staying]) <= left_at_end

    return search(0, 0)
