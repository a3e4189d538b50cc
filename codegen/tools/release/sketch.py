"""The example of the Arduino library: a sketch that draws the demo character."""
from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from ossicle.base.places import ROOT, TARGETS
from ossicle.base.problem import SettingProblem
from ossicle.cli.main import main

SKETCH = TARGETS / "sdk/ST7789"
_CHARACTER = ROOT / "codegen/demo/hero.glb"


def write_sketch(folder: Path) -> None:
    """Writes the sketch, its character and the generated C to a new folder. Raises SettingProblem if a command fails,
    which prints why."""
    shutil.copytree(SKETCH, folder)
    shutil.copy(_CHARACTER, folder)
    source, written = folder / _CHARACTER.name, folder / "src"
    commands = (["build", f"{folder / 'hero.toml'}"], ["mesh", f"{source}", "--bank", f"{written / 'hero.ossb'}"])
    if any(main([*words, "-o", f"{written}", "--quiet"]) for words in commands):
        raise SettingProblem(f"{SKETCH}: the character of the sketch cannot be built")


def example() -> dict[str, bytes]:
    """Returns the files of the sketch by their paths in the library's folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / SKETCH.name
        write_sketch(folder)
        files = [*(path for path in folder.iterdir() if path.is_file()), *(folder / "src").glob("*.[ch]")]
        return {f"examples/{path.relative_to(name).as_posix()}": path.read_bytes() for path in sorted(files)}
