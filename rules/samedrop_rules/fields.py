"""Reading decoded JSON field by field: each wrong one is named by its way from the top, as in ``log[3].seat``.

What the fields mean is the caller's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from samedrop_rules.errors import InvalidInput

MAX_WHOLE = 2**53 - 1
MAX_WORD = 64
"""Characters of a word, at most."""


class Fields:
    """One object of decoded JSON. Keys that nobody asks for are ignored.

    Attributes:
        way: where it is, as a dotted name; ``""`` at the top.
        mapping: the object itself.
    """

    def __init__(self, value: object, way: str, error: type[InvalidInput]) -> None:
        """Args: error: what is raised, here and below, where something is not as it must be."""
        self.way = way
        self._error = error
        if not isinstance(value, Mapping):
            raise error(f"{way or 'The whole'} must be an object.", way)
        self.mapping: Mapping[str, object] = value

    def refuse(self, name: str, must: str) -> NoReturn:
        """Refuse the field: `must` says what it must be."""
        way = self._way(name)
        raise self._error(f"{way} {must}.", way)

    def fields(self, name: str) -> Fields:
        """The object in that field."""
        return Fields(self.mapping.get(name), self._way(name), self._error)

    def list_of_fields(self, name: str, least: int, most: int) -> list[Fields]:
        """The objects in the list of that field."""
        items = self.mapping.get(name)
        if not isinstance(items, list | tuple) or not least <= len(items) <= most:
            amount = f"{least}" if least == most else f"{least} to {most}"
            self.refuse(name, f"must be a list of {amount} objects")
        return [Fields(item, f"{self._way(name)}[{index}]", self._error) for index, item in enumerate(items)]

    def word(self, name: str) -> str:
        """A text of 1 to 64 characters, none of them a control character."""
        word = self.mapping.get(name)
        if not isinstance(word, str) or not 1 <= len(word) <= MAX_WORD or not _is_plain(word):
            self.refuse(name, f"must be a text of 1 to {MAX_WORD} characters")
        return word

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """One of these texts."""
        chosen = self.mapping.get(name)
        if not isinstance(chosen, str) or chosen not in choices:
            self.refuse(name, "must be one of " + ", ".join(choices))
        return chosen

    def whole(self, name: str, least: int = 0, most: int = MAX_WHOLE) -> int:
        """A whole number in that range."""
        number = self.mapping.get(name)
        if type(number) is not int or not least <= number <= most:
            self.refuse(name, f"must be a whole number from {least} to {most}")
        return number

    def whole_or_none(self, name: str, least: int, most: int) -> int | None:
        """A whole number in that range, or null or absent."""
        return None if self.mapping.get(name) is None else self.whole(name, least, most)

    def switch(self, name: str) -> bool:
        """True or false."""
        value = self.mapping.get(name)
        if not isinstance(value, bool):
            self.refuse(name, "must be true or false")
        return value

    def _way(self, name: str) -> str:
        return f"{self.way}.{name}" if self.way else name


def _is_plain(word: str) -> bool:
    return not any(character < " " or character == "\x7f" or "\ud800" <= character <= "\udfff" for character in word)
