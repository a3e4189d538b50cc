"""Whether the library Assimp is installed."""
from __future__ import annotations

import subprocess
import sys

from ossicle.importers.assimp import convert


def has_assimp() -> bool:
    answer = subprocess.run([sys.executable, "-I", convert.__file__, "fbx"], input=b"", stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=False).stdout
    return convert.MISSING.encode() not in answer
