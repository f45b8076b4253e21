"""What can be said about a view: legal moves, the outlook, pictures, facts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from samedrop_rules import IllegalMove, InvalidMove, InvalidOptions, InvalidTape, Move, Pace, View
from samedrop_rules.merge_drop import MergeDrop
from tests.rules.merge_drop.positions import tiles_of

GAME = MergeDrop()
SEEN = GAME.table(GAME.deal({}, seed="view"), 1).view(0)


def view(*columns: Sequence[int], piece: Sequence[int] = (2, 4), clock: int = 8) -> View:
    tiles = tiles_of(*columns)
    board = [tiles[start : start + 6] for start in range(0, 72, 6)]
    return {**SEEN, "board": board, "piece": list(piece), "next": [8, 16], "clock": clock}


def points(seen: View, column: int, rotation: int = 0) -> int:
    return GAME.outlook(seen, {"column": column, "rotation": rotation})[0]


def greedy(seen: View) -> Move:
    return max(GAME.legal(seen), key=lambda move: GAME.outlook(seen, move))


def test_facts() -> None:
    assert (GAME.id, GAME.version, GAME.pace, GAME.max_seats) == ("merge-drop", 1, Pace.RACE, 16)
    assert GAME.streams == ("pieces", "rows")
    with pytest.raises(InvalidTape):
        GAME.deal({}, tape={})
    with pytest.raises(InvalidOptions):
        GAME.deal({"mode": "normal"}, seed="s")


def test_the_outlook_counts_the_chain_and_no_rise() -> None:
    assert points(view([2], piece=(4, 2)), 0) == 20
    assert points(view([2], piece=(4, 2), clock=1), 0) == 20
    assert points(view([8], piece=(4, 2)), 0) == 0


def test_ties_go_to_fewer_tiles_then_a_lower_board_then_neighbours_one_merge_away_then_to_the_left() -> None:
    assert greedy(view(piece=(2, 16))) == {"column": 0, "rotation": 0}
    assert greedy(view([], [], [], [8], piece=(2, 16))) == {"column": 1, "rotation": 0}
    assert greedy(view([32] * 1, piece=(2, 16)))["column"] == 1


def test_the_outlook_of_a_move_that_is_refused() -> None:
    with pytest.raises(InvalidMove):
        GAME.outlook(SEEN, {"column": 6, "rotation": 0})
    with pytest.raises(IllegalMove):
        GAME.outlook(SEEN, {"column": 5, "rotation": 0})
    with pytest.raises(IllegalMove):
        GAME.outlook({**SEEN, "ended": "time"}, {"column": 0, "rotation": 0})


def test_the_outlook_leaves_the_view_as_it_is() -> None:
    seen = view([2], piece=(2, 2))
    kept = {**seen, "board": [list(row) for row in seen["board"]]}  # type: ignore[attr-defined]
    GAME.outlook(seen, {"column": 0, "rotation": 1})
    assert seen == kept


def test_a_picture() -> None:
    lines = GAME.render(view([2, 1024], [], [16]))
    assert lines[0].rstrip() == "   -    -    -    -    -    -"
    assert [line.rstrip() for line in lines[10:]] == [
        "1024    .    .    .    .    .",
        "   2    .   16    .    .    .",
        "   1    2    3    4    5    6",
        "piece 2 4, then 8 16, rise in 8",
        "score 0, pieces 0",
    ]
    assert GAME.render({**SEEN, "ended": "rules", "piece": [], "next": []})[-2].strip() == "over"
