"""What may travel at all: maps with text keys, lists, texts, truth values, null, whole numbers and finite numbers.

The limits hold for every value of a message, also in fields that nobody reads, so that what one side sends every
language on the other side can hold. Leaves to others: which fields a message has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from samedrop_protocol.errors import ErrorCode, MalformedFrame, ProtocolError
from samedrop_protocol.types import MAX_DEPTH, MAX_WHOLE

_SHOWN = 40
"""Characters of a wrong value that an error shows."""


def shown(value: object) -> str:
    """A value as an error text shows it: in its wire words, cut short."""
    words = {None: "null", True: "true", False: "false"}
    if value is None or isinstance(value, bool):
        return words[value]
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def unique(pairs: Sequence[tuple[object, object]]) -> dict[object, object]:
    """The map of these pairs.

    Raises:
        MalformedFrame: a key is given twice; taking either would be a guess.
    """
    table = dict(pairs)
    if len(table) == len(pairs):
        return table
    keys = [key for key, _ in pairs]
    twice = next(key for index, key in enumerate(keys) if key in keys[:index])
    raise MalformedFrame(f"The key {shown(twice)} is given twice.")


def check_plain(tree: dict[object, object]) -> None:
    """Check every value of a decoded message.

    Raises:
        MalformedFrame: a key that is no text.
        ProtocolError: INVALID, naming the field.
    """
    if _plain(tree, MAX_DEPTH):
        return
    path, wrong = _locate(tree, MAX_DEPTH)
    field = ".".join(path)
    raise ProtocolError(ErrorCode.INVALID, f"Field {field} {_complaint(wrong)}", field=field)


def _plain(container: object, depth: int) -> bool:
    """Whether a map or list, `depth` levels deep at most, holds nothing but what may travel.

    Scalars are checked in line: this runs for every message that is not known to be harmless.
    """
    if depth == 0:
        return False
    values: Iterable[object]
    if type(container) is dict:
        for key in container:
            if type(key) is not str:
                raise MalformedFrame(f"Keys must be texts, {shown(key)} is not.")
        values = container.values()
    else:
        assert type(container) is list
        values = container
    for value in values:
        kind = type(value)
        if kind is str or kind is bool or value is None:
            continue
        if isinstance(value, int):
            if not -MAX_WHOLE <= value <= MAX_WHOLE:
                return False
        elif kind is dict or kind is list:
            if not _plain(value, depth - 1):
                return False
        elif not isinstance(value, float) or value - value != 0:  # NaN and infinities give NaN
            return False
    return True


def _locate(container: dict[object, object] | list[object], depth: int) -> tuple[list[str], object]:
    """The path and the value of the first thing that `_plain` refuses in `container`."""
    items = container.items() if isinstance(container, dict) else enumerate(container)
    for key, value in items:
        if _plain([value], depth):
            continue
        if isinstance(value, dict | list) and depth > 1:
            path, wrong = _locate(value, depth - 1)
            return [str(key)[:_SHOWN], *path], wrong
        return [str(key)[:_SHOWN]], value
    raise AssertionError("there is nothing wrong")


def _complaint(wrong: object) -> str:
    if isinstance(wrong, dict | list):
        return f"is nested too deep: at most {MAX_DEPTH} maps and lists may lie inside one another."
    if isinstance(wrong, int):
        return f"must be between -{MAX_WHOLE} and {MAX_WHOLE}, {shown(wrong)} is not."
    if isinstance(wrong, float):
        return f"must be a finite number, {shown(wrong)} is not."
    return "holds bytes or an extension type, which have no place here: send text as text."
