"""The sample of targets/sample: how it behaves on the host, and that every machine plays the same session."""
from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from c_programs import INCLUDES, RUNTIME, SANITIZERS, SANITIZING, STRICT, build_program
from ossicle.bank.file import read_bank
from ossicle.bank.graph.steps import worst_step
from ossicle.machines import known_step_costs, list_supported_targets, load_target
from play_sample import MACHINES, NAME, SAMPLE, SESSION_TICKS, Session, build, main, play
from mentions import mentions

HERE = Path(__file__).resolve().parent
SHORT_TICKS = 1000
TICK_US = 16_667  # SAMPLE_TICK_US
ESTIMATE_FACTOR = 4  # between the estimate of the worst step and the worst tick of the session
LEAST = {"left_foot": 6, "right_foot": 6, "air": 1, "land": 1, "hello": 1, "travelled_mm": 10_000}


def session(target: str, character: Path, folder: Path, ticks: int) -> dict[str, str]:
    return played(target, character, folder, ticks).printed


def played(target: str, character: Path, folder: Path, ticks: int) -> Session:
    machine = load_target(target)
    return play(machine, build(machine, character, folder / target, ticks))


def costs_no_more(target: str, played_there: Session, character: Path) -> float:
    """Asserts that no tick cost more than the estimate, where that is known. Returns the estimate divided by the
    most, or 1."""
    costs = known_step_costs(target)
    worst = played_there.costs.get(f"{costs.unit} worst")
    if costs.target != target or worst is None:
        return 1.0
    step = worst_step(read_bank(character / f"{NAME}.ossb"), costs, TICK_US)
    assert step is not None and worst <= step.cost
    return step.cost / worst


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
        there = played(target, character, tmp_path, SHORT_TICKS)
        assert there.printed == expected, target
        costs_no_more(target, there, character)


@pytest.mark.exhaustive
def test_every_target_plays_the_long_session(character: Path, tmp_path: Path) -> None:
    expected = session("host", character, tmp_path, SESSION_TICKS)
    for target in list_supported_targets():
        there = played(target, character, tmp_path, SESSION_TICKS)
        assert there.printed == expected, target
        assert costs_no_more(target, there, character) <= ESTIMATE_FACTOR, target


def test_the_script_lists_the_clips_played(built_encoder: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--targets", "host", "--ticks", "60"]) == 0
    assert capsys.readouterr().out.startswith("host: ticks 60, ")
    assert main(["--targets", "hots"]) == 1
    assert mentions(capsys.readouterr().err, "hots host")
