"""The generated evaluator and composition give the bits of the generic ones."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bank_builder import SkeletonSpec, bank_bytes, biped, random_clips, random_skeleton
from c_programs import SANITIZERS, SANITIZING
from compiling import compile_strict, run
from samples.sample_banks import Sample, samples
from thinned import thinned

from ossicle.generate.code import Code
from ossicle.generate.emit import generate

DRIVER = Path(__file__).with_name("equality_driver.c")

SKELETONS = {
    "single joint": random_skeleton(1, 1, density=1.0),
    "several roots": random_skeleton(12, 2, roots=4),
    "all roots": random_skeleton(5, 9, roots=5),
    "41 joints with breaks": random_skeleton(41, 3, density=0.8, max_held=5),
    "scale": random_skeleton(33, 4, has_scale=True, max_held=3),
    "nothing animated": random_skeleton(7, 5, density=0.0, max_held=0),
    "nothing animated, scale": random_skeleton(7, 5, density=0.0, has_scale=True),
    "only translations": SkeletonSpec(*(lambda s: (s.names, s.parents, s.bind))(
        random_skeleton(6, 6)), subtracks=(set(), {0, 3, 5}, set())),
    "300 joints": random_skeleton(300, 8, roots=2, density=0.7),
    "biped": biped(),
}


def build(folder: Path, spec: SkeletonSpec, *unroll: str) -> list[Path]:
    return build_bank(folder, bank_bytes(spec, random_clips(spec, 11)), *unroll)


def build_bank(folder: Path, bank: bytes, *unroll: str) -> list[Path]:
    (folder / "hero.ossb").write_bytes(bank)
    written = generate(folder / "hero.ossb", folder, Code(embed=True, unroll=unroll))
    return [path for path in written if path.suffix == ".c"] + [DRIVER]


@pytest.mark.parametrize(("case", "unroll"), thinned(sorted(SKELETONS), ["full", "loop"]))
def test_generated_equals_generic(case: str, unroll: str, tmp_path: Path) -> None:
    sources = build(tmp_path, SKELETONS[case], unroll)
    compile_strict("gcc", sources, tmp_path / "play", "-O1")
    assert run([tmp_path / "play"]).stdout.startswith("600 poses, hash ")


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_generated_equals_generic_on_the_golden_banks(sample: Sample, tmp_path: Path) -> None:
    sources = build_bank(tmp_path, sample.bank)
    compile_strict("gcc", sources, tmp_path / "play", "-O1")
    assert "00 poses, hash " in run([tmp_path / "play"]).stdout


@pytest.mark.exhaustive
def test_every_compiler_and_level_gives_the_same_hash(tmp_path: Path) -> None:
    sources = build(tmp_path, random_skeleton(25, 4, roots=2, has_scale=True, max_held=3))
    results = set()
    for compiler in ("gcc", "clang"):
        for level in ("-O0", "-O2", "-O3"):
            compile_strict(compiler, sources, tmp_path / "play", level)
            results.add(run([tmp_path / "play"]).stdout)
    assert len(results) == 1 and results.pop().startswith("600 poses")


@pytest.mark.exhaustive
def test_sanitisers_find_nothing_in_generated_code(tmp_path: Path) -> None:
    sources = build(tmp_path, random_skeleton(41, 3, has_scale=True, max_held=5))
    compile_strict(SANITIZING, sources, tmp_path / "play", *SANITIZERS)
    run([tmp_path / "play"])


def test_the_driver_notices_a_wrong_offset(tmp_path: Path) -> None:
    sources = build(tmp_path, biped())
    pose = tmp_path / "hero_pose.c"
    text = pose.read_text(encoding="utf-8")
    assert "osc_blend_4_rotations(left + 16," in text
    pose.write_text(text.replace("osc_blend_4_rotations(left + 16,", "osc_blend_4_rotations(left + 12,"),
                    encoding="utf-8")
    compile_strict("gcc", sources, tmp_path / "play", "-O1")
    assert "pose differs" in run([tmp_path / "play"], expect=1).stdout


def test_the_driver_notices_a_wrong_parent(tmp_path: Path) -> None:
    sources = build(tmp_path, biped())
    pose = tmp_path / "hero_pose.c"
    text = pose.read_text(encoding="utf-8")
    call = "&model->joints[HERO_JOINT_{}], &model->joints[HERO_JOINT_NECK]"
    assert call.format("CHEST") in text
    pose.write_text(text.replace(call.format("CHEST"), call.format("SPINE")), encoding="utf-8")
    compile_strict("gcc", sources, tmp_path / "play", "-O1")
    assert "model differs" in run([tmp_path / "play"], expect=1).stdout


def test_a_bank_of_the_same_tracks_fits_if_its_players_need_no_more(tmp_path: Path) -> None:
    """max_held, state_words and the expected result of a bank, for code that has room for 2 and 10."""
    sources = build(tmp_path, replace(biped(), max_held=2, state_words=10))[:-1]
    banks = {"fewer": (0, 0), "other": (1, 15), "state": (2, 11), "held": (3, 10)}
    for name, (max_held, state_words) in banks.items():
        spec = replace(biped(), max_held=max_held, state_words=state_words)
        (tmp_path / f"{name}.ossb").write_bytes(bank_bytes(spec, random_clips(spec, 12, 2)))
        written = generate(tmp_path / f"{name}.ossb", tmp_path, Code(embed=True))
        sources += [path for path in written if path.suffix == ".c"]
    main = tmp_path / "main.c"
    main.write_text('''#include "hero.h"
#include "fewer.h"
#include "other.h"
#include "state.h"
#include "held.h"
#include <stdio.h>

static void give(const uint32_t *words, size_t size_bytes)
{
    static hero_player player;
    osc_bank bank;
    int opened = (int)hero_open(&bank, words, size_bytes);
    printf("%d %d\\n", opened, opened == OSC_OK ? (int)hero_player_init(&player, &bank) : 1);
}

int main(void)
{
    give(fewer_bank, sizeof fewer_bank);
    give(other_bank, sizeof other_bank);
    give(state_bank, sizeof state_bank);
    give(held_bank, sizeof held_bank);
    return 0;
}
''', encoding="utf-8")
    compile_strict("gcc", [*sources, main], tmp_path / "play", "-O1")
    assert run([tmp_path / "play"]).stdout == "0 0\n0 0\n0 -10\n0 -10\n"


def test_open_refuses_a_bank_of_another_skeleton(tmp_path: Path) -> None:
    sources = build(tmp_path, biped())
    other = biped()
    other.subtracks[1].add(4)
    (tmp_path / "other.ossb").write_bytes(bank_bytes(other, random_clips(other, 11)))
    generate(tmp_path / "other.ossb", tmp_path, Code(embed=True))
    main = tmp_path / "main.c"
    main.write_text('''#include "hero.h"
#include "other.h"
int main(void)
{
    osc_bank bank;
    if (hero_open(&bank, hero_bank, HERO_BANK_BYTES) != OSC_OK)
        return 1;
    if (hero_open(&bank, other_bank, OTHER_BANK_BYTES) != OSC_ERROR_LAYOUT)
        return 2;
    return hero_open(&bank, hero_bank, HERO_BANK_BYTES - 4) == OSC_ERROR_SIZE ? 0 : 3;
}
''', encoding="utf-8")
    others = [tmp_path / f"other_{part}.c" for part in ("bank", "pose", "tables")]
    compile_strict("gcc", [*sources[:-1], *others, main], tmp_path / "play", "-O1")
    run([tmp_path / "play"])
