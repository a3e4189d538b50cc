"""Files of Debian packages that the tests read. `./bootstrap test` installs all of them, so that a
missing one fails a test instead of hiding it; programs are found by ossicle.machines.tools."""
from __future__ import annotations

from pathlib import Path

MODELS = Path("/usr/share/assimp/models")


def installed_model(name: str) -> Path:
    """A file of assimp-testmodels; AssertionError with the package where it is missing."""
    path = MODELS / name
    assert path.is_file(), f"{path} is missing; on Debian: apt install assimp-testmodels"
    return path
