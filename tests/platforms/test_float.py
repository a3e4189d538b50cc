"""The float adapter: every word rounded once, rows and columns in their places."""
from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WORDS = [-1 << 31, (1 << 31) - 1, -1, 0, 1, 1 << 20, -(1 << 19), 16777217, -16777219, 1048577, 3, -2000000001]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_matrices_become_floats(compiler: str, tmp_path: Path) -> None:
    subprocess.run([compiler, "-std=c99", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror",
                    "-pedantic", f"-I{ROOT / 'runtime'}", f"-I{ROOT / 'platforms' / 'float'}",
                    HERE / "float_driver.c", "-o", tmp_path / "driver"], check=True)
    output = subprocess.run([tmp_path / "driver"], check=True, capture_output=True, text=True).stdout
    small, large = (np.array(line.split(), np.uint32).view(np.float32) for line in output.splitlines())
    expected = (np.array(WORDS, np.float64) / (1 << 20)).astype(np.float32)
    np.testing.assert_array_equal(small, expected)
    columns = np.vstack([expected.reshape(3, 4), [0, 0, 0, 1]]).T.ravel()
    np.testing.assert_array_equal(large, columns)
