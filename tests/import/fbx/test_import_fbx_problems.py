"""Files that Assimp cannot read, and computers without it."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from fbx_writer import FbxJoint, write_fbx
from mentions import mentioning
from ossicle.importers.assimp import convert
from ossicle.importers.importer import read_clips
from ossicle.model.clip import ImportProblem

JOINTS = [FbxJoint("Hips"), FbxJoint("Head", "Hips")]
NOD = {"Nod": {("Head", "R", "X"): [(0.0, 0.0), (1.0, 60.0)]}}


def _python_without_libraries(folder: Path) -> Path:
    """Returns a program that runs Python, in which no library can be loaded."""
    python = folder / "python"
    python.write_text(f"#!{sys.executable}\nimport ctypes, runpy, sys\nsys.argv = sys.argv[2:]\n"
                      "ctypes.CDLL = lambda name: open(name + '/')\nrunpy.run_path(sys.argv[0], run_name='__main__')\n")
    python.chmod(0o755)
    return python


def test_without_the_library_the_message_names_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_fbx(tmp_path / "hero.fbx", JOINTS, NOD)
    monkeypatch.setattr(sys, "executable", str(_python_without_libraries(tmp_path)))
    with pytest.raises(ImportProblem, match=mentioning("hero.fbx libassimp5 ossicle[fbx] .glb")):
        read_clips([tmp_path / "hero.fbx"])


@pytest.mark.parametrize("library", ["none.so", "libc.so.6"])
def test_another_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    write_fbx(tmp_path / "hero.fbx", JOINTS, NOD)
    monkeypatch.setenv("OSSICLE_ASSIMP", library)
    with pytest.raises(ImportProblem, match=mentioning(f"hero.fbx OSSICLE_ASSIMP {library}")):
        read_clips([tmp_path / "hero.fbx"])


def test_a_crash_is_a_problem_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_fbx(tmp_path / "hero.fbx", JOINTS, NOD)
    (tmp_path / "crash.c").write_text("void aiImportFileFromMemoryWithProperties(void) {}\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "crash.c", "-o", "crash.so"], cwd=tmp_path, check=True)
    monkeypatch.setenv("OSSICLE_ASSIMP", str(tmp_path / "crash.so"))  # without the other functions
    with pytest.raises(ImportProblem, match=mentioning("hero.fbx crashed .glb")):
        read_clips([tmp_path / "hero.fbx"])


def test_the_process_opens_no_files_and_takes_little_memory() -> None:
    pytest.importorskip("resource")
    script = ("import runpy, sys\n"
              "convert = runpy.run_path(sys.argv[1])\n"
              "convert['_limit']()\n"
              "for act in (lambda: open(sys.argv[1]), lambda: bytearray(convert['MEMORY_BYTES'])):\n"
              "    try:\n        act()\n"
              "    except (OSError, MemoryError) as error:\n        print(type(error).__name__)\n")
    output = subprocess.run([sys.executable, "-c", script, convert.__file__], capture_output=True, text=True,
                            check=True).stdout
    assert output.split() == ["OSError", "MemoryError"]


@pytest.mark.parametrize("suffix", [".fbx", ".dae"])
def test_files_of_other_formats(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"hero{suffix}"
    path.write_text("mtllib hero.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with pytest.raises(ImportProblem, match=mentioning(f"{path.name} {suffix}")):
        read_clips([path])


@pytest.mark.usefixtures("assimp")
@pytest.mark.parametrize("part", [0.3, 0.7, 0.99])
def test_truncated_files(tmp_path: Path, part: float) -> None:
    write_fbx(tmp_path / "hero.fbx", JOINTS, NOD)
    data = (tmp_path / "hero.fbx").read_bytes()
    (tmp_path / "hero.fbx").write_bytes(data[:int(part * len(data))])
    with pytest.raises(ImportProblem, match="hero.fbx"):
        read_clips([tmp_path / "hero.fbx"])


@pytest.mark.usefixtures("assimp")
def test_a_scene_without_animations(tmp_path: Path) -> None:
    write_fbx(tmp_path / "hero.fbx", JOINTS, {})
    with pytest.raises(ImportProblem, match=mentioning("hero.fbx animations")):
        read_clips([tmp_path / "hero.fbx"])


@pytest.mark.usefixtures("assimp")
@pytest.mark.parametrize("axes", [((1, 1), (1, 1), (0, 1)), ((7, 1), (2, 1), (0, 1))])
def test_axes_that_are_none(tmp_path: Path, axes: tuple[tuple[int, int], ...]) -> None:
    write_fbx(tmp_path / "hero.fbx", JOINTS, NOD, axes=axes)
    with pytest.raises(ImportProblem, match=mentioning("hero.fbx axes")):
        read_clips([tmp_path / "hero.fbx"])
