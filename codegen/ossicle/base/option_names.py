"""The names of settings in messages: options for users of the command line, keys for users of a TOML file."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

# Maps each option to its key and the key's table if the settings are in a file.
_keys: ContextVar[Mapping[str, tuple[str, str]] | None] = ContextVar("keys", default=None)


@contextmanager
def toml_names(keys: Mapping[str, tuple[str, str]]) -> Iterator[None]:
    """Makes messages raised in the block use TOML keys. keys: maps each option to its key and the key's table."""
    token = _keys.set(keys)
    try:
        yield
    finally:
        _keys.reset(token)


def either(on_command_line: str, in_toml: str) -> str:
    """Returns the text for users of the command line or of a TOML file, whichever is in use."""
    return on_command_line if _keys.get() is None else in_toml


def named(option: str, value: str | float | bool | None = None) -> str:
    """Returns the user's name of an option: `--scale` or `scale in [import]`; with a value `--matrices q20` or
    `matrices = "q20"`, with True `--rigid` or `rigid = true`."""
    keys = _keys.get()
    if keys is None:
        number = f"{value:.12g}" if isinstance(value, float | int) else value
        return option if value is None or value is True else f"{option} {number}"
    key, table = keys[option]
    if value is True:
        key += " = true"
    elif isinstance(value, str):
        key += f' = "{value}"'
    elif value is not None:
        key += f" = {value:g}"
    return f"{key} in {table}" if table else key
