"""Compiles generated code the way a game would, with every warning an error."""
from __future__ import annotations

import subprocess
from pathlib import Path

from ossicle.machines.tools import find_tool

from c_programs import INCLUDES, ROOT, RUNTIME, STRICT, build_program  # noqa: F401  (passed on)


def run(command: list[str | Path], expect: int | None = 0) -> subprocess.CompletedProcess[str]:
    """Run a command; AssertionError with its output if its exit status is not `expect`."""
    words = [str(part) for part in command]
    done = subprocess.run([find_tool(words[0]), *words[1:]], capture_output=True, text=True, check=False)
    assert expect is None or done.returncode == expect, f"{command}\n{done.stdout}{done.stderr}"
    return done


def compile_strict(compiler: str, sources: list[Path], output: Path, *flags: str) -> None:
    """Compile and link generated sources and the runtime, warnings are errors."""
    linked = [flag for flag in flags if flag.startswith("-Wl,")]
    compiled = [flag for flag in flags if flag not in linked]
    build_program(compiler, [*STRICT, *compiled, *INCLUDES, f"-I{sources[0].parent}"],
                  [*sources, *RUNTIME], output, linked)
