"""The encoder library (codegen/encoder, C) as encoder.h declares it, called through cffi.

Numbers are read on import, structures and functions when the encoder is loaded. Calls release the
interpreter lock, so that several clips can be encoded at once from threads.
"""
from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .format import numbers_in
from .places import ENCODER_HEADER, ENCODER_LIBRARY, IS_INSTALLED
from .problem import Problem

if TYPE_CHECKING:
    from cffi import FFI

VARIABLE = "OSSICLE_ENCODER"
_REMEDY = "install Ossicle again" if IS_INSTALLED else "build it with `scons`"
_NUMBERS = dict(numbers_in(ENCODER_HEADER.read_text(encoding="utf-8")))


class NativeProblem(Problem):
    """The encoder library is missing, or refused a bank; str() is a message of one line."""


def constant(name: str) -> int:
    """Returns the value of ENC_`name`."""
    return _NUMBERS[name]


def choices(prefix: str) -> tuple[str, ...]:
    """Returns the members of an enumeration, ENC_`prefix`NAME, in the order of their numbers, in
    lower case."""
    return tuple(name.removeprefix(prefix).lower() for name in _NUMBERS if name.startswith(prefix))


EFFORTS = choices("EFFORT_")
POINTS = choices("POINTS_")
KEYS = choices("KEYS_")


@lru_cache(maxsize=1)
def declarations() -> FFI:
    """Returns the structures and functions of encoder.h."""
    from .encoder_declarations import load_declarations  # a build with nothing to do needs only the library's path
    return load_declarations()


def library_path() -> Path:
    """Returns the path from which the encoder is loaded."""
    return Path(os.environ.get(VARIABLE, ENCODER_LIBRARY))


@lru_cache(maxsize=1)
def library() -> Any:
    """Loads the encoder. Raises NativeProblem if it is not built or belongs to another version of Ossicle."""
    path = library_path()
    try:
        loaded = declarations().dlopen(str(path))
    except OSError as error:
        raise NativeProblem(
            f"the encoder library cannot be loaded ({error}); {_REMEDY}"
        ) from error
    for name in dir(loaded):
        try:
            getattr(loaded, name)
        except (AttributeError, declarations().error) as error:  # the first if the header was parsed
            raise NativeProblem(f"{path} is not an encoder library of this Ossicle ({name} is "
                                f"missing); {_REMEDY}") from error
    return loaded
