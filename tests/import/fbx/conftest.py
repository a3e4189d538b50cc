"""Whether the library Assimp is installed."""
from __future__ import annotations

import os
import subprocess
import sys

import pytest
from ossicle.importers.assimp import convert


def _is_missing() -> bool:
    answer = subprocess.run([sys.executable, "-I", convert.__file__, "fbx"], input=b"", stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=False, env=os.environ).stdout
    return convert.MISSING.encode() in answer


@pytest.fixture(scope="session")
def assimp() -> None:
    """Skips a test if there is no library."""
    if _is_missing():
        pytest.skip("the library Assimp is not installed")
