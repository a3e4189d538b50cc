"""Memory runs out at every place of the encoder that allocates some: it is reported, and all memory is freed."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import memory_fails
from c_programs import COMPILER, ENCODER, ENCODER_INCLUDES, RUNTIME, build_program

WRAPPED = [f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "realloc", "free")]
LEAST_PLACES = 300  # with the calls of decoding; hundreds fewer would mean that places are not told apart


def test_memory_runs_out_everywhere(tmp_path: Path) -> None:
    library = build_program(
        COMPILER, ["-std=c99", "-O1", "-ffp-contract=off", "-fPIC", "-fno-omit-frame-pointer", *ENCODER_INCLUDES],
        [*ENCODER, *RUNTIME, Path(memory_fails.__file__).with_name("failing_memory.c")], tmp_path / "encoder.so",
        ["-shared", "-lm", *WRAPPED])
    finished = subprocess.run(
        [sys.executable, memory_fails.__file__, tmp_path], check=False, text=True, capture_output=True, timeout=300,
        env=os.environ | {"OSSICLE_ENCODER": str(library), "PYTHONPATH": os.pathsep.join(sys.path)})
    assert finished.returncode == 0, finished.stderr[-400:]
    result = json.loads(finished.stdout)
    assert not result["problems"] and result["tried"] > LEAST_PLACES
