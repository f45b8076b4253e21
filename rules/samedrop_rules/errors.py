"""What can be wrong with what the rules are given.

The tree tells whose fault it is::

    RulesError
    ├── UnknownGame        no such game, or no such version of it
    ├── InvalidInput       malformed, whatever the position (`field` names the part)
    │   ├── InvalidOptions
    │   ├── InvalidSeed
    │   ├── InvalidTape
    │   └── InvalidMove
    └── IllegalMove        well formed, but not allowed in this position

None of them ever changes a table. Texts are written for players and shown as they are.
"""

from __future__ import annotations


class RulesError(Exception):
    """Base of everything that the rules refuse. `text` is for people."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class UnknownGame(RulesError):
    """No game of that id and version is registered."""


class InvalidInput(RulesError):
    """Malformed input; `field` is the dotted name of the part at fault, or ``""`` for the whole."""

    def __init__(self, text: str, field: str = "") -> None:
        super().__init__(text)
        self.field = field


class InvalidOptions(InvalidInput):
    """An option is unknown, of the wrong type, or out of its range."""


class InvalidSeed(InvalidInput):
    """A seed is empty, too long, or holds control characters."""


class InvalidTape(InvalidInput):
    """A tape is not of the documented form, or the game cannot be dealt from one."""


class InvalidMove(InvalidInput):
    """A move is not of the game's documented form."""


class IllegalMove(RulesError):
    """A well-formed move that the position does not allow; `field` names the part at fault."""

    def __init__(self, text: str, field: str = "") -> None:
        super().__init__(text)
        self.field = field
