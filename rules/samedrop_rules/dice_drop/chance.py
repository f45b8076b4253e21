"""Throws and blocks of a dice-drop deal (docs/rules/dice-drop.md, Dice and Chance)."""

from __future__ import annotations

from typing import NamedTuple

from samedrop_rules.deal import Deal

DICE = ("13457*", "12456*", "23467*", "123567")
STAR = "*"
LETTERS = "ABCDE"
SHAPE_DIE = {"four": "IOTL", "five": "IOTLS"}
_BLOCKS = ("V3", "I3", "U5", "X5", "T5")
_TILES = ("S", "O", "T", "I", "L")


class Throw(NamedTuple):
    """Faces of the four number dice, and of the shape die; ``*`` is the star."""

    dice: str
    shape: str

    @property
    def starred(self) -> bool:
        """Whether some die shows the star."""
        return STAR in self.dice or self.shape == STAR


class Chance:
    """All that chance decides in a deal.

    Attributes:
        shapes: those of the shape die.
        blocks: the shape of each letter.
    """

    def __init__(self, deal: Deal) -> None:
        self.shapes = SHAPE_DIE[str(deal.options["shapes"])]
        dealt = deal.cursor("blocks").shuffle(_TILES if deal.options["solo"] else _BLOCKS)
        self.blocks = dict(zip(LETTERS, dealt, strict=True))
        self._cursor = deal.cursor("dice")
        self._thrown: list[Throw] = []

    def throw(self, k: int) -> Throw:
        """Throw k, from 0."""
        faces = self.shapes + STAR
        while k >= len(self._thrown):
            dice = "".join(die[self._cursor.below(len(die))] for die in DICE)
            self._thrown.append(Throw(dice, faces[self._cursor.below(len(faces))]))
        return self._thrown[k]
