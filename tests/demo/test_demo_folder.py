"""`scons demo` replaces its earlier output: nothing of another file stays in its folder."""
from __future__ import annotations

import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
from ossicle.base import signals

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from tools import demo, flash, rom  # noqa: E402
from ossicle.machines import DoesNotFit  # noqa: E402
from running import write_bvh  # noqa: E402
from mentions import mentions

pytestmark = pytest.mark.usefixtures("built_encoder")


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo's folder; the character fits no machine, so that nothing is built."""
    def too_large(target: str, generated: Path, folder: Path) -> None:
        raise DoesNotFit(f"{target}: too large")

    monkeypatch.setattr(demo, "build", too_large)
    return tmp_path / "out"


def contents(out: Path) -> dict[str, bytes]:
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def play(path: Path, out: Path) -> int:
    return demo.main([str(path), "--output", str(out), "--tolerance", "2mm"])


@pytest.mark.parametrize("command", [demo, flash, rom])
def test_the_help_names_a_module_that_is_there(command: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--help"])
    usage = capsys.readouterr().out.split()
    assert usage[:3] == ["usage:", "python3", "-m"] and find_spec(usage[3]) is not None


def test_a_tolerance_in_pixels_is_refused(tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With advice that can be followed: the demo takes no options for a screen."""
    walk = write_bvh(tmp_path / "walk.bvh")
    assert demo.main([str(walk), "--output", str(out), "--tolerance", "0.5px"]) == 1
    assert mentions(capsys.readouterr().err, "TOLERANCE=0.5px")
    assert not out.exists()


@pytest.mark.parametrize(("failure", "status", "facts"), [
    (KeyboardInterrupt(2), 130, signals.MESSAGE),
    (OSError(28, "No space left on device"), 1, "No space left on device"),
])
def test_the_last_words_may_fail_like_the_rest(
        tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
        failure: BaseException, status: int, facts: str) -> None:
    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(demo, "_print_next_steps", fail)
    monkeypatch.setattr(threading, "active_count", lambda: 1)  # with the thread of another test, the process would end
    assert play(write_bvh(tmp_path / "walk.bvh"), out) == status
    assert mentions(capsys.readouterr().err, facts)


def test_another_file_leaves_nothing_behind(tmp_path: Path, out: Path) -> None:
    walk, wave = (write_bvh(tmp_path / f"{name}.bvh", speed=speed) for name, speed in (("walk", 3.0), ("wave", 7.0)))
    assert play(walk, out) == 0
    alone = contents(out)
    assert {"character.ossb", "report.json", "host/generated/character.h"} <= set(alone)
    assert play(wave, out) == 0
    assert contents(out).keys() == alone.keys() and contents(out) != alone
    assert play(walk, out) == 0
    assert contents(out) == alone


def test_the_program_follows_a_blank_line(
        tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "make", lambda *_: None)
    monkeypatch.setattr(demo, "print_player", lambda *_: print("PLAYER"))
    assert play(write_bvh(tmp_path / "walk.bvh"), out) == 0
    assert "\n\nPLAYER\n" in capsys.readouterr().out


def test_no_program_of_another_file_is_left(tmp_path: Path, out: Path) -> None:
    """A character that does not fit has no program; a failed demo leaves none at all.
    Files that the demo did not write stay."""
    for machine in demo.MACHINES:
        (out / machine).mkdir(parents=True)
        (out / machine / "player.elf").write_bytes(b"of another file")
    (out / "notes.txt").write_text("the user's own", encoding="utf-8")
    assert play(write_bvh(tmp_path / "walk.bvh"), out) == 0
    assert not any(name.endswith(".elf") for name in contents(out))
    broken = tmp_path / "broken.bvh"
    broken.write_text("HIERARCHY", encoding="utf-8")
    assert play(broken, out) == 1
    assert [path.name for path in out.iterdir()] == ["notes.txt"]


def test_a_source_in_the_folder_is_not_removed(tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (out / "microbit").mkdir(parents=True)
    (out / "report.json").write_text("{}", encoding="utf-8")
    walk = write_bvh(out / "microbit/walk.bvh")
    before = contents(out)
    assert play(walk, out) == 1
    assert contents(out) == before and mentions(capsys.readouterr().err, out)
