"""Real files with default settings: the tolerance at their own keys, or a warning."""
from __future__ import annotations

from pathlib import Path

import pytest
from pose_driver import Driver
from source_judge import ROUNDING_MM, worst_mm

from ossicle.encoding.encoder import encode
from ossicle.model.lengths import Tolerance
from ossicle.model.clip import ImportProblem
from ossicle.importers.importer import read_clips
from ossicle.encoding.settings import Settings
from mentions import mentions

pytestmark = pytest.mark.exhaustive
ROOT = Path(__file__).resolve().parents[3]
FOLDERS = (Path("/usr/share/assimp/models"), ROOT / "codegen/demo", ROOT.parent / "shared/corpus")
TOLERANCE_MM = 0.5
EVERYWHERE = {"hero.glb", "simple_skin.gltf"}  # the second from the Debian package assimp-testmodels


def files() -> list[Path]:
    """All that glTF's suffixes name; few of them have a skeleton that moves."""
    return sorted(path for folder in FOLDERS for path in folder.rglob("*")
                  if path.suffix.lower() in (".glb", ".gltf") and path.is_file())


def animated(path: Path) -> bool:
    try:
        return bool(read_clips([path]).clips)
    except ImportProblem:
        return False


def test_every_animated_file_holds_at_its_keys_or_warns(driver: Driver) -> None:
    found = [path for path in files() if animated(path)]
    assert EVERYWHERE <= {path.name for path in found}
    for path in found:
        result = encode([path], Settings(tolerance=Tolerance(metres=TOLERANCE_MM * 1e-3), effort="fast"))
        for clip, item in enumerate(result.clips):
            off_mm = max(worst_mm(driver, path, result, clip))
            warned = any(mentions(warning, item.name) for warning in result.warnings)
            assert off_mm <= TOLERANCE_MM + ROUNDING_MM or warned, (path.name, item.name, off_mm)
