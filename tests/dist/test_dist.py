"""`scons dist`: the files of a release, the same from every folder."""
from __future__ import annotations

import hashlib
import io
import json
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
from copies import copy_project
from ossicle.base.problem import SettingProblem
from ossicle.base.version import versions
from pages import ROOT
from tools.dist import SUMS, library, read_release, release_notes, sources, Release
from tools.release.archives import PROGRAM, Entry, files_of, read_tar, tar_of, zip_of
from tools.release.components import Component, bill_of_materials, components, licences

EPOCH = 1_700_000_000
FILES = {"b/run": Entry(b"#!/bin/sh\n", PROGRAM), "a": Entry(b"text\n")}
STEM = f"ossicle-{versions().library}"
BUILT_PAGE = ROOT / "build/viewer/page.html"
needs_page = pytest.mark.skipif(not BUILT_PAGE.is_file(), reason="./bootstrap viewer builds the page")


def test_archives_do_not_depend_on_order_or_time() -> None:
    turned = dict(reversed(FILES.items()))
    assert zip_of(FILES, EPOCH) == zip_of(turned, EPOCH) and tar_of(FILES, EPOCH) == tar_of(turned, EPOCH)
    with zipfile.ZipFile(io.BytesIO(zip_of(FILES, EPOCH))) as archive:
        assert {entry.filename: (archive.read(entry), entry.external_attr >> 16, entry.date_time[0])
                for entry in archive.infolist()} == {name: (*entry, 2023) for name, entry in FILES.items()}
    with tarfile.open(fileobj=io.BytesIO(tar_of(FILES, EPOCH))) as archive:
        assert [(entry.name, entry.mode, entry.mtime, entry.uid) for entry in archive.getmembers()] == [
            (name, FILES[name].mode, EPOCH, 0) for name in sorted(FILES)]


def test_archives_are_read_again(tmp_path: Path) -> None:
    (tmp_path / "b.tar.gz").write_bytes(tar_of(FILES, EPOCH))
    assert read_tar(tmp_path / "b.tar.gz") == FILES
    with tarfile.open(tmp_path / "b.tar.gz") as archive:
        archive.extractall(tmp_path / "out")
    assert files_of(tmp_path / "out") == FILES
    assert set(files_of(tmp_path / "out", "x/")) == {f"x/{name}" for name in FILES}


def test_notes_are_the_section_of_the_version() -> None:
    changes = "# Changelog\n\n## [1.1.0] - 2027\n\n- New\n\n## [1.0.0] - 2026\n\n" \
              "- Format <!-- figure: a.b -->2<!-- -->, see [page](codegen/README.md#a) and [web](https://a.b/)\n"
    assert release_notes(changes, "1.1.0") == "# Ossicle 1.1.0\n\n- New\n"
    assert release_notes(changes, "1.0.0") == "# Ossicle 1.0.0\n\n- Format 2, see page and [web](https://a.b/)\n"
    with pytest.raises(SettingProblem, match="1.0.1"):
        release_notes(changes, "1.0.1")
    assert "\n- " in release_notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), versions().library)


def test_a_release_needs_a_checkout_and_the_page(tmp_path: Path) -> None:
    with pytest.raises(SettingProblem, match="git"):
        read_release(tmp_path)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "unpacked").mkdir()
    with pytest.raises(SettingProblem, match="another project"):
        read_release(tmp_path / "unpacked")
    with pytest.raises(SettingProblem, match="page.html"):
        sources(tmp_path)


def test_the_library_has_the_manifests_of_both() -> None:
    files = library(Release(ROOT, versions().library, EPOCH), "Ossicle/")
    expected = ("library.properties", "library.json", "LICENSE", "src/ossicle.h", "src/stage.h",
                "examples/ST7789/ST7789.ino", "examples/ST7789/hero.glb", "examples/ST7789/src/hero.h",
                "examples/ST7789/src/hero_mesh.c")
    assert {f"Ossicle/{name}" for name in expected} <= set(files)


@needs_page
def test_every_package_in_the_page_has_its_licence() -> None:
    """esbuild names the packages that it bundles in no list, but the manifest of npm does."""
    contained = components(ROOT, False)
    manifest = json.loads((ROOT / "codegen/viewer/package.json").read_text(encoding="utf-8"))
    assert {part.name for part in contained} == {*manifest["dependencies"], "meshoptimizer"}
    text = licences(ROOT, contained)
    assert all(f"{part.name} {part.version}" in text and "Copyright" in part.text for part in contained)
    assert "Arseny Kapoulkine" in text and text.startswith("Ossicle")


def test_the_bill_of_materials_is_complete() -> None:
    part = Component("three", "1.2", "MIT", "pkg:npm/three@1.2", "page", "text")
    document = json.loads(bill_of_materials(ROOT, "0.1.0", EPOCH, [part], {"a.zip": b"a"}))
    named = {entry["SPDXID"] for kind in ("packages", "files") for entry in document[kind]} | {"SPDXRef-DOCUMENT"}
    related = [(edge["spdxElementId"], edge["relatedSpdxElement"]) for edge in document["relationships"]]
    assert {name for pair in related for name in pair} == named and len(related) == len(named) - 1
    assert {package["name"] for package in document["packages"]} >= {"ossicle", "three", "numpy", "cffi"}
    assert {sums["algorithm"]: sums["checksumValue"] for sums in document["files"][0]["checksums"]} == {
        name: hashlib.new(name.lower(), b"a").hexdigest() for name in ("SHA1", "SHA256")}
    assert document["creationInfo"]["created"] == "2023-11-14T22:13:20Z"


def make(folder: Path) -> dict[str, bytes]:
    """The release of a copy of the checkout."""
    copy_project(folder)
    git = subprocess.run(["git", "rev-parse", "--absolute-git-dir"], cwd=ROOT, check=True, text=True,
                         stdout=subprocess.PIPE)
    (folder / ".git").write_text(f"gitdir: {git.stdout}", encoding="utf-8")
    done = subprocess.run(["scons", "-Q", "dist"], cwd=folder, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return {path.name: path.read_bytes() for path in (folder / "build/dist").iterdir()}


@needs_page
@pytest.mark.exhaustive
def test_two_folders_give_the_same_bytes(tmp_path: Path) -> None:
    one, other = make(tmp_path / "a"), make(tmp_path / "another/folder")
    assert [name for name in one.keys() | other.keys() if one.get(name) != other.get(name)] == []
    sums = dict(reversed(line.split("  ")) for line in one.pop(SUMS).decode().splitlines())
    assert sums == {name: hashlib.sha256(content).hexdigest() for name, content in one.items()}
    for ending in (".tar.gz", "-c.zip", "-blender.zip", "-arduino.zip", "-platformio.tar.gz", "-game.gba", "-npm.tgz",
                   ".spdx.json"):
        assert f"{STEM}{ending}" in one
    assert {"NOTES.md", "LICENSES.txt"} <= one.keys() and [name for name in one if name.endswith(".whl")]
    with zipfile.ZipFile(io.BytesIO(one[f"{STEM}-c.zip"])) as archive:
        archive.extractall(tmp_path / "c")
    for unit in (tmp_path / "c").glob("*/scalar/*.c"):
        subprocess.run(["gcc", "-std=c99", "-fsyntax-only", "-Wall", "-Werror", f"-I{unit.parent}", unit],
                       check=True)
