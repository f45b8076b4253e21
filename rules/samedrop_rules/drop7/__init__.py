"""Drop7, the flagship: the game of docs/rules/drop7.md."""

from samedrop_rules.drop7.game import Drop7

__all__ = ["Drop7"]
