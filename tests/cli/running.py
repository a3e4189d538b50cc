"""Runs the command, inside this process or as the user would, and makes small source files."""
from __future__ import annotations

import contextlib
import io
import math
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from ossicle.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
HERO = ROOT / "codegen/demo/hero.glb"


@dataclass(frozen=True)
class Ran:
    """Exit status and what was printed."""

    status: int
    out: str
    err: str

    @property
    def line(self) -> str:
        """The one line of an error; AssertionError if there is more, or anything on stdout."""
        assert self.out == "" and self.err.count("\n") == 1 and self.err.endswith("\n"), self
        return self.err.rstrip("\n")


def run_inside(*arguments: object) -> Ran:
    """Calls main() in this process: quick."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = int(end.code or 0)
    return Ran(status, out.getvalue(), err.getvalue())


def run_command(*arguments: object, cwd: Path | None = None, environment: dict[str, str] | None = None) -> Ran:
    """Runs `python3 -m ossicle` with pipes for both outputs."""
    finished = subprocess.run(
        [sys.executable, "-m", "ossicle", *map(str, arguments)], cwd=cwd, check=False, text=True,
        capture_output=True, timeout=120, env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")} | (environment or {}))
    return Ran(finished.returncode, finished.stdout, finished.stderr)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, and every folder, by path."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"(folder)"
            for path in sorted(folder.rglob("*"))}


def write_bvh(path: Path, frames: int = 30, speed: float = 3.0, rate: float = 30.0,
              travel_cm: float = 1.0, joints: tuple[str, ...] = ("hips", "spine")) -> Path:
    """A chain of joints that swing once around in `frames` frames; the root moves travel_cm along x each frame."""
    lines = ["HIERARCHY"]
    for depth, joint in enumerate(joints):
        kind, offset = ("ROOT", "0 0 0") if depth == 0 else ("JOINT", "0 60 0")
        position = "6 Xposition Yposition Zposition" if depth == 0 else "3"
        lines += [f"{kind} {joint}", "{", f"OFFSET {offset}", f"CHANNELS {position} Zrotation Xrotation Yrotation"]
    lines += ["End Site", "{", "OFFSET 0 20 0", "}", *"}" * len(joints)]
    lines += ["MOTION", f"Frames: {frames}", f"Frame Time: {1 / rate:.9f}"]
    for f in range(frames):
        angle = 20.0 * math.sin(2.0 * math.pi * f / max(frames - 1, 1)) * speed / 3.0
        row = [travel_cm * f, 90.0, 0.0] + [angle, angle / 2, 0.0] * len(joints)
        lines.append(" ".join(f"{value:.6f}" for value in row))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
