"""Merge-drop: the game of docs/rules/merge-drop.md."""

from samedrop_rules.merge_drop.game import MergeDrop

__all__ = ["MergeDrop"]
