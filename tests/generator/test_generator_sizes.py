"""Sizes and the bind pose of a generated header are those that the runtime finds in the bank."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from bank_builder import bank_bytes, biped, random_clips, random_skeleton
from compiling import INCLUDES, ROOT, STRICT, run
from published.dense_sample import dense_sample
from tiered_bank import tiered

from ossicle.bank.file import parse_bank
from ossicle.bank.strip import without_tiers
from ossicle.generate.code import Code
from ossicle.generate.emit import generate

RUNTIME = ROOT / "build/host/libossicle.a"
MAIN = """
#include "hero.h"
#include "osc_mix.h"

int main(void)
{
    static const struct { uint32_t clip, words; } shared[] = {SHARED};
    static hero_player player;
    static hero_pose pose;
    if (osc_transition_memory_words(&hero_embedded) != HERO_TRANSITION_WORDS)
        return 1;
    for (uint32_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (osc_shared_rows_most_words(&hero_embedded, shared[i].clip) != (int32_t)shared[i].words)
            return 2;
    hero_bind(&hero_embedded, &pose);
    const osc_pose view = hero_pose_view(&pose);
    for (uint32_t joint = 0; joint < HERO_JOINT_COUNT; joint++) {
        const osc_quaternion q = view.rotations[joint];
        const osc_vector t = view.translations[joint];
        static const int32_t bind[][10] = {BIND};
        const int32_t *b = bind[joint];
        if (q.x != b[0] || q.y != b[1] || q.z != b[2] || q.w != b[3] || t.x != b[4] || t.y != b[5] || t.z != b[6])
            return 3;
        if (view.scales != 0 && (view.scales[joint].x != b[7] || view.scales[joint].z != b[9]))
            return 4;
    }
    (void)player;
    return 0;
}
"""
BIPED, SCALED = biped(), random_skeleton(5, 9)
BANKS = {
    "breaks": bank_bytes(BIPED, random_clips(BIPED, 11)),
    "scales": bank_bytes(SCALED, random_clips(SCALED, 3)),
    "tiers in blocks": tiered(3),
    "tiers of keys": dense_sample().bank,
}


@pytest.mark.parametrize("name", BANKS)
def test_numbers_are_those_of_the_runtime(name: str, tmp_path: Path) -> None:
    (tmp_path / "hero.ossb").write_bytes(BANKS[name])
    generate(tmp_path / "hero.ossb", tmp_path, Code(embed=True))
    bank, header = parse_bank(BANKS[name]), (tmp_path / "hero.h").read_text(encoding="utf-8")
    macros = re.findall(r"^#define HERO_SHARED_WORDS_(\w+)", header, re.MULTILINE)
    assert len(macros) == len(bank.clips)
    shared = ", ".join(f"{{HERO_CLIP_{macro}, HERO_SHARED_WORDS_{macro}}}" for macro in macros)
    bind = ", ".join("{" + ", ".join(map(str, joint.bind)) + "}" for joint in bank.joints)
    (tmp_path / "main.c").write_text(MAIN.replace("SHARED}", f"{shared}}}").replace("BIND}", f"{bind}}}"),
                                     encoding="utf-8")
    run(["gcc", *STRICT, *INCLUDES, f"-I{tmp_path}", tmp_path / "main.c", *sorted(tmp_path.glob("hero_*.c")), RUNTIME,
         "-o", tmp_path / "main"])
    run([tmp_path / "main"])


def test_without_some_tiers_the_rows_are_unknown(tmp_path: Path) -> None:
    (tmp_path / "hero.ossb").write_bytes(without_tiers(parse_bank(tiered(2)), 1)[0])
    generate(tmp_path / "hero.ossb", tmp_path)
    assert "HERO_SHARED_WORDS_" not in (tmp_path / "hero.h").read_text(encoding="utf-8")
