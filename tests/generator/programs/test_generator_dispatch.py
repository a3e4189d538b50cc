"""One program with the code of several processors, chosen when it starts, as platforms/README.md shows it."""
from __future__ import annotations

import platform
import re
from pathlib import Path

import pytest
from bank_builder import bank_bytes, biped, random_clips
from c_programs import RUNTIME, build_program
from compiling import ROOT, STRICT, run
from pages import parts, read_blocks

from ossicle.generate.code import Code
from ossicle.generate.emit import generate

MAIN = """
#include <stdio.h>
#include <string.h>

int main(void)
{
    static hero_player player;
    static hero_pose plain, chosen;
    osc_bank bank;
    if (hero_open(&bank, hero_bank, sizeof hero_bank) != OSC_OK ||
        hero_player_init(&player, &bank) != OSC_OK ||
        osc_player_start(&player.player, 0, OSC_PLAY_LOOP) != OSC_OK)
        return 1;
    choose();
    for (int32_t position = 0; position < 20480; position += 333) {
        (void)osc_player_seek_q11(&player.player, position);
        hero_evaluate(&player, &plain);
        evaluate(&player, &chosen);
        if (memcmp(&plain, &chosen, sizeof plain) != 0)
            return 2;
    }
    printf("%s\\n", osc_cpu_find() == OSC_CPU_AVX2 && evaluate != hero_evaluate ? "avx2" : "sse");
    return 0;
}
"""


def block(language: str) -> str:
    """The only block of the page's part in this language."""
    blocks = read_blocks(parts("platforms/README.md")["dispatch"])
    [found] = [block.text for block in blocks if block.language == language]
    return found


@pytest.mark.exhaustive
@pytest.mark.skipif(platform.machine() != "x86_64", reason="not an x86")
def test_the_code_for_two_processors_in_one_program(tmp_path: Path) -> None:
    spec = biped()
    (tmp_path / "hero.ossb").write_bytes(bank_bytes(spec, random_clips(spec, 11)))
    generate(tmp_path / "hero.ossb", tmp_path, Code(embed=True))
    commands = block("sh").replace("\\\n", " ").strip().splitlines()
    for command in commands:
        words = [word.replace("-I", f"-I{ROOT}/") if word.startswith("-I")
                 else word.replace("build/game/", f"{tmp_path}/") for word in command.split()]
        run([words[0], *(STRICT if words[0] == "gcc" else ()), *words[1:]])
    (tmp_path / "main.c").write_text(block("c") + MAIN, encoding="utf-8")
    objects = [tmp_path / name for name in re.findall(r"-o build/game/(\S+)", block("sh"))]
    build_program("gcc", [*STRICT, "-O2", f"-I{ROOT / 'runtime'}", f"-I{ROOT / 'platforms/sse'}",
                          f"-I{tmp_path}"],
                  [*(tmp_path / name for name in ("main.c", "hero_bank.c", "hero_tables.c")), *objects, *RUNTIME],
                  tmp_path / "play")
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    assert run([tmp_path / "play"]).stdout == ("avx2\n" if "avx2" in flags else "sse\n")
