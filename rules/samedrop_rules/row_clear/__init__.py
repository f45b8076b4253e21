"""Row-clear: the game of docs/rules/row-clear.md."""

from samedrop_rules.row_clear.game import RowClear

__all__ = ["RowClear"]
