"""Arrays and words as the encoder takes them, and its statuses."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from ...base.arrays import Array
from ...base.encoder_library import constant, declarations, library

OK = constant("OK")
ERROR_MEMORY = constant("ERROR_MEMORY")
ERROR_RANGE = constant("ERROR_RANGE")
ERROR_TOLERANCE = constant("ERROR_TOLERANCE")
ERROR_LOOP = constant("ERROR_LOOP")
ERROR_TOO_LARGE = constant("ERROR_TOO_LARGE")

Pointer: TypeAlias = Any


def pointer(kind: str, array: Array) -> Pointer:
    """Returns a pointer to a contiguous array, which lives as long as the pointer."""
    return declarations().from_buffer(f"{kind}[]", array)


def doubles(numbers: Sequence[float]) -> Pointer:
    return declarations().new("double[]", list(numbers))


def words_bytes(words: Pointer, count: int) -> bytes:
    """Returns words of the encoder as little-endian bytes, and frees them."""
    kept = declarations().gc(words, library().enc_words_free)
    return np.frombuffer(declarations().buffer(kept, 4 * count), np.uint32).astype("<u4").tobytes()


def bank_words(bank: bytes) -> Array:
    """Returns the words of a bank in the host's byte order, for the encoder."""
    return np.frombuffer(bank, "<u4", len(bank) // 4).astype(np.uint32)


def check_memory(status: int) -> None:
    if status == ERROR_MEMORY:
        raise MemoryError("the encoder ran out of memory")
