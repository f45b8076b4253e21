"""Number-drop: the game of docs/rules/number-drop.md."""

from samedrop_rules.number_drop.game import NumberDrop

__all__ = ["NumberDrop"]
