"""Hashes all inputs that determine the bytes of an encoded clip."""
from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ...model.samples import Samples
from ...base.encoder_library import library_path
from ..native import ClipInput, EncodeSettings, Skeleton

KEY_BYTES = 32


class Unkeyed(Exception):
    """A value has a type that is not hashed."""


@lru_cache(maxsize=1)
def encoder_digest() -> bytes:
    """Returns the hash of the encoder, because another build may give other bytes."""
    return hashlib.sha256(library_path().read_bytes()).digest()


def add_value(key: Any, value: object) -> None:
    """Adds a value with its type and shape, so that no two values give the same bytes. Raises Unkeyed."""
    if is_dataclass(value):
        keyed = [field.name for field in fields(value) if field.metadata.get("keyed", True)]
        key.update(f"{type(value).__name__}({len(keyed)}".encode())
        for name in keyed:
            add_value(key, getattr(value, name))
    elif isinstance(value, np.ndarray):
        array = np.ascontiguousarray(value)
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        key.update(f"{array.dtype.str}{array.shape}".encode())
        key.update(array.data)
    elif isinstance(value, Samples):
        key.update(f"Samples{value.shape}".encode())
        add_value(key, value.columns)
    elif isinstance(value, (tuple, list)):
        key.update(f"({len(value)}".encode())
        for item in value:
            add_value(key, item)
    elif isinstance(value, Mapping):
        add_value(key, (*value.items(),))
    else:
        if not (value is None or isinstance(value, (bool, int, float, str, Path))):
            raise Unkeyed(type(value).__name__)
        key.update(f"{type(value).__name__}:{value!r};".encode())


def clip_key(skeleton: Skeleton, clip: ClipInput, settings: EncodeSettings) -> bytes:
    """Returns the SHA-256 of the encoder and all its inputs for a clip: KEY_BYTES. Names and rates of clips are not
    among these."""
    key = hashlib.sha256(encoder_digest())
    for value in (skeleton.parents, skeleton.bind, clip, settings):
        add_value(key, value)
    return key.digest()
