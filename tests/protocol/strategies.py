"""Hypothesis strategies for all message classes, made from what the classes say of their fields."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from msgspec import UNSET, Struct, inspect

from samedrop_protocol.types import MAX_WHOLE

WHOLE = st.integers(-MAX_WHOLE, MAX_WHOLE)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SCALARS = st.none() | st.booleans() | WHOLE | TEXT | st.floats(allow_nan=False, allow_infinity=False)
FLAT = st.lists(SCALARS, max_size=3) | st.dictionaries(TEXT, SCALARS, max_size=3)
PLAIN = SCALARS | FLAT | st.lists(FLAT, max_size=2) | st.dictionaries(TEXT, FLAT, max_size=2)
"""Values that may travel, at most two maps or lists deep."""


@cache
def messages(kind: type[Struct]) -> st.SearchStrategy[Struct]:
    """Valid instances of a message class; fields with a default are sometimes left out."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return _struct(info)


def _struct(info: inspect.StructType) -> st.SearchStrategy[Struct]:
    required = {field.name: _values(field.type) for field in info.fields if field.required}
    optional = {field.name: _values(field.type) for field in info.fields if not field.required}
    return st.fixed_dictionaries(required, optional=optional).map(lambda fields: info.cls(**fields))


def _values(kind: inspect.Type) -> st.SearchStrategy[object]:
    match kind:
        case inspect.Metadata():
            return _values(kind.type)
        case inspect.UnionType():
            return st.one_of([_values(part) for part in kind.types])
        case inspect.IntType():
            high = kind.le if kind.lt is None else kind.lt - 1
            return st.integers(-MAX_WHOLE if kind.ge is None else kind.ge, MAX_WHOLE if high is None else high)
        case inspect.StrType():
            characters = st.characters(exclude_categories=["Cs"])
            return st.text(characters, min_size=kind.min_length or 0, max_size=min(kind.max_length or 20, 20))
        case inspect.ListType():
            return st.lists(_values(kind.item_type), min_size=kind.min_length or 0, max_size=3)
        case inspect.TupleType():
            return st.tuples(*map(_values, kind.item_types))
        case inspect.DictType():
            return st.dictionaries(TEXT, _values(kind.value_type), max_size=3)
        case inspect.EnumType():
            return st.sampled_from(list(kind.cls))
        case inspect.StructType():
            return _struct(kind)
        case inspect.FloatType():
            return st.floats(allow_nan=False, allow_infinity=False)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.AnyType():
            return PLAIN
        case _:
            return st.just(UNSET)
