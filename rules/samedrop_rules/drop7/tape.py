"""Tapes of drop7: every number of a deal written out.

Two JSON forms are read; both become the first, in which tapes are kept:

- ``{"discs": [3, 1, …], "latent_rows": [[2, 7, 1, 1, 4, 5, 3], …], "maximum_moves": 500}``, the last one null or left
  out where there is no such limit;
- a ``drop7-scripted-round-v1`` file of the research community as it is: ``discs``, ``latentRows``, ``maximumMoves``
  beside its ``format``, ``id``, ``name`` and ``generatorSeedHex``.

Other keys are ignored. Row 0 is the first laid of the opening rows.
"""

from __future__ import annotations

from collections.abc import Mapping

from samedrop_rules.discs.tables import SIZE
from samedrop_rules.errors import InvalidTape

SCRIPTED_ROUND = "drop7-scripted-round-v1"
MAXIMUM_DISCS = 100_000
MAXIMUM_ROWS = 20_000

_NAMES = ("discs", "latent_rows", "maximum_moves")
_SCRIPTED_NAMES = ("discs", "latentRows", "maximumMoves")


def read_tape(tape: object) -> dict[str, object]:
    """The normal form of a tape in either form.

    Raises:
        InvalidTape: the field names the part at fault, as in ``tape.discs[3]``.
    """
    if not isinstance(tape, Mapping):
        raise InvalidTape("A tape must be an object with discs and latent_rows.", "tape")
    form = tape.get("format")
    if form not in (None, SCRIPTED_ROUND):
        raise InvalidTape(f"A tape's format must be {SCRIPTED_ROUND} or left out.", "tape.format")
    discs, rows, moves = _NAMES if form is None else _SCRIPTED_NAMES
    return {
        "discs": _read_numbers(tape.get(discs), f"tape.{discs}", 1, MAXIMUM_DISCS),
        "latent_rows": _read_rows(tape.get(rows, []), f"tape.{rows}"),
        "maximum_moves": _read_moves(tape.get(moves), f"tape.{moves}"),
    }


def _read_rows(rows: object, field: str) -> list[list[int]]:
    if not isinstance(rows, list | tuple) or len(rows) > MAXIMUM_ROWS:
        raise InvalidTape(f"There must be a list of at most {MAXIMUM_ROWS} rows here.", field)
    return [_read_numbers(row, f"{field}[{index}]", SIZE, SIZE) for index, row in enumerate(rows)]


def _read_numbers(numbers: object, field: str, least: int, most: int) -> list[int]:
    if not isinstance(numbers, list | tuple) or not least <= len(numbers) <= most:
        amount = str(most) if least == most else f"{least} to {most}"
        raise InvalidTape(f"There must be a list of {amount} numbers here.", field)
    for index, number in enumerate(numbers):
        if type(number) is not int or not 1 <= number <= SIZE:
            raise InvalidTape(f"A disc is a whole number from 1 to {SIZE}.", f"{field}[{index}]")
    return list(numbers)


def _read_moves(moves: object, field: str) -> int | None:
    if moves is None:
        return None
    if type(moves) is not int or not 1 <= moves <= MAXIMUM_DISCS:
        raise InvalidTape(f"The most moves must be a whole number from 1 to {MAXIMUM_DISCS}.", field)
    return moves
