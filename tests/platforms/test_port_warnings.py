"""Warnings of compilers about headers that games include."""
from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INCLUDES = [f"-I{ROOT / folder}" for folder in ("runtime", "platforms/float")]


def warned(words: list[str], text: str, language: str = "c") -> str:
    """The output of a compiler."""
    return subprocess.run([*words, *INCLUDES, "-Wall", "-fsyntax-only", "-x", language, "-"], input=text, text=True,
                          capture_output=True, check=True).stderr


@pytest.mark.parametrize(("state", "warns"), [("-mthumb", True), ("-marm", False)])
def test_thumb_state_against_armv4(state: str, warns: bool) -> None:
    words = ["arm-none-eabi-gcc", "-mcpu=arm7tdmi", state, f"-I{ROOT / 'platforms/armv4'}"]
    for text in ('#include "port/osc_port.h"', '#include "osc_skin.h"'):
        assert ("#warning" in warned(words, text) and "-marm" in warned(words, text)) == warns
    assert "warning" not in warned(words, '#include "ossicle.h"')  # a game calls functions compiled elsewhere


def test_this_computer_against_armv4() -> None:
    assert warned(["gcc", f"-I{ROOT / 'platforms/armv4'}"], '#include "port/osc_port.h"') == ""


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_floats_without_old_casts(compiler: str) -> None:
    words = [compiler, "-std=c++11", "-Wextra", "-Wconversion", "-Wold-style-cast", "-Wpedantic", "-Werror",
             f"-I{ROOT / 'platforms/scalar'}"]
    assert warned(words, '#include "osc_float.h"\nfloat f(int32_t v);\nfloat f(int32_t v) { return osc_float(v); }\n',
                  "c++") == ""
