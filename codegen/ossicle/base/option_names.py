"""The names of settings: options on the command line, keys in a TOML file. Messages use the names that
their reader uses."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

# Maps each option to its key and the table that holds the key, if the reader has a file.
_keys: ContextVar[Mapping[str, tuple[str, str]] | None] = ContextVar("keys", default=None)


@contextmanager
def toml_names(keys: Mapping[str, tuple[str, str]]) -> Iterator[None]:
    """In this block settings are called by their TOML keys. keys: for each option its key, and the
    table that holds the key."""
    token = _keys.set(keys)
    try:
        yield
    finally:
        _keys.reset(token)


def either(on_command_line: str, in_toml: str) -> str:
    """The text for the reader: a user of the command line, or of a TOML file."""
    return on_command_line if _keys.get() is None else in_toml


def named(option: str, value: str | float | bool | None = None) -> str:
    """A setting, by its option, as the reader calls it: `--scale` or `scale in [import]`; with a value
    `--matrices q20` or `matrices = "q20"`, with True `--rigid` or `rigid = true`."""
    keys = _keys.get()
    if keys is None:
        shown = f"{value:.12g}" if isinstance(value, float | int) else value
        return option if value is None or value is True else f"{option} {shown}"
    key, table = keys[option]
    if value is True:
        key += " = true"
    elif isinstance(value, str):
        key += f' = "{value}"'
    elif value is not None:
        key += f" = {value:g}"
    return f"{key} in {table}" if table else key
