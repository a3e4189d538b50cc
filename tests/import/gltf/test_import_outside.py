"""A glTF file cannot make the command read files outside its folder, unless the user allows it."""
from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

import pytest
from gltf_builder import GltfBuilder, turn
from ossicle.base.files.path_names import refused_character
from ossicle.cli.main import main
from ossicle.importers.gltf.file import GltfFile
from ossicle.importers.importer import files_of, read_clips
from ossicle.model.clip import ImportProblem
from ossicle.model.import_options import ImportOptions
from mentions import mentioning, mentions

ALLOWED = ImportOptions(outside=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder of a .gltf file; its buffer is in all places that names in ADDRESSES lead to."""
    folder = tmp_path / "project/characters"
    (folder / "sub").mkdir(parents=True)
    builder = GltfBuilder()
    root = builder.node("root")
    builder.animation("Walk",
                      (root, "rotation", [0.0, 0.5, 1.0], [turn("x", angle) for angle in (0.0, 50.0, 90.0)], "LINEAR"))
    builder.skin([root])
    (folder / "model.glb").write_bytes(builder.glb_bytes())
    path = folder / "model.glb"
    data = path.read_bytes()
    size = int.from_bytes(data[12:16], "little")
    document, buffer = json.loads(data[20:20 + size]), data[28 + size:]
    path.unlink()
    for place in (folder / "in.bin", folder / "sub/in.bin", tmp_path / "project/out.bin",
                  tmp_path / "project/characters2.bin"):
        place.write_bytes(buffer)
    (tmp_path / "project/characters-more").mkdir()
    (tmp_path / "project/characters-more/out.bin").write_bytes(buffer)
    (folder / "link.bin").symlink_to("../out.bin")
    (folder / "linked").symlink_to("..")
    (folder / "inner.bin").symlink_to("sub/in.bin")
    (folder / "document.json").write_text(json.dumps(document), encoding="utf-8")
    return folder


def written(folder: Path, address: str, **more: object) -> Path:
    """A .gltf file whose buffer has this address."""
    document = json.loads((folder / "document.json").read_text(encoding="utf-8")) | more
    document["buffers"][0]["uri"] = address
    (folder / "hero.gltf").write_text(json.dumps(document), encoding="utf-8")
    return folder / "hero.gltf"


def existing(files: Iterable[Path]) -> list[Path]:
    """The names of files that exist: an address that is not decoded may be a name as well."""
    return [file for file in files if file.exists()]


INSIDE = ["in.bin", "./in.bin", "sub/in.bin", "sub/../in.bin", "sub/%2e%2e/in.bin", "inner.bin", "../characters/in.bin"]
OUTSIDE = ["../out.bin", "%2e%2e/out.bin", "..%2fout.bin", "sub/../../out.bin", "link.bin", "linked/out.bin",
           "{above}/out.bin", "{quoted}%2Fout.bin", "../characters-more/out.bin", "../characters2.bin"]


@pytest.mark.parametrize("address", INSIDE)
def test_files_in_the_folder_are_read(project: Path, address: str) -> None:
    path = written(project, address)
    assert [clip.name for clip in read_clips([path]).clips] == ["Walk"]
    assert any(os.path.samefile(file, project / "in.bin") or os.path.samefile(file, project / "sub/in.bin")
               for file in files_of([path]) if file.exists())


@pytest.mark.parametrize("key", ["uri", "\\u0075ri", "u\\u0072\\u0069", "ur\\u0069"])
def test_files_are_found_however_their_key_is_spelled(project: Path, key: str) -> None:
    path = written(project, "in.bin")
    path.write_text(path.read_text(encoding="utf-8").replace('"uri"', f'"{key}"'), encoding="utf-8")
    assert existing(files_of([path])) == [path, project / "in.bin"]


@pytest.mark.parametrize("address", OUTSIDE)
def test_files_elsewhere_are_refused(project: Path, address: str) -> None:
    """They are not inputs, whose digests builds record."""
    path = written(project, address.format(above=project.parent, quoted=quote(str(project.parent), safe="")))
    with pytest.raises(ImportProblem, match=mentioning("--outside")):
        read_clips([path])
    assert existing(files_of([path])) == [path]
    assert [clip.name for clip in read_clips([path], ALLOWED).clips] == ["Walk"]
    assert len(existing(files_of([path], outside=True))) == 2


@pytest.mark.parametrize("address",
                         ["file:///etc/hostname", "FILE:in.bin", "http://127.0.0.1:9/x.bin", "\\\\host\\share\\x.bin",
                          "ftp://host/x"])
def test_other_addresses_are_not_fetched(project: Path, address: str) -> None:
    path = written(project, address)
    for options in (ImportOptions(), ALLOWED):
        with pytest.raises(ImportProblem, match=mentioning("hero.gltf 0")):
            read_clips([path], options)
    assert existing(files_of([path])) == [path]


@pytest.mark.parametrize("address", ["a\nb.bin", "a%0Ab.bin", "a%0d.bin", "%1b[2J.bin", "a%7f.bin", "a%C2%85.bin",
                                     "a%E2%80%A8.bin",
                                     "a%00.bin", "a\u2029.bin"])
def test_addresses_with_control_characters_are_refused(project: Path, address: str) -> None:
    (project / "a\nb.bin").write_bytes(b"")
    path = written(project, address)
    with pytest.raises(ImportProblem, match=r"U\+[0-9A-F]{4}"):
        read_clips([path], ALLOWED)
    assert not any(map(refused_character, files_of([path], outside=True)))


def test_a_link_to_the_file_itself_leads_to_its_folder(project: Path, tmp_path: Path) -> None:
    """A build system may collect inputs as links: both folders count as the file's own."""
    (tmp_path / "links").mkdir()
    link = tmp_path / "links/hero.gltf"
    link.symlink_to(written(project, "in.bin"))
    (tmp_path / "links/in.bin").symlink_to(project / "in.bin")
    assert [clip.name for clip in read_clips([link]).clips] == ["Walk"]


def test_textures_elsewhere_are_refused(project: Path, tmp_path: Path) -> None:
    """A page would show them to every reader."""
    picture = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9"
                               "awAAAABJRU5ErkJggg==")
    (tmp_path / "project/secret.png").write_bytes(picture)
    path = written(project, "in.bin", images=[{"uri": "../secret.png"}], textures=[{"source": 0}],
                   materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}])
    assert list(files_of([path])) == [path, project / "in.bin"]
    assert existing(files_of([path], outside=True)) == [
        path, tmp_path / "project/characters/../secret.png", project / "in.bin"]
    with pytest.raises(ImportProblem, match=mentioning("0")):
        GltfFile(path, path.read_bytes()).linked("../secret.png", "image 0")
    assert GltfFile(path, path.read_bytes(), outside=True).linked("../secret.png", "image 0") == picture


@pytest.mark.parametrize("allow", [False, True])
def test_a_build_reads_and_lists_permitted_files(project: Path, monkeypatch: pytest.MonkeyPatch, built_encoder: None,
                                                 allow: bool, capsys: pytest.CaptureFixture[str]) -> None:
    written(project, "../out.bin")
    monkeypatch.chdir(project)
    Path("hero.toml").write_text('inputs = ["hero.gltf"]\neffort = "fast"\n[import]\n' + "outside = true\n" * allow,
                                 encoding="utf-8")
    assert main(["build", "hero.toml", "--quiet"]) == (0 if allow else 1)
    if allow:
        assert main(["build", "hero.toml", "--list"]) == 0
        assert str(project.parent / "out.bin") in [
            os.path.abspath(line.removeprefix("input=")) for line in capsys.readouterr().out.splitlines()]
    else:
        assert mentions(capsys.readouterr().err, "outside [import]")
    assert main(["encode", "hero.gltf", "-o", "x.ossb", "--effort", "fast", "--quiet", *["--outside"] * allow]) == (
        0 if allow else 1)
