"""Programmer errors end in OSC_ASSERT in generated code, and in the C library's assert with OSC_DEBUG."""
from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from bank_builder import bank_bytes, biped, random_clips
from compiling import INCLUDES, ROOT, STRICT, run

from ossicle.generate.code import Code
from ossicle.generate.emit import generate

RUNTIME = ROOT / "build/host/libossicle.a"
COUNTED = "-DOSC_ASSERT(condition)=(failed += !(condition))"
MAIN = """
#include "hero_pose.c"
int failed;

int main(int count, char **words)
{
    static hero_player player;
    static hero_pose pose;
    (void)words;
    if (hero_player_init(&player, &hero_embedded) != OSC_OK)
        return 10;
    if (count > 1 && osc_player_start(&player.player, HERO_CLIP_CLIP1, OSC_PLAY_LOOP) != OSC_OK)
        return 11;
    if (count > 2)
        (void)osc_player_seek_q11(&player.player, 1000);
    hero_evaluate(&player, &pose);
    return failed;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("asserts")
    spec = biped()
    (output / "hero.ossb").write_bytes(bank_bytes(spec, random_clips(spec, 11)))
    generate(output / "hero.ossb", output, Code(embed=True))
    (output / "failed.h").write_text("extern int failed;\n", encoding="utf-8")
    (output / "main.c").write_text(MAIN, encoding="utf-8")
    return output


def status(folder: Path, flag: str, steps: int) -> int:
    """Exit status of a program that takes so many of the steps before hero_evaluate."""
    program = folder / "program"
    run(["gcc", *STRICT, flag, "-include", folder / "failed.h", *INCLUDES, f"-I{folder}",
         *(folder / f"{name}.c" for name in ("main", "hero_tables", "hero_bank")), RUNTIME, "-o", program])
    return subprocess.run([program, *"ab"[:steps]], check=False, capture_output=True).returncode


@pytest.mark.parametrize(("steps", "failed"), [(0, 1), (1, 1), (2, 0)])
def test_a_player_that_was_never_started_or_sought(folder: Path, steps: int, failed: int) -> None:
    assert status(folder, COUNTED, steps) == failed


def test_a_debug_build_ends_in_assert(folder: Path) -> None:
    assert status(folder, "-DOSC_DEBUG=1", 0) == -6  # SIGABRT
    assert status(folder, "-DOSC_DEBUG=1", 2) == 0
    assert status(folder, "-DOSC_OTHER=1", 0) == 0
