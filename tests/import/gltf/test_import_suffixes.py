"""Files of one format under several suffixes: VRM models and VRM animations are binary glTF."""
from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from gltf_builder import simple
from ossicle.building.job import project_of
from ossicle.building.manifest import Request
from ossicle.compare.comparison import source_files
from ossicle.importers.importer import files_of, has_meshes, read_clips
from ossicle.importers.suffixes import GLTF_SUFFIXES, SUFFIXES
from ossicle.model.clip import ImportProblem
from mentions import mentioning


@pytest.mark.parametrize("suffix", [".vrm", ".vrma", ".VRMA"])
def test_files_of_vrm_are_binary_gltf(tmp_path: Path, suffix: str) -> None:
    path = simple().write_glb(tmp_path, f"wave{suffix}")
    (clip,) = read_clips([path]).clips
    assert (clip.name, clip.rate, len(clip.frames)) == ("Walk", 30.0, 31)
    assert has_meshes(path) and files_of([path]) == {path: path}
    assert source_files([tmp_path]) == ([path], [path])


@pytest.mark.parametrize("suffix", [".glb", ".vrm", ".vrma"])
def test_the_magic_tells_binary_gltf(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"wave{suffix}"
    path.write_bytes(simple().json_bytes())
    with pytest.raises(ImportProblem, match=mentioning("glTF")):
        read_clips([path])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_suffix_is_known_to_build(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"hero{suffix}"
    path.touch()
    assert project_of(Request(path)).inputs == (path,)


def test_messages_name_every_suffix(tmp_path: Path) -> None:
    (tmp_path / "hero.obj").touch()
    with pytest.raises(ImportProblem) as problem:
        read_clips([tmp_path / "hero.obj"])
    assert all(suffix in str(problem.value) for suffix in SUFFIXES)
    assert set(GLTF_SUFFIXES) < set(SUFFIXES)


def test_a_copy_with_another_suffix_gives_the_same_clips(tmp_path: Path) -> None:
    path = simple().write_glb(tmp_path)
    shutil.copy(path, tmp_path / "hero.vrma")
    ours, theirs = (read_clips([tmp_path / name]) for name in ("hero.glb", "hero.vrma"))
    assert ours.skeleton.names == theirs.skeleton.names
    assert ours.clips[0].frames.tobytes() == theirs.clips[0].frames.tobytes()
