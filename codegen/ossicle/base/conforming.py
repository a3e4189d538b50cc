"""Checks that data have the types that their dataclasses declare, for messages of other processes."""
from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

_UNIONS = (Union, types.UnionType)


@lru_cache(maxsize=None)
def _fields(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)}


def conforms(value: Any, hint: Any) -> bool:
    """Tells if a value and everything in it have the type of an annotation. If the type is neither a dataclass nor a
    collection, only the class counts. Annotated[Mapping[str, Any], KIND] is for some fields of the dataclass KIND."""
    if hint is Any or isinstance(hint, TypeVar):
        return True
    if hint in (None, types.NoneType):
        return value is None
    origin, inside = get_origin(hint), get_args(hint)
    if origin in _UNIONS:
        return any(conforms(value, one) for one in inside)
    if origin is Literal:
        return value in inside
    if origin is Annotated:  # a mapping with some fields of a dataclass
        return isinstance(value, Mapping) and all(
            name in _fields(inside[1]) and conforms(one, _fields(inside[1])[name]) for name, one in value.items())
    if origin is not None:
        return _collection_conforms(value, origin, inside)
    if is_dataclass(hint):
        return type(value) is hint and all(conforms(getattr(value, name, _ABSENT), one)
                                           for name, one in _fields(hint).items())
    if hint is float:
        return isinstance(value, (int, float))
    return isinstance(value, hint)


_ABSENT = object()


def _collection_conforms(value: Any, origin: Any, inside: tuple[Any, ...]) -> bool:
    if origin is Callable:
        return callable(value)
    if is_dataclass(origin):  # a generic one
        return conforms(value, origin)
    if not isinstance(value, origin) or isinstance(value, (str, bytes)):
        return False
    if issubclass(origin, Mapping):
        return all(conforms(key, inside[0]) and conforms(one, inside[1]) for key, one in value.items())
    if issubclass(origin, tuple) and inside[-1] is not Ellipsis:
        return len(value) == len(inside) and all(map(conforms, value, inside))
    if issubclass(origin, (list, tuple, AbstractSet)) or isinstance(value, (list, tuple)):
        return all(conforms(one, inside[0]) for one in value)
    return True
