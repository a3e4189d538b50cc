"""`scons long` has a step for every goal, chooses parts by a number, and runs all steps even if some fail."""
from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import run_long  # noqa: E402
from ossicle.machines import list_supported_targets  # noqa: E402
from part import part_of  # noqa: E402
from steps import OFTEN_EXACT, PROVE_PARTS, ROOT, Step, kernel_parts, steps_of  # noqa: E402

ELSEWHERE = {"host", "encoder", "test", "lint", "long"}  # goals that are no steps
LIMIT_S = 2.0


def scons_help() -> tuple[set[str], set[str]]:
    """The goals and the variables of `scons -h`."""
    text = subprocess.run(["scons", "-Q", "-h"], cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout
    return (set(re.findall(r"^  scons (\S+)", text, re.MULTILINE)),
            set(re.findall(r"^  ([A-Z]\w+) ", text, re.MULTILINE)))


def test_every_goal_is_a_step_or_runs_elsewhere() -> None:
    goals, variables = scons_help()
    steps = steps_of(1)
    assert Counter(step.goal for step in steps) == Counter(goals - ELSEWHERE)
    assert {name for step in steps for name in step.variables} <= variables


def test_the_seed_chooses_the_parts() -> None:
    assert steps_of(7) == steps_of(7) != steps_of(8)
    by_seed = [{step.goal: step.variables for step in steps_of(seed)} for seed in range(8)]
    kernels = [set(found["prove"]["PROVE_KERNELS"].split(",")) for found in by_seed]
    assert all(kernels) and len(set.union(*kernels)) > max(map(len, kernels))


def test_the_most_special_target_is_in_every_second_run_and_the_others_take_turns() -> None:
    others = set(list_supported_targets()) - {"host", OFTEN_EXACT}
    chosen = [dict((step.goal, step.variables) for step in steps_of(seed))["exact"]["EXACT_TARGETS"]
              for seed in range(40, 40 + 2 * len(others))]
    assert set(chosen[::2]) == {OFTEN_EXACT}
    assert set(chosen[1::2]) == others


@pytest.mark.parametrize("count", [1, PROVE_PARTS, 5])
def test_parts_of_the_proofs_take_about_the_same_time(count: int) -> None:
    listed = tomllib.loads((ROOT / "tests/prove/kernels.toml").read_text(encoding="utf-8"))["kernel"]
    seconds = {kernel["name"]: kernel.get("seconds", 1.0) for kernel in listed}
    parts = kernel_parts(count)
    assert Counter(name for part in parts for name in part) == Counter(seconds.keys())
    took = [sum(seconds[name] for name in part) for part in parts]
    assert len(took) == count and max(took) - min(took) <= max(seconds.values())


@pytest.mark.parametrize("count", [1, 3, 20])
def test_as_many_parts_as_the_divisor_have_each_name_once(count: int) -> None:
    names = [f"test_{number}[{number % 3}]" for number in range(50)]
    parts = [part_of(names, f"{seed}/{count}") for seed in range(100, 100 + count)]
    assert Counter(name for part in parts for name in part) == Counter(names)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert part_of(reversed(names), f"5/{count}") == part_of(names, f"5/{count}")
    assert part_of(names, "") == names


@pytest.mark.parametrize("part", ["3", "1/0", "-1/3", "1/3 ", "a/b"])
def test_parts_that_mean_nothing(part: str) -> None:
    with pytest.raises(ValueError, match="give SEED/COUNT"):
        part_of(["a"], part)


@pytest.fixture
def scons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scons that writes down how it is called, fails for `bad` and does not end for `endless`."""
    script = tmp_path / "bin/scons"
    script.parent.mkdir()
    script.write_text('#!/bin/sh\necho "$@" >> "$(dirname "$0")/calls"\necho "output of $5"\n'
                      'case $5 in bad) exit 2;; endless) sleep 600 & wait;; esac\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}:/usr/bin:/bin")
    return script.parent / "calls"


def test_all_steps_run_and_the_failed_are_named(scons: Path, tmp_path: Path,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    steps = [Step("bad"), Step("good", {"PART": "1/2"}), Step("endless"), Step("last")]
    assert run_long.run_all(steps, tmp_path, tmp_path / "logs", LIMIT_S) == ["bad", "endless"]
    calls = scons.read_text(encoding="utf-8").splitlines()
    assert [call.split()[4:] for call in calls] == [step.words for step in steps]
    shown = capsys.readouterr().out
    assert "output of bad" in shown and "output of endless" in shown and "output of good" not in shown
    assert (tmp_path / "logs/good.log").read_text(encoding="utf-8") == "output of good\n"
    for step in steps:
        assert sum(line.startswith(f"{' '.join(step.words)}: ") for line in shown.splitlines()) == 1


@pytest.mark.parametrize(("goals", "status"), [(["good"], 0), (["bad", "good"], 1)])
def test_the_exit_status(scons: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                         capsys: pytest.CaptureFixture[str], goals: list[str], status: int) -> None:
    seeds = []
    monkeypatch.setattr(run_long, "steps_of", lambda seed: seeds.append(seed) or [Step(goal) for goal in goals])
    assert run_long.main(["--output", str(tmp_path / "logs"), "--seed", "41"]) == status
    assert seeds == [41] and "SEED=41" in capsys.readouterr().out
    run_long.main(["--output", str(tmp_path / "logs")])
    assert seeds[1] == run_long.seed_of_commit(ROOT) == run_long.seed_of_commit(ROOT)
    assert run_long.seed_of_commit(tmp_path) == 0
