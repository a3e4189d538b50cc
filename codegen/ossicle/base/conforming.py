"""Checks that messages of other processes have the types that their dataclasses declare."""
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
    """Returns whether a value and everything in it have the type of an annotation. Of types other than dataclasses and
    collections, only the class is checked. Annotated[Mapping[str, Any], KIND] means some fields of the dataclass
    KIND."""
    if hint is Any or isinstance(hint, TypeVar):
        return True
    if hint in (None, types.NoneType):
        return value is None
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in _UNIONS:
        return any(conforms(value, member) for member in arguments)
    if origin is Literal:
        return value in arguments
    if origin is Annotated:  # a mapping with some fields of a dataclass
        return isinstance(value, Mapping) and all(
            name in _fields(arguments[1])
            and conforms(member, _fields(arguments[1])[name]) for name, member in value.items())
    if origin is not None:
        return _collection_conforms(value, origin, arguments)
    if is_dataclass(hint):
        return type(value) is hint and all(conforms(getattr(value, name, _ABSENT), member)
                                           for name, member in _fields(hint).items())
    if hint is float:
        return isinstance(value, (int, float))
    return isinstance(value, hint)


_ABSENT = object()


def _collection_conforms(value: Any, origin: Any, arguments: tuple[Any, ...]) -> bool:
    if origin is Callable:
        return callable(value)
    if is_dataclass(origin):  # a generic dataclass
        return conforms(value, origin)
    if not isinstance(value, origin) or isinstance(value, (str, bytes)):
        return False
    if issubclass(origin, Mapping):
        return all(conforms(key, arguments[0]) and conforms(item, arguments[1]) for key, item in value.items())
    if issubclass(origin, tuple) and arguments[-1] is not Ellipsis:
        return len(value) == len(arguments) and all(map(conforms, value, arguments))
    if issubclass(origin, (list, tuple, AbstractSet)) or isinstance(value, (list, tuple)):
        return all(conforms(item, arguments[0]) for item in value)
    return True
