"""Checked access to the JSON of a glTF file, which is untrusted: every getter returns the stated type or raises
ImportProblem."""
from __future__ import annotations

import json
from typing import Any

from ...model.clip import ImportProblem

REEXPORT = "the file is damaged, export it again"

# Longer lengths and later keys would overflow in products; no unit needs them.
MAX_MAGNITUDE = 1e12
_REQUIRED = object()


def parse(data: bytes) -> dict[str, Any]:
    """Parses UTF-8 JSON text and returns its root object."""
    try:
        root = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise ImportProblem(f"JSON is not UTF-8 at byte {error.start}; {REEXPORT}") from error
    except json.JSONDecodeError as error:
        raise ImportProblem(
            f"JSON error in line {error.lineno}, column {error.colno}: {error.msg}; {REEXPORT}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ImportProblem(f"JSON error: {error}; {REEXPORT}") from error
    if not isinstance(root, dict):
        raise ImportProblem(f"JSON contains {_kind(root)} instead of an object; {REEXPORT}")
    return root


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not allowed")


def integer(
    owner: dict[str, Any],
    key: str,
    where: str,
    limit: int,
    minimum: int = 0,
    default: Any = _REQUIRED,
) -> Any:
    """Returns a whole number with minimum <= value < limit, or `default` if the key is missing."""
    value = owner.get(key)
    if type(value) is int and minimum <= value < limit:  # nearly all, without a message
        return value
    if key not in owner and default is not _REQUIRED:
        return default
    return whole(_get(owner, key, where), f"{where}: {key}", limit, minimum)


def whole(value: Any, what: str, limit: int, minimum: int = 0) -> int:
    """Returns value as an int with minimum <= value < limit."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ImportProblem(f"{what} is {_kind(value)}, expected a whole number; {REEXPORT}")
    if not minimum <= value < limit:
        shown = value if abs(value) < 10**18 else "huge"
        expected = f"expected {minimum} to {limit - 1}" if minimum < limit else "but there are none"
        raise ImportProblem(f"{what} is {shown}, {expected}; {REEXPORT}")
    return value


def numbers(
    owner: dict[str, Any], key: str, where: str, default: tuple[float, ...]
) -> tuple[float, ...]:
    """Returns as many finite numbers as `default` has, or `default` if the key is missing."""
    if key not in owner:
        return default
    values = owner[key]
    if not isinstance(values, list) or len(values) != len(default):
        raise ImportProblem(f"{where}: {key} must be a list of {len(default)} numbers; {REEXPORT}")
    for value in values:
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise ImportProblem(f"{where}: {key} holds {_kind(value)}; {REEXPORT}")
        if not abs(value) <= MAX_MAGNITUDE:
            raise ImportProblem(f"{where}: {key} contains a number beyond the usable range; {REEXPORT}")
    return tuple(float(value) for value in values)


def objects(owner: dict[str, Any], key: str, where: str = "") -> list[dict[str, Any]]:
    """Returns a list of objects, which is empty if the key is missing."""
    values = items(owner, key, where)
    for number, value in enumerate(values):
        if not isinstance(value, dict):
            raise ImportProblem(
                f"{_path(where, key)} {number} is {_kind(value)}, expected an object; {REEXPORT}"
            )
    return values


def items(owner: dict[str, Any], key: str, where: str = "") -> list[Any]:
    """Returns a list of values of any type, which is empty if the key is missing."""
    values = owner.get(key, [])
    if not isinstance(values, list):
        raise ImportProblem(f"{_path(where, key)} is {_kind(values)}, expected a list; {REEXPORT}")
    return values


def mapping(owner: dict[str, Any], key: str, where: str = "") -> dict[str, Any]:
    """Returns an object, which is empty if the key is missing."""
    value = owner.get(key, {})
    if not isinstance(value, dict):
        raise ImportProblem(
            f"{_path(where, key)} is {_kind(value)}, expected an object; {REEXPORT}"
        )
    return value


def text(owner: dict[str, Any], key: str, where: str, default: Any = _REQUIRED) -> Any:
    """Returns a string, or `default` if the key is missing."""
    if key not in owner and default is not _REQUIRED:
        return default
    value = _get(owner, key, where)
    if not isinstance(value, str):
        raise ImportProblem(f"{where}: {key} is {_kind(value)}, expected a string; {REEXPORT}")
    return value


def name(owner: dict[str, Any], where: str) -> str:
    """Returns the name of an object, or an empty string. It is a copy: Python frees memory by the megabyte, so that
    names of the JSON itself, scattered over its objects, would keep all of their memory."""
    found = text(owner, "name", where, "")
    return str(found[:1] + found[1:])


def _get(owner: dict[str, Any], key: str, where: str) -> Any:
    if key not in owner:
        raise ImportProblem(f"{where}: {key} is missing; {REEXPORT}")
    return owner[key]


def _path(where: str, key: str) -> str:
    return f"{where}: {key}" if where else key


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a truth value"
    for kind, name in ((str, "a string"), (list, "a list"), (dict, "an object")):
        if isinstance(value, kind):
            return name
    return "a number"
