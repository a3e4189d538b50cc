"""Files are written whole, together or not at all, also where a disk is full or a signal comes."""
from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ossicle.base.files import output
from ossicle.base.files.output import write_all
from ossicle.base.problem import SettingProblem
from running import HERO, ROOT, Ran, contents, run_command, run_inside, write_bvh
from mentions import mentioning, mentions

FAST = ("--effort", "fast", "--quiet")

OLD = {"a": b"old a", "b": b"old b", "c": b"old c"}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    for name, content in OLD.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def new_files(folder: Path) -> dict[Path, bytes]:
    """Three files that exist and two that do not, one of them in a new folder."""
    return {folder / "a": b"new", folder / "deep/er/d": b"new", folder / "b": b"new",
            folder / "e": b"new", folder / "c": b"new"}


@pytest.mark.parametrize("at", range(5))
@pytest.mark.parametrize("error", [OSError(errno.EIO, "broken"), KeyboardInterrupt(2)])
@pytest.mark.parametrize("call", ["replace", "link", "urandom"])
def test_a_failure_at_any_step_undoes_all(old: Path, monkeypatch: pytest.MonkeyPatch, at: int,
                                          error: BaseException, call: str) -> None:
    before, calls, original = contents(old), [], getattr(output.os, call)

    def failing(*arguments: object, **options: object) -> object:
        calls.append(arguments)
        if len(calls) == at + 1:
            raise error
        return original(*arguments, **options)

    monkeypatch.setattr(output.os, call, failing)
    monkeypatch.setattr(shutil, "copy2", lambda *_, **__: (_ for _ in ()).throw(error))
    if call == "link" and at >= len(OLD):
        write_all(new_files(old))
        return
    with pytest.raises(SettingProblem if isinstance(error, OSError) else KeyboardInterrupt) as caught:
        write_all(new_files(old))
    assert contents(old) == before
    if isinstance(error, OSError):
        assert mentions(str(caught.value), "broken")


def test_all_are_written_and_nothing_else(old: Path) -> None:
    write_all(new_files(old))
    assert contents(old) == {"a": b"new", "b": b"new", "c": b"new", "deep": b"(folder)",
                             "deep/er": b"(folder)", "deep/er/d": b"new", "e": b"new"}


def test_links_stay_and_lead_to_the_output(old: Path) -> None:
    """Also /dev/stdout, which is a link to a file that a shell has opened."""
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
    with pytest.raises(SettingProblem, match=mentioning("/dev/full No space left on device")):
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
    assert run_inside("build", tmp_path / "dog.toml", "--json", tmp_path / "dog.json", "--quiet") == Ran(0, "", "")
    write_bvh(tmp_path / "walk.bvh", speed=5.0)
    return tmp_path


def build(project: Path) -> Ran:
    return run_inside("build", project / "dog.toml", "--json", project / "dog.json", "--quiet")


def test_a_build_replaces_all_or_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If replacing files is interrupted at any point, the bank, its C and the report belong to one run."""
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
        assert mentions(build(project).line, "broken")
        assert contents(project) == before
    monkeypatch.setattr(output.os, "replace", original)
    assert build(project).status == 0
    after = contents(project)
    assert after.keys() == before.keys()
    assert [name for name in written if before[name] == after[name]] == []


def fill(project: Path, bytes_left: int) -> Ran:
    """The build where no file may have more bytes than these."""
    script = (f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes_left},) * 2); "
              "from ossicle.cli.main import main; sys.exit(main(sys.argv[1:]))")
    ran = subprocess.run([sys.executable, "-c", script, "build", "dog.toml", "--json", "dog.json",
                          "--quiet"], cwd=project, check=False, capture_output=True, text=True,
                         env=os.environ | {"PYTHONPATH": str(ROOT / "codegen"),
                                           "PYTHONDONTWRITEBYTECODE": "1"})
    return Ran(ran.returncode, ran.stdout, ran.stderr)


@pytest.mark.exhaustive
def test_a_disk_that_fills_leaves_the_bank_and_its_code(project: Path) -> None:
    before = contents(project)
    sizes = sorted(len(content) for name, content in before.items() if name.startswith(("bank", "code/")))
    for room in (0, sizes[1], sizes[-1] - 100):
        ran = fill(project, room)
        assert ran.status == 1 and mentions(ran.line, "File too large")
        assert contents(project) == before


@pytest.mark.parametrize(("keys", "facts"), [
    ('[sets]\nlegs = ["spin"]', "[sets] legs spin"),
    ('matrices = "q14"', "matrices q14"),
    ("rigid = true", "rigid"),
    ('name = "int"', "int"),
    ('target = "microbt"', "microbt"),
])
def test_c_that_cannot_be_generated_leaves_the_bank(project: Path, keys: str, facts: str) -> None:
    (project / "dog.toml").write_text(CONFIG + keys, encoding="utf-8")
    before = contents(project)
    assert mentions(build(project).line, facts)
    assert contents(project) == before


def test_a_folder_for_c_that_cannot_be_had_leaves_the_bank(project: Path) -> None:
    shutil.rmtree(project / "code")
    (project / "code").write_bytes(b"a file")
    before = contents(project)
    assert mentions(build(project).line, "code/dog.h Not a directory")
    assert contents(project) == before
    (project / "code").unlink()
    (project / "code/dog_pose.c").mkdir(parents=True)
    before = contents(project)
    assert mentions(build(project).line, "code/dog_pose.c Is a directory")
    assert contents(project) == before


@pytest.mark.exhaustive
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
    """Labels of pictures are neither formulas nor warnings."""
    odd = tmp_path / os.fsdecode(b"$h\\frac\xff\xe4\xba\xba$.glb")
    shutil.copy(HERO, odd)
    report = tmp_path / "report.json"
    ran = run_command("encode", odd, "-o", tmp_path / "x.ossb", "--json", report, *FAST)
    assert ran == Ran(0, "", "")
    assert {clip["source"] for clip in json.loads(report.read_text("utf-8"))["clips"]} == {odd.name}
    ran = run_command("compare", odd, "--clips", "Run", "--presets", "delta", "-o", tmp_path / "out", *FAST)
    assert ran == Ran(0, "", "")
    assert odd.with_name(f"{odd.stem}-error-size.png").name in os.listdir(tmp_path / "out")
