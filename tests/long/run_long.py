"""Runs all steps of steps.py one after another, even if some fail: `scons long`.

Prints the name, the outcome and the duration of each, the end of the log of those that fail, and a summary."""
from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from steps import ROOT, Step, steps_of  # noqa: E402

LIMIT_S = 1800.0  # after which a step is killed
SHOWN_LINES = 30  # of the log of a step that fails


def seed_of_commit(root: Path) -> int:
    """Returns a seed that differs between commits, or 0 without git."""
    try:
        found = subprocess.run(["git", "-C", str(root), "rev-parse", "HEAD"], check=False, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return 0
    return int(found.stdout[:8], 16) if found.returncode == 0 else 0


def run_step(step: Step, root: Path, log: Path, limit_s: float) -> str:
    """Runs a step and returns why it failed, or an empty text. Its output goes to the file `log`. A step that takes
    longer than limit_s is killed with all that it has started."""
    command = ["scons", "-Q", "-C", str(root), f"PYTHON={sys.executable}", *step.words]
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            status = process.wait(limit_s)
        except subprocess.TimeoutExpired:
            return f"did not end within {limit_s:.0f} s"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    return f"scons ended with {status}" if status else ""


def processor_s() -> float:
    """Returns the processor time of all child processes that have ended."""
    used = os.times()
    return used.children_user + used.children_system


def minutes(seconds: float) -> str:
    """Formats a duration as minutes:seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def run_all(steps: Sequence[Step], root: Path, output: Path, limit_s: float = LIMIT_S) -> list[str]:
    """Runs all steps. Returns the goals that failed."""
    output.mkdir(parents=True, exist_ok=True)
    failed = []
    for step in steps:
        log = output / f"{step.goal}.log"
        print(" ".join(step.words), end=": ", flush=True)
        begin, used_s = time.monotonic(), processor_s()
        problem = run_step(step, root, log, limit_s)
        print(f"{'FAILED, ' + problem if problem else 'passed'}, {minutes(time.monotonic() - begin)} "
              f"({minutes(processor_s() - used_s)} of processor time)", flush=True)
        if problem:
            failed.append(step.goal)
            lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
            print("\n".join(f"    {line}" for line in lines[-SHOWN_LINES:]), flush=True)
    return failed


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 0 if all steps passed, otherwise 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="folder for logs")
    parser.add_argument("--seed", type=int, help="chooses the parts (from the commit)")
    options = parser.parse_args(arguments)
    seed = seed_of_commit(ROOT) if options.seed is None else options.seed
    print(f"long: SEED={seed} repeats these steps; {options.output} has their logs", flush=True)
    begin = time.monotonic()
    steps = steps_of(seed)
    failed = run_all(steps, ROOT, options.output)
    print(f"long: {len(steps)} steps in {minutes(time.monotonic() - begin)}, "
          + (f"{len(failed)} failed: {', '.join(failed)}" if failed else "all passed"), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
