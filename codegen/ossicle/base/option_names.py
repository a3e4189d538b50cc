"""The names of settings: options on the command line, keys in a TOML file. Messages use the names that
their reader uses."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_in_toml: ContextVar[bool] = ContextVar("in_toml", default=False)

_KEYS = {  # for each option that a message names: its key, and the table that holds the key
    "--ancestors": ("ancestors", "[import]"),
    "--fov": ("fov", "[screen]"),
    "--fps": ("fps", "[import]"),
    "--joints": ("[sets]", ""),
    "--matrices": ("matrices", ""),
    "--name": ("name", ""),
    "--rigid": ("rigid", ""),
    "--scale": ("scale", "[import]"),
    "--screen-height": ("height", "[screen]"),
    "--skin": ("skin", "[import]"),
    "--skin-matrices": ("skinning", ""),
    "--unroll": ("unroll", ""),
    "--up": ("up", "[import]"),
}


@contextmanager
def toml_names() -> Iterator[None]:
    """In this block settings are called by their TOML keys."""
    token = _in_toml.set(True)
    try:
        yield
    finally:
        _in_toml.reset(token)


def either(on_command_line: str, in_toml: str) -> str:
    """The text for the reader: a user of the command line, or of a TOML file."""
    return in_toml if _in_toml.get() else on_command_line


def named(option: str, value: str | float | bool | None = None) -> str:
    """A setting, by its option, as the reader calls it: `--scale` or `scale in [import]`; with a value
    `--matrices q20` or `matrices = "q20"`, with True `--rigid` or `rigid = true`."""
    key, table = _KEYS[option]
    if value is None:
        given, key_given = option, key
    elif value is True:
        given, key_given = option, f"{key} = true"
    elif isinstance(value, str):
        given, key_given = f"{option} {value}", f'{key} = "{value}"'
    else:
        given, key_given = f"{option} {value:.12g}", f"{key} = {value:g}"
    return either(given, f"{key_given} in {table}" if table else key_given)
