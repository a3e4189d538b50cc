"""Hashes all inputs that determine the bytes of an encoded clip."""
from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ...model.samples import Samples
from ..library import library_path
from ..native import ClipInput, EncodeSettings, Skeleton

KEY_BYTES = 32


@lru_cache(maxsize=1)
def _encoder() -> bytes:
    """Returns the hash of the encoder, because another build may give other bytes."""
    return hashlib.sha256(library_path().read_bytes()).digest()


def _add(key: Any, value: object) -> None:
    """Adds a value with its type and shape, so that no two values give the same bytes."""
    if is_dataclass(value):
        key.update(f"{type(value).__name__}({len(fields(value))}".encode())
        for field in fields(value):
            _add(key, getattr(value, field.name))
    elif isinstance(value, np.ndarray):
        array = np.ascontiguousarray(value)
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        key.update(f"{array.dtype.str}{array.shape}".encode())
        key.update(array.data)
    elif isinstance(value, Samples):
        key.update(f"Samples{value.shape}".encode())
        _add(key, value.columns)
    elif isinstance(value, (tuple, list)):
        key.update(f"({len(value)}".encode())
        for item in value:
            _add(key, item)
    else:
        assert value is None or isinstance(value, (bool, int, float, str)), value
        key.update(f"{type(value).__name__}:{value!r};".encode())


def clip_key(skeleton: Skeleton, clip: ClipInput, settings: EncodeSettings) -> bytes:
    """Returns the SHA-256 of the encoder and all its inputs for a clip: KEY_BYTES. Names and rates of clips are not
    among these."""
    key = hashlib.sha256(_encoder())
    for value in (skeleton.parents, skeleton.bind, clip, settings):
        _add(key, value)
    return key.digest()
