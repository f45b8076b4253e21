"""Dice-drop: the game of docs/rules/dice-drop.md."""

from samedrop_rules.dice_drop.game import DiceDrop

__all__ = ["DiceDrop"]
