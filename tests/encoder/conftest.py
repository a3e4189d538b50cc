"""The encoder's tests import their support modules from this folder."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest
from c_programs import ENCODER, ENCODER_SANITIZERS, ROOT, RUNTIME, SANITIZING, build_program

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session", autouse=True)
def every_test_encodes(built_encoder: None) -> None:
    """No test of this folder runs without the library."""


@pytest.fixture(scope="session")
def codec_driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that fits, writes and plays tracks of a codec."""
    program = tmp_path_factory.mktemp("codec") / "codec_driver"
    sources = [ROOT / "tests/encoder/codec_driver.c", ROOT / "tests/support/c/bank_tools.c", *RUNTIME, *ENCODER]
    return build_program(SANITIZING, ENCODER_SANITIZERS, sources, program, ["-lm"])
