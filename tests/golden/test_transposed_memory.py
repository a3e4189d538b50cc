"""The words that generated players have for transposed segments are enough for every segment, and each of them is
needed."""
from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from bank_writer import write_bank
from c_programs import ROOT, RUNTIME, build_program
from random_banks import random_skeleton
from random_codecs import STATE_WORDS, TRANSFORM, random_codec_clip

from ossicle import machines
from ossicle.bank.file import parse_bank
from ossicle.bank.transform import transposed_words
from ossicle.machines.tools import run_tool

MACHINE = machines.load_target("host_sse41")
BANKS = 150

pytestmark = pytest.mark.skipif(bool(MACHINE.unsupported), reason=str(MACHINE.unsupported))


def untransposed(tmp_path: Path, fewer_words: int) -> tuple[int, list[str]]:
    """Plays random clips with fewer words than they have. The number of clips, and those that were not transposed."""
    asked: list[str] = []
    flags = [*MACHINE.flags, "-std=c11", f"-I{ROOT / 'runtime'}", f"-I{MACHINE.platform_folder}"]
    program = build_program("gcc", flags, [ROOT / "tests/golden/transposed_driver.c", *RUNTIME], tmp_path / "driver")
    for seed in range(BANKS):
        rng = Random(seed)
        skeleton = random_skeleton(rng)
        skeleton.state_words = STATE_WORDS
        clip = random_codec_clip(rng, skeleton, "clip", TRANSFORM)
        parsed = parse_bank(write_bank(skeleton, [clip])).clips[0]
        words = transposed_words(parsed.state_words, parsed.tracks) - fewer_words
        if words > parsed.state_words:
            skeleton.state_words = parsed.state_words
            (tmp_path / f"{seed}.ossb").write_bytes(write_bank(skeleton, [clip]))
            asked += [f"{seed}.ossb", "0", str(words - parsed.state_words)]
    played = run_tool([str(program), *asked], cwd=tmp_path)
    assert played.returncode == 0
    return len(asked) // 3, played.stdout.splitlines()


def test_every_segment_is_transposed(tmp_path: Path) -> None:
    clips, refused = untransposed(tmp_path, 0)
    assert clips > BANKS // 3
    assert refused == []


def test_fewer_words_are_too_few(tmp_path: Path) -> None:
    clips, refused = untransposed(tmp_path, 1)
    assert len(refused) == clips > BANKS // 3
