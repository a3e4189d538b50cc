"""Paths for the generator's tests, and the runtime as a shared library to compare verdicts with."""
from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# The reference's hand-written banks come from a writer that knows nothing of this one.
sys.path[:0] = [str(HERE), str(HERE / "graphs"), str(HERE.parent / "golden")]

from compiling import INCLUDES, STRICT  # noqa: E402
from c_programs import RUNTIME, build_program  # noqa: E402


@pytest.fixture(scope="session")
def runtime_verdict(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bytes], int]:
    """osc_bank_open on a copy of the given bytes: 0 or a negative error."""
    library = tmp_path_factory.mktemp("runtime") / "runtime.so"
    build_program("gcc", [*STRICT, "-O0", "-fPIC", *INCLUDES], RUNTIME, library, ["-shared"])
    loaded = ctypes.CDLL(str(library))
    loaded.osc_bank_open.restype = ctypes.c_int32

    def verdict(data: bytes) -> int:
        words = (ctypes.c_uint32 * (len(data) // 4 + 1)).from_buffer_copy(
            data + bytes(4 * (len(data) // 4 + 1) - len(data)))
        bank = (ctypes.c_uint64 * 64)()
        return int(loaded.osc_bank_open(bank, words, ctypes.c_size_t(len(data))))

    return verdict
