"""Rules that write the mesh of a character, for targets/stage."""
from __future__ import annotations

from pathlib import Path

import pytest
from mentions import mentions
from ossicle.cli.main import main
from test_build_rules import RULES, demo_character, run

pytestmark = pytest.mark.integration

SETTINGS = 'inputs = ["hero.glb"]\ngenerate = "."\nskinning = true\n[import]\njoint_axes = "model"\n'
MESH = "--joint-axes model"  # as [import] states
MAKEFILE = f"OSSICLE_CHARACTERS = hero.toml\ninclude {RULES}/make/ossicle.mk\nall: $(OSSICLE_OBJECTS)\n"
LISTS = "cmake_minimum_required(VERSION 3.20)\nproject(game C)\nfind_package(Ossicle REQUIRED)\n" \
        "add_library(game)\nossicle_add_character(game hero.toml)\nossicle_add_mesh(game {})\n"
CONFIGURE = ["cmake", "-B", "build", "-G", "Ninja", f"-DOssicle_DIR={RULES / 'cmake'}"]


@pytest.fixture(name="folder")
def folder_with_a_space(tmp_path: Path, built_encoder: None) -> Path:
    folder = tmp_path / "a game"
    folder.mkdir()
    demo_character(folder / "hero.glb")
    (folder / "hero.toml").write_text(SETTINGS, encoding="utf-8")
    (folder / "Makefile").write_text(MAKEFILE, encoding="utf-8")
    return folder


def check_mesh(folder: Path, written: Path) -> None:
    """The mesh is in the axes of the bank."""
    expected = folder / "expected"
    assert main(["mesh", f"{folder / 'hero.glb'}", "--bank", f"{written / 'hero.ossb'}", *MESH.split(),
                 "-o", f"{expected}", "--quiet"]) == 0
    assert [(written / name).read_bytes() for name in ("hero_mesh.c", "hero_mesh.h")] == [
        (expected / name).read_bytes() for name in ("hero_mesh.c", "hero_mesh.h")]


def test_make_writes_files_that_are_missing(folder: Path) -> None:
    """Those of a mesh that the makefile has got, and those that were removed."""
    written = folder / "build/ossicle"
    run(["make", "all"], folder)
    with_mesh = ["make", "all", "OSSICLE_MESHES=hero.glb", f"OSSICLE_MESH={MESH}"]
    run([*with_mesh, "-j3"], folder)
    check_mesh(folder, written)
    for name in ("hero.h", "hero_pose.c", "hero_mesh.h", "hero_mesh.c"):
        (written / name).unlink()
        run(with_mesh, folder)
        assert (written / name).is_file()
    assert "Nothing to be done" in run(with_mesh, folder)


def test_make_refuses_a_mesh_without_a_character(folder: Path) -> None:
    demo_character(folder / "knight.glb")
    assert mentions(run(["make", "OSSICLE_MESHES=knight.glb"], folder, status=1), "OSSICLE_MESHES knight")


def test_cmake_passes_options_and_writes_again(folder: Path) -> None:
    """A source whose change leaves the bank as it is may change the mesh."""
    (folder / "CMakeLists.txt").write_text(LISTS.format(f"hero.glb {MESH}"), encoding="utf-8")
    run(CONFIGURE, folder)
    run(["cmake", "--build", "build", "-j3"], folder)
    check_mesh(folder, folder / "build/ossicle/game")
    (folder / "hero.toml").touch()
    assert "hero_mesh" in run(["cmake", "--build", "build"], folder)
    assert "no work to do" in run(["cmake", "--build", "build"], folder)


@pytest.mark.parametrize("mesh", ["knight.glb", '"a\\\\;b/hero.glb"', '"a:b/hero.glb"'])
def test_cmake_refuses_meshes(folder: Path, mesh: str) -> None:
    """Without a character, and with names that CMake cannot pass on."""
    (folder / "CMakeLists.txt").write_text(LISTS.format(mesh), encoding="utf-8")
    assert mentions(run(CONFIGURE, folder, status=1), "ossicle_add_mesh " + mesh.split("/")[-1].strip('"'))
