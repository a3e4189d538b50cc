"""Nothing is lost: no output takes the place of what was read, and where one fails all stay."""
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

from ossicle import output
from ossicle.output import check_outputs, check_place, write_all
from ossicle.problem import SettingProblem
from running import HERO, ROOT, Ran, run_command, run_inside, write_bvh

FAST = ("--effort", "fast", "--quiet")


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, and every folder, by path."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"(folder)"
            for path in sorted(folder.rglob("*"))}


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
    assert ran.status == 1 and ran.line == (f"ossicle: {shown}: belongs to the input ext.gltf; choose "
                                            "another output")
    assert contents(gltf.parent) == before


@pytest.mark.parametrize("link", [os.link, os.symlink])
@pytest.mark.parametrize("command", ["encode", "encode --json", "encode --config", "decode", "strip",
                                     "generate", "build", "build --json", "build C"])
def test_no_output_is_an_input_by_another_name(walk_bank: Path, tmp_path: Path, command: str,
                                               link: type(os.link),
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
    link(source, {"generate": "dog_pose.c", "build": "b.ossb", "build C": "dog.h"}.get(command, "other"))
    before = contents(tmp_path)
    ran = run_inside(*arguments)
    if command != "strip":  # a bank without tiers is refused anyway
        assert ": is an input; choose another output" in ran.line
    assert ran.status == 1 and contents(tmp_path) == before


def test_tier_files_are_outputs_too(tmp_path: Path) -> None:
    bank, small = tmp_path / "hero.ossb", tmp_path / "small.ossb"
    assert run_inside("encode", HERO, "-o", bank, "--preset", "acl-2.1-tiers", *FAST).status == 0
    os.link(bank, tmp_path / "small.ossb.tie2")
    before = contents(tmp_path)
    ran = run_inside("strip", bank, "--tiers", "0", "--tier-files", "-o", small)
    assert ran.line == f"ossicle: {small}.tie2: is an input; choose another output"
    assert contents(tmp_path) == before


def test_pictures_of_a_comparison_are_outputs_too(gltf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(gltf.parent)
    for name in ("clips.csv", "ext-error-size.png", "ext-gains-1mm.png"):
        os.link("ext.bin", name)
        before = contents(gltf.parent)
        ran = run_inside("compare", "ext.gltf", "--clips", "Run", "--presets", "delta", "-o", ".")
        assert f"ossicle: {name}: belongs to the input ext.gltf" in ran.line
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
    ran = subprocess.run([sys.executable, "-m", "ossicle.demo", gltf, "--output", out], text=True,
                         capture_output=True, check=False, timeout=120,
                         env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")})
    assert ran.returncode == 1 and "lies where the demo removes old files" in ran.stderr
    assert contents(tmp_path) == before


def test_outputs_of_two_names_and_one_place(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"1")
    os.link(first, second)
    with pytest.raises(SettingProblem, match="b: is written twice"):
        check_outputs({}, [first, second])
    with pytest.raises(SettingProblem, match="new/../c: is written twice"):
        check_outputs({}, [tmp_path / "c", tmp_path / "new/../c"])
    with pytest.raises(SettingProblem, match="out/x/y: lies below .*out, which is an output, too"):
        check_outputs({}, [tmp_path / "out/x/y", tmp_path / "out"])
    check_outputs({first: first}, [tmp_path / "c", tmp_path / "new/d"])
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def as_nobody(script: str, folder: Path) -> str:
    """What Python code prints that runs without root's rights, in a folder."""
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
        with pytest.raises(SettingProblem, match=f": cannot be written .{os.strerror(reason)}.; choose"):
            check_place(Path(path))
    possible = [Path(path) for path in ("x" * 255, "new/folder/x", "file", "nowhere/x", "other/../y")]
    for path in (*possible, Path("/dev/null")):
        check_place(path)
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
    said = as_nobody("""
from pathlib import Path
from ossicle.output import check_place
from ossicle.problem import SettingProblem
for path in ("new", "new/x", "old", "mine/protected", "hidden/x", "/proc/x", "mine/new", "mine/a/b"):
    try:
        check_place(Path(path))
        print("ok")
    except SettingProblem as problem:
        print(problem)
""", public_folder).splitlines()
    assert said[-2:] == ["ok", "ok"] and len(said) == 8
    assert all("cannot be written (Permission denied)" in line for line in said[:-2]), said


OLD = {"a": b"old a", "b": b"old b", "c": b"old c"}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    for name, content in OLD.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def new_files(folder: Path) -> dict[Path, bytes]:
    """Three files that are there and two that are not, one in a new folder."""
    return {folder / "a": b"new", folder / "deep/er/d": b"new", folder / "b": b"new",
            folder / "e": b"new", folder / "c": b"new"}


@pytest.mark.parametrize("at", range(5))
@pytest.mark.parametrize("error", [OSError(errno.EIO, "broken"), KeyboardInterrupt(2)])
@pytest.mark.parametrize("call", ["replace", "link", "chmod"])
def test_a_failure_at_any_step_undoes_all(old: Path, monkeypatch: pytest.MonkeyPatch, at: int,
                                          error: BaseException, call: str) -> None:
    before, calls, original = contents(old), [], getattr(output.os, call)

    def failing(*arguments: object, **options: object) -> None:
        calls.append(arguments)
        if len(calls) == at + 1:
            raise error
        original(*arguments, **options)

    monkeypatch.setattr(output.os, call, failing)
    monkeypatch.setattr(output.shutil, "copy2", lambda *_, **__: (_ for _ in ()).throw(error))
    if call == "link" and at >= len(OLD):
        write_all(new_files(old))
        return
    with pytest.raises(SettingProblem if isinstance(error, OSError) else KeyboardInterrupt) as caught:
        write_all(new_files(old))
    assert contents(old) == before
    if isinstance(error, OSError):
        assert "cannot be written (broken); choose another path" in str(caught.value)


def test_all_are_written_and_nothing_else(old: Path) -> None:
    write_all(new_files(old))
    assert contents(old) == {"a": b"new", "b": b"new", "c": b"new", "deep": b"(folder)",
                             "deep/er": b"(folder)", "deep/er/d": b"new", "e": b"new"}


def test_links_stay_and_lead_to_what_is_written(old: Path) -> None:
    """Also /dev/stdout, which is a link to what a shell has opened."""
    (old / "link").symlink_to("a")
    (old / "far").symlink_to("new/folder/x")
    write_all({old / "link": b"new", old / "far": b"new"})
    assert (old / "link").is_symlink() and (old / "a").read_bytes() == b"new"
    assert (old / "far").is_symlink() and (old / "new/folder/x").read_bytes() == b"new"
    with (old / "b").open("wb") as stream:
        ran = subprocess.run([sys.executable, "-m", "ossicle", "encode", HERO, "-o", "/dev/stdout",
                              "--effort", "fast", "--quiet"], stdout=stream, check=False, timeout=60,
                             env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")})
    assert ran.returncode == 0 and Path("/dev/stdout").is_symlink()
    assert (old / "b").read_bytes()[:4] == b"OSSB"


def test_a_file_system_without_links(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, "no links here")

    original, names = os.replace, []

    def failing(source: Path, target: Path) -> None:
        names.append(target)
        if len(names) == 3:
            raise OSError(errno.EIO, "broken")
        original(source, target)

    before = contents(old)
    monkeypatch.setattr(output.os, "link", refuse)
    monkeypatch.setattr(output.os, "replace", failing)
    with pytest.raises(SettingProblem, match="broken"):
        write_all(new_files(old))
    assert contents(old) == before


def test_a_device_that_is_full_leaves_the_files(old: Path) -> None:
    before = contents(old)
    with pytest.raises(SettingProblem, match="/dev/full: cannot be written .No space left on device"):
        write_all(new_files(old) | {Path("/dev/full"): b"new"})
    assert contents(old) == before


CONFIG = """inputs = ["walk.bvh"]
output = "bank/dog.ossb"
generate = "code"
embed = true
effort = "fast"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that was built, and whose source has changed since."""
    write_bvh(tmp_path / "walk.bvh")
    (tmp_path / "dog.toml").write_text(CONFIG, encoding="utf-8")
    assert run_inside("build", tmp_path / "dog.toml", "--json", tmp_path / "dog.json",
                      "--quiet") == Ran(0, "", "")
    write_bvh(tmp_path / "walk.bvh", speed=5.0)
    return tmp_path


def build(project: Path) -> Ran:
    return run_inside("build", project / "dog.toml", "--json", project / "dog.json", "--quiet")


def test_a_build_replaces_all_or_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the replacing stops, the bank, its C and the report are all of one run."""
    before, original = contents(project), os.replace
    written = [path for path in before if path.startswith(("bank/", "code/")) or path == "dog.json"]
    assert sorted(written) == ["bank/dog.ossb", "code/dog.h", "code/dog_bank.c", "code/dog_pose.c",
                               "code/dog_tables.c", "dog.json"]
    for stop in range(len(written)):
        left = [stop]

        def failing(source: Path, target: Path, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] == -1:
                raise OSError(errno.EIO, "broken")
            original(source, target)

        monkeypatch.setattr(output.os, "replace", failing)
        assert "cannot be written (broken)" in build(project).line
        assert contents(project) == before
    monkeypatch.setattr(output.os, "replace", original)
    assert build(project).status == 0
    after = contents(project)
    assert after.keys() == before.keys()
    assert [name for name in written if before[name] == after[name]] == []


def fill(project: Path, bytes_left: int) -> Ran:
    """The build where no file may have more bytes than these."""
    script = (f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes_left},) * 2); "
              "from ossicle.cli import main; sys.exit(main(sys.argv[1:]))")
    ran = subprocess.run([sys.executable, "-c", script, "build", "dog.toml", "--json", "dog.json",
                          "--quiet"], cwd=project, check=False, capture_output=True, text=True,
                         env=os.environ | {"PYTHONPATH": str(ROOT / "codegen"),
                                           "PYTHONDONTWRITEBYTECODE": "1"})
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def test_a_disk_that_fills_leaves_the_bank_and_its_code(project: Path) -> None:
    before = contents(project)
    sizes = sorted(len(content) for name, content in before.items() if name.startswith(("bank", "code/")))
    for room in (0, sizes[1], sizes[-1] - 100):
        ran = fill(project, room)
        assert ran.status == 1 and "cannot be written (File too large); choose" in ran.line
        assert contents(project) == before


@pytest.mark.parametrize(("keys", "said"), [
    ('[sets]\nlegs = ["spin"]', "[sets] legs: joint pattern 'spin' matches no joint"),
    ('matrices = "q14"', 'matrices = "q14" needs inverse bind matrices'),
    ("rigid = true", "rigid = true is about skinning matrices"),
    ('name = "int"', "the name 'int' is a keyword"),
    ('target = "microbt"', "unknown target 'microbt'"),
])
def test_c_that_cannot_be_generated_leaves_the_bank(project: Path, keys: str, said: str) -> None:
    (project / "dog.toml").write_text(CONFIG + keys, encoding="utf-8")
    before = contents(project)
    assert said in build(project).line
    assert contents(project) == before


def test_a_folder_for_c_that_cannot_be_had_leaves_the_bank(project: Path) -> None:
    shutil.rmtree(project / "code")
    (project / "code").write_bytes(b"a file")
    before = contents(project)
    assert "code/dog.h: cannot be written (Not a directory)" in build(project).line
    assert contents(project) == before
    (project / "code").unlink()
    (project / "code/dog_pose.c").mkdir(parents=True)
    before = contents(project)
    assert "code/dog_pose.c: cannot be written (Is a directory)" in build(project).line
    assert contents(project) == before


def test_a_comparison_is_on_disk_before_it_is_printed(tmp_path: Path) -> None:
    bvh = write_bvh(tmp_path / "walk.bvh")
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run([sys.executable, "-m", "ossicle", "compare", bvh, "--presets", "delta",
                          "--effort", "fast", "-o", tmp_path / "out"], stdout=writer,
                         stderr=subprocess.PIPE, text=True, check=False, timeout=120,
                         env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")})
    os.close(writer)
    assert ran.returncode == 1 and ran.stderr == ""
    assert len(os.listdir(tmp_path / "out")) == 4


def test_names_of_files_need_not_be_text(tmp_path: Path) -> None:
    """And what pictures say of them is neither a formula nor a warning."""
    odd = tmp_path / os.fsdecode(b"$h\\frac\xff\xe4\xba\xba$.glb")
    shutil.copy(HERO, odd)
    report = tmp_path / "report.json"
    ran = run_command("encode", odd, "-o", tmp_path / "x.ossb", "--json", report, *FAST)
    assert ran == Ran(0, "", "")
    assert {clip["source"] for clip in json.loads(report.read_text("utf-8"))["clips"]} == {odd.name}
    ran = run_command("compare", odd, "--clips", "Run", "--presets", "delta", "-o", tmp_path / "out",
                      *FAST)
    assert ran == Ran(0, "", "")
    assert odd.with_name(f"{odd.stem}-error-size.png").name in os.listdir(tmp_path / "out")
