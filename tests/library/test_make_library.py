"""The synthetic libraries of tests/bench/library/make_library.py: the same bytes every time, which build."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from ossicle.bank.file import parse_bank
from ossicle.importers.importer import read_clips
from running import ROOT, Ran, contents, run_inside

CHARACTERS, CLIPS, SECONDS, JOINTS, RATE = 3, 4, 0.5, 25, 30.0
COPIES = 2  # clips of each character that are those of the one before: half of them


def make(folder: Path, *more: str) -> dict[str, bytes]:
    subprocess.run([sys.executable, ROOT / "tests/bench/library/make_library.py", folder,
                    "--characters", str(CHARACTERS), "--clips", str(CLIPS),
                    "--seconds", str(SECONDS), "--joints", str(JOINTS), "--copies", "50", *more],
                   check=True)
    return contents(folder)


def test_the_same_arguments_give_the_same_bytes(tmp_path: Path) -> None:
    written = make(tmp_path / "one")
    assert sorted(written) == ["c0000.glb", "c0001.glb", "c0002.glb", "library.toml"]
    assert make(tmp_path / "two") == written
    other = make(tmp_path / "other", "--seed", "1")
    assert other["library.toml"] == written["library.toml"]
    assert all(other[name] != written[name] for name in written if name.endswith(".glb"))


def test_its_characters_are_read_and_built(tmp_path: Path) -> None:
    make(tmp_path)
    before = None
    for number in range(CHARACTERS):
        read = read_clips([tmp_path / f"c{number:04}.glb"])
        assert len(read.skeleton.names) == JOINTS and read.warnings == []
        assert [clip.name for clip in read.clips] == [f"clip_{number:04}_{clip:05}" for clip in range(CLIPS)]
        assert all(clip.rate == RATE and len(clip.frames) == round(SECONDS * RATE) + 1 for clip in read.clips)
        if before is not None:
            same = [(clip.frames == old.frames).all() for clip, old in zip(read.clips, before.clips)]
            assert same == [True] * COPIES + [False] * (CLIPS - COPIES)
        before = read
    assert run_inside("build", tmp_path / "library.toml", "--quiet") == Ran(0, "", "")
    for number in range(CHARACTERS):
        assert len(parse_bank((tmp_path / f"c{number:04}.ossb").read_bytes()).clips) == CLIPS


def test_any_character_can_be_varied(tmp_path: Path) -> None:
    source = ROOT / "tests/import/blender/deform_bones.glb"
    make(tmp_path, "--source", str(source))
    assert read_clips([tmp_path / "c0000.glb"]).skeleton.names[0] == read_clips([source]).skeleton.names[0]
    assert run_inside("build", tmp_path / "library.toml", "--quiet") == Ran(0, "", "")
