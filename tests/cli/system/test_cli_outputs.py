"""No output replaces an input or another output."""
from __future__ import annotations

import errno
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ossicle.base.files.output import check_outputs, check_writable, write_all
from ossicle.base.problem import SettingProblem
from running import HERO, ROOT, contents, run_inside, write_bvh
from mentions import mentioning, mentions

FAST = ("--effort", "fast", "--quiet")


def write_gltf(folder: Path, name: str = "ext") -> Path:
    """The demo character as a .gltf that names a buffer, an image that is there and one that is not, and
    a sound of an extension."""
    data = HERO.read_bytes()
    size, = struct.unpack_from("<I", data, 12)
    root = json.loads(data[20:20 + size])
    root["buffers"][0]["uri"] = "%65xt.bin"  # quoted, as URIs may be
    root["images"] = [{"uri": "sk%20in.png"}, {"uri": "missing.png"}]
    root["extensions"] = {"KHR_audio_emitter": {"audio": [{"uri": "step.wav"}]}}
    path = folder / f"{name}.gltf"
    path.write_text(json.dumps(root), encoding="utf-8")
    (folder / "ext.bin").write_bytes(data[28 + size:])
    (folder / "sk in.png").write_bytes(b"an image")
    (folder / "step.wav").write_bytes(b"a sound")
    return path


@pytest.fixture
def gltf(tmp_path: Path) -> Path:
    return write_gltf(tmp_path)


@pytest.mark.parametrize("name", ["ext.bin", "sk in.png", "missing.png", "step.wav", "./ext.bin",
                                  "out/../ext.bin", "hard.bin", "soft.bin", "linked/ext.bin"])
@pytest.mark.parametrize("option", ["-o", "--json"])
def test_no_output_of_encode_is_a_file_that_a_gltf_names(
        gltf: Path, monkeypatch: pytest.MonkeyPatch, name: str, option: str) -> None:
    monkeypatch.chdir(gltf.parent)
    Path("out").mkdir()
    os.link("ext.bin", "hard.bin")
    Path("soft.bin").symlink_to("ext.bin")
    Path("linked").symlink_to(".")
    before = contents(gltf.parent)
    other = ("--json", "r.json") if option == "-o" else ("-o", "x.ossb")
    ran = run_inside("encode", "ext.gltf", option, name, *other, *FAST)
    shown = Path(name)
    assert ran.status == 1 and mentions(ran.line, f"{shown} ext.gltf")
    assert contents(gltf.parent) == before


@pytest.mark.parametrize("link", [os.link, os.symlink])
@pytest.mark.parametrize("command", ["encode", "encode --json", "encode --config", "decode", "strip",
                                     "generate", "build", "build --json", "build C"])
def test_no_output_is_an_input_by_another_name(walk_bank: Path, tmp_path: Path, command: str, link: type(os.link),
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_bvh(Path("walk.bvh"))
    shutil.copy(walk_bank, "walk.ossb")
    Path("a.toml").write_text('inputs = ["walk.bvh"]\noutput = "b.ossb"\ngenerate = "."\n'
                              'name = "dog"\n', encoding="utf-8")
    source, arguments = {
        "encode": ("walk.bvh", ("encode", "walk.bvh", "-o", "other")),
        "encode --json": ("walk.bvh", ("encode", "walk.bvh", "-o", "x.ossb", "--json", "other")),
        "encode --config": ("a.toml", ("encode", "walk.bvh", "--config", "a.toml", "-o", "other")),
        "decode": ("walk.ossb", ("decode", "walk.ossb", "--clip", "walk", "-o", "other")),
        "strip": ("walk.ossb", ("strip", "walk.ossb", "--tiers", "0", "-o", "other")),
        "generate": ("walk.ossb", ("generate", "walk.ossb", "-o", ".", "--name", "dog")),
        "build": ("a.toml", ("build", "a.toml")),
        "build --json": ("a.toml", ("build", "a.toml", "--json", "other")),
        "build C": ("a.toml", ("build", "a.toml")),
    }[command]
    output = {"generate": "dog_pose.c", "build": "b.ossb", "build C": "dog.h"}.get(command, "other")
    link(source, output)
    before = contents(tmp_path)
    ran = run_inside(*arguments)
    if command != "strip":  # a bank without tiers is refused anyway
        assert mentions(ran.line, output)
    assert ran.status == 1 and contents(tmp_path) == before


def test_tier_files_are_outputs_too(tmp_path: Path) -> None:
    bank, small = tmp_path / "hero.ossb", tmp_path / "small.ossb"
    assert run_inside("encode", HERO, "-o", bank, "--preset", "acl-2.1-tiers", *FAST).status == 0
    os.link(bank, tmp_path / "small.ossb.tie2")
    before = contents(tmp_path)
    ran = run_inside("strip", bank, "--tiers", "0", "--tier-files", "-o", small)
    assert mentions(ran.line, f"{small}.tie2")
    assert contents(tmp_path) == before


def test_pictures_of_a_comparison_are_outputs_too(gltf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(gltf.parent)
    for name in ("clips.csv", "ext-error-size.png", "ext-gains-1mm.png"):
        os.link("ext.bin", name)
        before = contents(gltf.parent)
        ran = run_inside("compare", "ext.gltf", "--clips", "Run", "--presets", "delta", "-o", ".")
        assert mentions(ran.line, f"{name} ext.gltf")
        assert contents(gltf.parent) == before
        os.unlink(name)


def test_the_demo_removes_no_file_that_its_source_names(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "host").mkdir(parents=True)
    gltf = write_gltf(tmp_path)
    text = gltf.read_text(encoding="utf-8")
    gltf.write_text(text.replace("%65xt.bin", "out/host/ext.bin"), encoding="utf-8")
    (tmp_path / "ext.bin").rename(out / "host/ext.bin")
    before = contents(tmp_path)
    ran = subprocess.run([sys.executable, "-m", "tools.demo", gltf, "--output", out], text=True,
                         capture_output=True, check=False, timeout=120,
                         env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")})
    assert ran.returncode == 1 and mentions(ran.stderr, out / "host/ext.bin")
    assert contents(tmp_path) == before


def test_outputs_of_two_names_and_one_place(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"1")
    os.link(first, second)
    with pytest.raises(SettingProblem, match=mentioning("b")):
        check_outputs({}, [first, second])
    with pytest.raises(SettingProblem, match=mentioning("new/../c")):
        check_outputs({}, [tmp_path / "c", tmp_path / "new/../c"])
    with pytest.raises(SettingProblem, match=mentioning("out/x/y")):
        check_outputs({}, [tmp_path / "out/x/y", tmp_path / "out"])
    check_outputs({first: first}, [tmp_path / "c", tmp_path / "new/d"])
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def as_nobody(script: str, folder: Path) -> str:
    """Output of Python code that runs without root's rights, in a folder."""
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can become another user")
    ran = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-c", script],
        cwd=folder, check=False, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "codegen"), "PYTHONDONTWRITEBYTECODE": "1"})
    assert ran.stderr == ""
    return ran.stdout


def test_places_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_bytes(b"")
    Path("folder").mkdir()
    Path("nowhere").symlink_to("missing/folder")
    for path, reason in (("folder", errno.EISDIR), (".", errno.EISDIR), ("file/x", errno.ENOTDIR),
                         ("file/x/y", errno.ENOTDIR), ("new/../file/x", errno.ENOTDIR),
                         ("x" * 256, errno.ENAMETOOLONG), ("new/" + "é" * 128, errno.ENAMETOOLONG),
                         ("y/" * 2100 + "x", errno.ENAMETOOLONG)):
        with pytest.raises(SettingProblem, match=mentioning(os.strerror(reason))):
            check_writable(Path(path))
    possible = [Path(path) for path in ("x" * 255, "new/folder/x", "file", "nowhere/x", "other/../y")]
    for path in (*possible, Path("/dev/null")):
        check_writable(path)
    assert sorted(os.listdir(".")) == ["file", "folder", "nowhere"]
    write_all({path: b"" for path in possible})
    assert sorted(os.listdir(".")) == ["file", "folder", "missing", "new", "nowhere", "x" * 255, "y"]


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that every user may enter."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def test_places_that_others_cannot_write(public_folder: Path) -> None:
    (public_folder / "mine").mkdir(0o777)
    (public_folder / "mine").chmod(0o777)
    (public_folder / "mine/protected").write_bytes(b"")
    (public_folder / "hidden").mkdir(0o700)
    (public_folder / "old").write_bytes(b"")
    lines = as_nobody("""
from pathlib import Path
from ossicle.base.files.output import check_writable
from ossicle.base.problem import SettingProblem
for path in ("new", "new/x", "old", "mine/protected", "hidden/x", "/proc/x", "mine/new", "mine/a/b"):
    try:
        check_writable(Path(path))
        print("ok")
    except SettingProblem as problem:
        print(problem)
""", public_folder).splitlines()
    assert lines[-2:] == ["ok", "ok"] and len(lines) == 8
    assert all(mentions(line, "Permission denied") for line in lines[:-2]), lines
