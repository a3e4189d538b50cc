"""The sample of targets/sample: how it behaves on the host, and that every machine plays the same session."""
from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from c_programs import INCLUDES, RUNTIME, SANITIZERS, SANITIZING, STRICT, build_program
from ossicle.machines import list_supported_targets, load_target
from play_sample import MACHINES, NAME, SAMPLE, SESSION_TICKS, build, main, play
from mentions import mentions

HERE = Path(__file__).resolve().parent
SHORT_TICKS = 1000
LEAST = {"left_foot": 6, "right_foot": 6, "air": 1, "land": 1, "hello": 1, "travelled_mm": 10_000}


def session(target: str, character: Path, folder: Path, ticks: int) -> dict[str, str]:
    machine = load_target(target)
    return play(machine, build(machine, character, folder / target, ticks)).printed


def test_states_steps_and_poses(character: Path, tmp_path: Path) -> None:
    sources = [SAMPLE / "sample.c", SAMPLE / "sample_script.c", *sorted(character.glob(f"{NAME}_*.c")), *RUNTIME]
    program = build_program(SANITIZING, [*STRICT, *SANITIZERS, *INCLUDES, f"-I{SAMPLE}", f"-I{character}"],
                            [*sources, HERE / "session.c"], tmp_path / "session", ["-lcmocka", "-lm"])
    ran = subprocess.run([program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_all_machines_play_the_same_session(character: Path, tmp_path: Path) -> None:
    expected = session("host", character, tmp_path, SHORT_TICKS)
    for name, least in LEAST.items():
        assert int(expected[name]) >= least
    for target in MACHINES[1:]:
        assert session(target, character, tmp_path, SHORT_TICKS) == expected, target


@pytest.mark.exhaustive
def test_every_target_plays_the_long_session(character: Path, tmp_path: Path) -> None:
    expected = session("host", character, tmp_path, SESSION_TICKS)
    for target in list_supported_targets():
        assert session(target, character, tmp_path, SESSION_TICKS) == expected, target


def test_the_script_lists_the_clips_played(built_encoder: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--targets", "host", "--ticks", "60"]) == 0
    assert capsys.readouterr().out.startswith("host: ticks 60, ")
    assert main(["--targets", "hots"]) == 1
    assert mentions(capsys.readouterr().err, "hots host")
