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
    seen: set[object] = set()
    for key, _ in pairs:
        if key in seen:
            break
        seen.add(key)
    raise MalformedFrame(f"The key {shown(key)} is given twice.")


def check_plain(tree: dict[object, object]) -> None:
    """Check every value of a decoded message.

    Raises:
        MalformedFrame: a key that is no text.
        ProtocolError: INVALID, naming the field.
    """
    fault = _find_fault(tree, MAX_DEPTH)
    if fault is not None:
        path, wrong = fault
        field = ".".join(path)
        raise ProtocolError(ErrorCode.INVALID, f"Field {field} {_complaint(wrong)}", field=field)


def _find_fault(container: object, depth: int) -> tuple[list[str], object] | None:
    """The path and the value of the first thing in a map or list, `depth` levels deep at most, that may not travel.

    Scalars are checked in line: this runs for every message that is not known to be harmless.
    """
    if depth == 0:
        return [], container
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
        if isinstance(value, int) and -MAX_WHOLE <= value <= MAX_WHOLE:
            continue
        if isinstance(value, float) and value - value == 0:  # NaN and infinities give NaN
            continue
        fault = _find_fault(value, depth - 1) if kind is dict or kind is list else ([], value)
        if fault is not None:
            path, wrong = fault
            return [_key_of(container, value), *path], wrong
    return None


def _key_of(container: dict[str, object] | list[object], wanted: object) -> str:
    items = container.items() if isinstance(container, dict) else enumerate(container)
    return next(str(key)[:_SHOWN] for key, value in items if value is wanted)


def _complaint(wrong: object) -> str:
    if isinstance(wrong, dict | list):
        return f"is nested too deep: at most {MAX_DEPTH} maps and lists may lie inside one another."
    if isinstance(wrong, int):
        return f"must be between -{MAX_WHOLE} and {MAX_WHOLE}, {shown(wrong)} is not."
    if isinstance(wrong, float):
        return f"must be a finite number, {shown(wrong)} is not."
    return "holds bytes or an extension type, which have no place here: send text as text."
