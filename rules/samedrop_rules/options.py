"""Options: the settings of a game, described as data so that every client can offer and check them.

Leaves to others: settings of a match that are not part of the deal (drop limit, time limit, lockstep).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from samedrop_rules.errors import InvalidOptions

OptionValue = bool | int | str


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game. Its kind is that of `default`: switch (bool), whole number (int) or choice (str).

    Attributes:
        name: the key, in snake_case, the same in code, wire and database.
        help: one line for players.
        default: the value where nothing is said.
        minimum, maximum: inclusive bounds of a whole number.
        choices: the allowed texts of a choice.
    """

    name: str
    help: str
    default: OptionValue
    minimum: int = 0
    maximum: int = 0
    choices: tuple[str, ...] = ()

    def check(self, value: object) -> OptionValue:
        """Return `value` if it is allowed.

        Raises:
            InvalidOptions: wrong type or out of range; the text says what is allowed.
        """
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            raise self._refuse("true or false")
        if isinstance(self.default, int):
            if isinstance(value, int) and not isinstance(value, bool) and self.minimum <= value <= self.maximum:
                return value
            raise self._refuse(f"a whole number from {self.minimum} to {self.maximum}")
        if isinstance(value, str) and value in self.choices:
            return value
        raise self._refuse("one of " + ", ".join(self.choices))

    def _refuse(self, allowed: str) -> InvalidOptions:
        return InvalidOptions(f"Option {self.name} must be {allowed}.", self.name)


def read_options(options: Sequence[Option], given: Mapping[str, object]) -> dict[str, OptionValue]:
    """All options in their listed order, `given` ones checked, others at their default.

    Raises:
        InvalidOptions: an unknown name, or a value that is not allowed.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            names = ", ".join(known) or "none"
            raise InvalidOptions(f"There is no option {name!r:.40}; this game has: {names}.", str(name)[:40])
    return {name: option.check(given.get(name, option.default)) for name, option in known.items()}
