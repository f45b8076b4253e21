"""Says in plain words what is wrong with a field, for somebody who writes a client and is tired.

The validator finds the fault; here its path is looked up in the message class, which knows what would be right.
"""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct, ValidationError, inspect

from samedrop_protocol.errors import ErrorCode, ProtocolError
from samedrop_protocol.plain import shown
from samedrop_protocol.types import MAX_WHOLE

_PLACE = re.compile(r" - at `\$(?P<path>[^`]*)`$")
_MISSING = re.compile(r"^Object missing required field `(?P<name>[^`]*)`")
_PART = re.compile(r"\.(?P<name>\w+)|\[(?P<index>\d+)\]")
_SOME_VALUE = "[...]"
"""The validator's way to say: one of the values of this map."""
_type_info = cache(inspect.type_info)


def explain(error: ValidationError, message: type[Struct], tree: object) -> ProtocolError:
    """The validator's `error` about `tree`, which was to be a `message`, as INVALID with field and plain words."""
    text = str(error)
    place = _PLACE.search(text)
    missing = _MISSING.match(text)
    path = [part["name"] or part["index"] for part in _PART.finditer(place["path"])] if place else []
    if missing:
        path.append(missing["name"])
    wanted, value = _look_up(path, _type_info(message), tree)
    field = ".".join(path)
    if missing:
        words = f"Field {field} is missing: it must be {wanted}."
    elif place and place["path"].endswith(_SOME_VALUE):
        words = f"A value in {field} is of the wrong kind: {field} must be {wanted}."
    else:
        words = f"Field {field} must be {wanted}, {shown(value)} is not."
    return ProtocolError(ErrorCode.INVALID, words, field=field)


def _look_up(path: list[str], kind: inspect.Type, value: object) -> tuple[str, object]:
    """What the class wants at `path`, in words, and what the message has there."""
    for name in path:
        kind = _container(kind)
        if isinstance(kind, inspect.StructType):
            kind = next(field.type for field in kind.fields if field.encode_name == name)
            value = value.get(name) if isinstance(value, dict) else None
        elif isinstance(kind, inspect.ListType | inspect.VarTupleType) and isinstance(value, list):
            kind, value = kind.item_type, value[int(name)]
        elif isinstance(kind, inspect.TupleType) and isinstance(value, list):
            kind, value = kind.item_types[int(name)], value[int(name)]
    return _words(kind), value


def _container(kind: inspect.Type) -> inspect.Type:
    """The type itself, without its notes and without "or null"."""
    if isinstance(kind, inspect.Metadata):
        return _container(kind.type)
    if isinstance(kind, inspect.UnionType):
        return next(_container(part) for part in kind.types if not isinstance(part, inspect.NoneType))
    return kind


def _words(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata():
            return _words(kind.type)
        case inspect.UnionType():
            return " or ".join(_words(part) for part in kind.types if not isinstance(part, inspect.NoneType))
        case inspect.IntType():
            return "a whole number" + _range(kind)
        case inspect.FloatType():
            return "a number"
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType():
            return "a text" + _length(kind, "characters")
        case inspect.EnumType():
            return "one of " + ", ".join(member.value for member in kind.cls)
        case inspect.ListType() | inspect.TupleType() | inspect.VarTupleType():
            return "a list" + ("" if isinstance(kind, inspect.TupleType) else _length(kind, "items"))
        case inspect.DictType(value_type=inspect.UnionType() as values):
            return f"a map whose values are each {_words(values)}"
        case _:
            return "a map"


def _range(kind: inspect.IntType) -> str:
    low = kind.ge
    high = kind.le if kind.lt is None else kind.lt - 1
    if low is None or low == -MAX_WHOLE:
        return ""
    return f" of {low} or more" if high is None or high == MAX_WHOLE else f" from {low} to {high}"


def _length(kind: inspect.StrType | inspect.ListType | inspect.VarTupleType, what: str) -> str:
    if kind.max_length is None:
        return ""
    return (
        f" of {kind.min_length} to {kind.max_length} {what}"
        if kind.min_length
        else f" of at most {kind.max_length} {what}"
    )
