"""The roots of the backends that have their own over their whole domain, on this machine or under an
emulator: part of `scons roots`. Targets whose tools are not installed are left out and named."""
from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "codegen"))

from ossicle import machines  # noqa: E402
from ossicle.machines.firmware import compile_object, link  # noqa: E402
from ossicle.machines.runner import command_for  # noqa: E402
from ossicle.machines.tools import TargetError, run_tool  # noqa: E402

PROGRAMS = ROOT / "tests/exhaustive/targets"
# One target for each way to a root: pairs in double precision, estimates in single precision, and
# single roots in single precision.
TARGETS = {"host_sse2": "vector_roots", "host_avx2": "vector_roots", "linux_aarch64": "vector_roots",
           "linux_armv7": "vector_roots", "wasm": "vector_roots", "mps2_an386": "single_roots"}
SECONDS = 1200.0


def check(name: str) -> str:
    """Builds and runs the target's program; returns its output. TargetError if a root is wrong."""
    machine = machines.load_target(name)
    with tempfile.TemporaryDirectory() as folder:
        sources = [PROGRAMS / f"{TARGETS[name]}.c", ROOT / "targets/print.c",
                   ROOT / "targets/hal_flash.c", *machine.sources, *(ROOT / "runtime").rglob("*.c")]
        objects = [compile_object(machine, source, Path(folder)) for source in sources]
        image = Path(folder) / "roots.elf"
        link(machine, objects, image)
        done = run_tool(command_for(machine, image), timeout_s=SECONDS)
    if done.returncode != 0:
        raise TargetError(f"target {name}: {done.stdout.strip()}")
    return f"{name}: {done.stdout.strip()}"


def main() -> int:
    """0 where all roots are right."""
    there = [name for name in TARGETS if name in machines.list_supported_targets()]
    for name in sorted(set(TARGETS) - set(there)):
        print(f"{name}: left out, its tools or processor are missing")
    try:
        with ThreadPoolExecutor(max_workers=2) as pool:
            for line in pool.map(check, there):
                print(line, flush=True)
    except TargetError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
