"""The column of a move: as it travels, and as people type it."""

from __future__ import annotations

import pytest

from samedrop_rules import InvalidMove
from samedrop_rules.discs.move import parse_column, read_column


@pytest.mark.parametrize("column", range(7))
def test_columns(column: int) -> None:
    assert read_column({"column": column, "other": "ignored"}) == column
    assert parse_column(str(column + 1)) == {"column": column}


@pytest.mark.parametrize("move", [{}, None, 3, [], "3", {"column": None}, {"column": True}, {"column": 3.0}])
def test_what_is_no_move(move: object) -> None:
    with pytest.raises(InvalidMove) as refused:
        read_column(move)  # type: ignore[arg-type]
    assert refused.value.field == "move.column"


@pytest.mark.parametrize("column", [-1, 7, 10**30])
def test_columns_off_the_board(column: int) -> None:
    with pytest.raises(InvalidMove, match="0 to 6"):
        read_column({"column": column})
