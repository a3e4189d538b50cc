"""`ossicle watch`: each change of a source or a setting is built once, however the file is written."""
from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from ossicle.base.signals import MESSAGE
from ossicle.building import file_changes, job
from ossicle.building.file_changes import FileChanges
from ossicle.building.manifest import requests_of
from ossicle.cli.commands import watch
from ossicle.config.project import Project
from ossicle.model.clip import ImportProblem
from running import run_inside, write_bvh
from watching import BUILT, Watching
from mentions import mentioning, mentions

PARTS = 12  # of a file that is written for longer than the time after which it counts as complete


def test_every_change_is_built(folder: Path, watching: Watching) -> None:
    seen = watching.expect(BUILT, 0)
    assert mentions(watching.lines[0], "dog.toml Ctrl-C") and seen == 2
    first = (folder / "dog.ossb").read_bytes()

    write_bvh(folder / "new.bvh", speed=5.0)  # as editors save: another file takes its name
    os.replace("new.bvh", "clips/walk.bvh")
    seen = watching.expect(BUILT, seen)
    second = (folder / "dog.ossb").read_bytes()
    assert first != second

    with open("dog.toml", "a", encoding="utf-8") as file:
        file.write('codec = "delt"\n')
    seen = watching.expect(mentioning("dog.toml codec delt delta"), seen)
    (folder / "dog.toml").write_text('inputs = ["clips/walk.bvh"]\neffort = "fast"\ncodec = "curve"\n',
                                     encoding="utf-8")
    seen = watching.expect(BUILT, seen)

    shutil.move("clips", "elsewhere")
    seen = watching.expect(mentioning("dog.toml walk.bvh"), seen)
    shutil.move("elsewhere", "clips")
    seen = watching.expect("^(?!ossicle: )", seen)  # no problem

    assert watching.end(signal.SIGINT) == 128 + signal.SIGINT
    assert watching.lines[seen:] == [f"ossicle: {MESSAGE}\n"]
    assert mentions(run_inside("build", "dog.toml").out, "dog.toml")
    assert sorted(os.listdir()) == ["clips", "dog.manifest.json", "dog.ossb", "dog.toml"]


def watch_until(count: int, act: Callable[[int], None], **options: object) -> list[Sequence[Project]]:
    """Watches in this process until a number of builds; `act` is called after each but the last with how
    many there were. Returns what the hook was given."""
    given: list[Sequence[Project]] = []

    def hook(projects: Sequence[Project]) -> None:
        given.append(projects)
        if len(given) == count:
            raise KeyboardInterrupt
        act(len(given))

    arguments = argparse.Namespace(configs=[Path("dog.toml")], output=None, jobs=1, cache=None, cache_size=None)
    arguments.__dict__ |= options
    with pytest.raises(KeyboardInterrupt):
        watch.watch(arguments, [hook])
    return given


def test_the_hook_after_each_build(folder: Path) -> None:
    """The first time even if all is current, with every character in any case."""
    (folder / "cat.toml").write_text('inputs = ["clips/walk.bvh"]\neffort = "fast"\n', encoding="utf-8")
    assert run_inside("build", "dog.toml", "cat.toml", "-o", "out", "--quiet").status == 0
    before = [(folder / f"out/{name}.ossb").read_bytes() for name in ("dog", "cat")]
    given = watch_until(2, lambda _: Path("cat.toml").write_text(
        'inputs = ["clips/walk.bvh"]\neffort = "fast"\ncodec = "curve"\n', encoding="utf-8"),
        configs=[Path("dog.toml"), Path("cat.toml")], output=Path("out"))
    assert [[project.output for project in projects] for projects in given] == [
        [Path("out/dog.ossb"), Path("out/cat.ossb")]] * 2
    after = [(folder / f"out/{name}.ossb").read_bytes() for name in ("dog", "cat")]
    assert before[0] == after[0] and before[1] != after[1]


def test_the_report_of_a_summary_is_kept_up_to_date(folder: Path) -> None:
    assert run_inside("build", "dog.toml", "--summary", "all.csv", "--quiet").status == 0
    before = (folder / "dog.report.json").read_bytes()
    watch_until(2, lambda _: write_bvh(folder / "clips/walk.bvh", speed=5.0))
    assert (folder / "dog.report.json").read_bytes() != before
    ran = run_inside("build", "dog.toml", "--summary", "all.csv")
    assert ran.status == 0 and mentions(ran.out, "dog.toml all.csv")


def test_a_fault_stops_no_other_character_and_removes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last build plays on until the file is repaired."""
    for name in ("cat", "cow"):
        (folder / f"{name}.toml").write_text('inputs = ["clips/walk.bvh"]\neffort = "fast"\n', encoding="utf-8")

    def act(_: int) -> None:
        (folder / "cat.toml").write_text('inputs = ["clips/walk.bvh", "absent.bvh"]\n', encoding="utf-8")
        (folder / "cow.toml").write_text('inputs = ["clips/walk.bvh"]\neffort = "fast"\ncodec = "curve"\n',
                                         encoding="utf-8")
        threading.Timer(3.0, repair).start()

    def repair() -> None:
        seen.append({path.name for path in folder.glob("*.ossb")})
        (folder / "cat.toml").write_text('inputs = ["clips/walk.bvh"]\neffort = "fast"\n', encoding="utf-8")

    seen: list[set[str]] = []
    watch_until(2, act, configs=[Path("cat.toml"), Path("cow.toml")])
    printed = capsys.readouterr()
    assert seen == [{"cat.ossb", "cow.ossb"}] and mentions(printed.out, "cow.toml 1")
    assert mentions(printed.err, "cat.toml absent.bvh") and printed.err.count("\n") == 1


def test_a_source_that_is_added_is_watched(folder: Path) -> None:
    def act(builds: int) -> None:
        if builds == 1:
            write_bvh(folder / "more/run.bvh")
            Path("dog.toml").write_text('inputs = ["clips/walk.bvh", "more/run.bvh"]\neffort = "fast"\n',
                                        encoding="utf-8")
        else:
            write_bvh(folder / "more/run.bvh", speed=6.0)

    (folder / "more").mkdir()
    assert len(watch_until(3, act)) == 3


@pytest.mark.parametrize("rules", [
    'inputs = ["clips/walk.bvh", "more/**/*.bvh"]\n',
    'inputs = ["clips/walk.bvh"]\n[[retarget]]\ninputs = ["more/*.bvh"]\n'])
@pytest.mark.parametrize("exists", [False, True])
def test_the_first_file_of_a_pattern_is_seen(folder: Path, rules: str, exists: bool) -> None:
    (folder / "dog.toml").write_text(f'effort = "fast"\n{rules}', encoding="utf-8")
    if exists:
        (folder / "more").mkdir()
    request, = requests_of([Path("dog.toml")], None)
    looked_in = job.folders_searched([request])
    assert Path("more" if exists else ".") in looked_in
    with FileChanges() as changes:
        seen = changes.look_at(looked_in)
        (folder / "more").mkdir(exist_ok=True)
        write_bvh(folder / "more/run.bvh")
        assert file_changes.changed(seen)
    assert Path("more") in job.folders_searched([request])


def test_folders_of_files_with_faults_are_not_searched(folder: Path) -> None:
    """The build states the reason."""
    (folder / "cat.toml").write_text("inputs = 3\n", encoding="utf-8")
    (folder / "cow.toml").write_text("inputs = [\n", encoding="utf-8")
    requests = requests_of(list(map(Path, ("dog.toml", "clips/walk.bvh"))), None)
    cat = replace(requests[0], config=Path("cat.toml"))
    cow, none = replace(cat, config=Path("cow.toml")), replace(cat, config=Path("none.toml"))
    assert job.folders_searched([*requests, cat, cow, none]) == []


def test_a_half_written_file_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch,
                                         capsys: pytest.CaptureFixture[str]) -> None:
    """It has changed once the attempt has failed, so it is read again."""
    calls, read_sources = [], job.read_sources

    def reading(*arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == 1:
            write_bvh(folder / "clips/walk.bvh", speed=4.0)
            raise ImportProblem("walk.bvh")
        return read_sources(*arguments)

    monkeypatch.setattr(job, "read_sources", reading)
    watch_until(1, lambda _: None)
    assert len(calls) == 2 and capsys.readouterr().err == ""


def test_a_change_counts_once_it_is_complete(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_changes, "QUIET_S", 0.3)
    path, written = folder / "slow.glb", []

    def write() -> None:
        for part in range(PARTS):
            with path.open("ab") as file:
                file.write(b"part")
            written.append(part)
            time.sleep(0.05)

    with file_changes.FileChanges() as changes:
        seen = changes.look_at([path])
        assert seen == {path: None} and not file_changes.changed(seen)
        writer = threading.Thread(target=write)
        writer.start()
        changes.wait(seen)
        assert len(written) == PARTS and file_changes.changed(seen)
        writer.join()


def test_a_file_of_the_same_size_is_another(folder: Path) -> None:
    path = folder / "clips/walk.bvh"
    with file_changes.FileChanges() as changes:
        seen = changes.look_at([path])
        path.write_bytes(path.read_bytes().swapcase())
        os.utime(path, (1, 1))  # both may be written within a tick of the clock
        assert file_changes.changed(seen)


def test_a_drive_that_sends_no_events(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_changes, "LOOK_S", 0.01)
    monkeypatch.setattr(file_changes, "QUIET_S", 0.01)
    with file_changes.FileChanges() as changes:
        seen = changes.look_at([folder / "not/there/yet.glb"])
        (folder / "not/there").mkdir(parents=True)
        (folder / "not/there/yet.glb").write_bytes(b"new")
        changes.wait(seen)


def test_warnings_are_not_repeated(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open("dog.toml", "a", encoding="utf-8") as file:
        file.write("import.scale = 1e-3\n")  # so small that it is warned of
    watch_until(2, lambda _: write_bvh(folder / "clips/walk.bvh", speed=4.0))
    captured = capsys.readouterr()
    assert captured.err.count("warning") == 1 and captured.out.count("dog.toml: 1 clip") == 2


def test_what_cannot_be_watched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run_inside("watch", "dg.toml")
    assert ran.status == 1 and mentions(ran.line, "dg.toml")
    monkeypatch.setitem(sys.modules, "watchdog.observers", None)
    ran = run_inside("watch", "dog.toml")
    assert ran.status == 1 and mentions(ran.err, "python3-watchdog")


def test_a_new_file_that_matches_a_pattern(folder: Path, watching_patterns: Watching) -> None:
    """Also in a folder that exists, and in a new one."""
    watching = watching_patterns
    seen = watching.expect(BUILT, 0)
    write_bvh(folder / "clips/run.bvh", speed=3.0)
    seen = watching.expect("2 clips", seen)
    (folder / "clips/more").mkdir()
    write_bvh(folder / "clips/more/jump.bvh", speed=5.0)
    watching.expect("3 clips", seen)
