"""Paths for the tests of libraries, and a small one: the demo, and characters that swing."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "cli"), str(HERE.parent / "bench/library")]

from running import HERO, write_bvh  # noqa: E402

CLIPS = 4  # of the character with several files


@pytest.fixture(autouse=True)
def every_test_encodes(built_encoder: None) -> None:
    """No test of this folder runs without the library."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with library.toml: characters of one file with many clips, of many files, and of one clip."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "swing").mkdir()
    for clip in range(CLIPS):
        write_bvh(tmp_path / f"swing/clip{clip}.bvh", frames=20 + 10 * clip, speed=1.0 + clip)
    files = [f"swing/clip{clip}.bvh" for clip in range(CLIPS)]
    (tmp_path / "library.toml").write_text(
        f'effort = "fast"\ngenerate = "code"\n[character.hero]\ninputs = ["{HERO}"]\nembed = true\n'
        f'[character.swing]\ninputs = {files}\n'
        + "".join(f'[character.one{clip}]\ninputs = ["{file}"]\ntolerance = "{1 + clip}mm"\n'
                  for clip, file in enumerate(files)), encoding="utf-8")
    return tmp_path
