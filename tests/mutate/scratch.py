"""Copies of the checkout in which a mutation is built and tested, and how tests run there."""
from __future__ import annotations

import compileall
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from copies import not_sources

BUILD_SECONDS = 900.0
VARIANTS = ("plain", "sanitized")  # of a C program
_LINKED = ("build/pico", "build/viewer/node_modules",  # installed by bootstrap; no goal builds them
           "build/cache")  # of scons, which only reads it here
BUILT = (".c", ".h", ".def", ".js", ".mjs", ".html", ".css")  # `scons` runs before a change of such a file shows
_TELLING = ("E   ", "FAILED ", "[  ERROR   ] --- ", "runtime error", "ERROR: AddressSanitizer", "error", "Error")


class BuildProblem(Exception):
    """Code that does not build; str() is the compiler's first error."""


@dataclass(frozen=True)
class Run:
    """The result of a test. how: why it failed; None if it passed. ran: False if every test was skipped."""

    how: str | None
    seconds: float
    ran: bool = True


@dataclass(frozen=True)
class Outcome:
    """The outcome of a mutation. killed: by which test, and its message. untested: why no test ran."""

    killed: tuple[str, str] | None = None
    is_equivalent: bool = False
    untested: str = ""


def finish(command: Sequence[str], folder: Path, environment: dict[str, str], limit_s: float, passed: str = "") -> Run:
    """Runs a test, and ends everything that it started. `passed` is in its output if not all of it was skipped."""
    begin = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, env=environment, text=True, errors="replace",
                               start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    try:
        output, _ = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Run(f"took over {limit_s:.0f} s", time.monotonic() - begin)
    how = None
    if process.returncode != 0:
        lines = [line.strip()[:160] for line in output.splitlines()]
        how = next((line for telling in _TELLING for line in lines if telling in line),
                   f"exit code {process.returncode}")
    return Run(how, time.monotonic() - begin, passed in output)


def program_of(test: str, variant: str) -> str:
    """The program of a C test."""
    return f"build/tests/{variant}/{Path(test).stem}"


@dataclass(frozen=True)
class Copy:
    """A checkout of its own. objects: where target tests keep what they compile."""

    folder: Path
    objects: Path

    def _run(self, command: Sequence[str], limit_s: float, passed: str = "") -> Run:
        # No pycache prefix: those of NumPy and of the copied sources lie beside them.
        environment = os.environ | {"OSSICLE_OBJECTS": str(self.objects), "PYTHONPYCACHEPREFIX": "",
                                    "HYPOTHESIS_STORAGE_DIRECTORY": str(self.folder / "build/hypothesis"),
                                    "PYTHONPATH": str(self.folder / "codegen")}
        return finish(command, self.folder, environment, limit_s, passed)

    def build(self, goals: Sequence[str]) -> None:
        """Builds the goals; BuildProblem if that fails."""
        run = self._run(["scons", "-Q", "--cache-readonly", f"PYTHON={sys.executable}", *goals], BUILD_SECONDS)
        if run.how is not None:
            raise BuildProblem(run.how)

    def run(self, test: str, limit_s: float) -> Run:
        """Builds and runs a test: a C program plain, and if that passes with the sanitizers; or pytest, without the
        exhaustive tests of a file or folder. BuildProblem if a program does not build."""
        if not test.endswith(".c"):
            selection = [] if "::" in test else ["-m", "not exhaustive"]
            return self._run([sys.executable, "-m", "pytest", "-q", "-x", "--tb=line", "-p", "no:cacheprovider",
                              *selection, test], limit_s, "passed")
        seconds = 0.0
        for variant in VARIANTS:
            self.build([program_of(test, variant)])
            run = self._run([str(self.folder / program_of(test, variant))], limit_s)
            seconds += run.seconds
            if run.how is not None:
                return Run(f"{variant}: {run.how}", seconds)
        return Run(None, seconds)


def make_base(root: Path, folder: Path, objects: Path, goals: Sequence[str]) -> Copy:
    """A copy of the checkout with these goals built. Objects that an earlier base has built remain."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if old.name != "build":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    shutil.copytree(root, folder, ignore=not_sources(root), dirs_exist_ok=True)
    for linked in _LINKED:
        link = folder / linked
        if (root / linked).is_dir() and not link.is_symlink():
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(root / linked)
    base = Copy(folder, objects)
    base.build(goals)
    compileall.compile_dir(folder, quiet=2)
    return base


def copy_of(base: Copy, folder: Path) -> Copy:
    """A fresh copy of the base. Its files are hard links to those of the base, which a mutation, scons and Python
    replace and do not write into."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["cp", "-al", base.folder, folder], check=True)
    for command in folder.glob("build/bin/*"):  # which has the path of its checkout in it
        text = command.read_text().replace(str(base.folder), str(folder))
        command.unlink()
        command.write_text(text)
        command.chmod(0o755)
    return Copy(folder, base.objects)
