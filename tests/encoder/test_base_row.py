"""A bank with a base row is smaller, and plays as without it; a bank that would save too little has none."""
from __future__ import annotations

import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from c_programs import INCLUDES, ROOT, STRICT
from encoding import axis_angle

from ossicle.analysis.bits import bits_of
from ossicle.bank.assembling import has_section
from ossicle.bank.clips import name_hash
from ossicle.bank.file import BASE_ROW, BankProblem, parse_bank
from ossicle.bank.strip import without_tiers
from ossicle.encoding import native
from ossicle.encoding.sections import names_section
from ossicle.generate.code import Code
from ossicle.generate.emit import code_files

JOINTS, FRAMES, CLIPS = 12, 20, 16
ALONE, MANY = 31, 3  # restart points
BIND = np.tile([0, 0, 0, 1, 0, 0.1, 0, 1, 1, 1], (JOINTS, 1)).astype(float)
RUNTIME = ROOT / "build/host/libossicle.a"
TOO_MUCH = 10**6


def motion(seed: int, frames: int = FRAMES) -> np.ndarray:
    """[F, J, 10]: joints that leave a stance that all clips share."""
    shared, own = np.random.default_rng(1), np.random.default_rng(seed)
    moved = np.tile(BIND, (frames, 1, 1))
    stance, axis = shared.normal(size=(JOINTS, 3)), own.normal(size=(JOINTS, 3))
    swing = np.sin(np.linspace(0, np.pi, frames))[:, None] * own.uniform(0.1, 0.6, JOINTS)
    angle = np.linalg.norm(stance, axis=1) + own.uniform(-0.02, 0.02, JOINTS)
    turn = axis_angle(np.broadcast_to(stance, (frames, JOINTS, 3)), np.broadcast_to(angle, (frames, JOINTS)))
    more = axis_angle(np.broadcast_to(axis, (frames, JOINTS, 3)), swing)
    a, b = turn[..., :3], more[..., :3]
    moved[..., :3] = turn[..., 3:] * b + more[..., 3:] * a + np.cross(a, b)
    moved[..., 3] = turn[..., 3] * more[..., 3] - (a * b).sum(-1)
    moved[:, 0, 4:7] += np.array([0.3, 0.9, -0.2]) + 0.1 * swing[:, :1]
    return moved


@lru_cache(maxsize=None)
def skeleton() -> native.Skeleton:
    return native.Skeleton(np.arange(-1, JOINTS - 1), BIND)


@lru_cache(maxsize=None)
def clip_of(seed: int, tolerance_m: float = 1e-3, restart_log2: int = ALONE, effort: str = "default",
            additive: bool = False) -> native.EncodedClip:
    frames = motion(seed)
    source = native.ClipInput(frames, np.zeros((FRAMES, JOINTS, 3), bool), over=BIND if additive else None)
    status, clip, _ = native.encode_clip(skeleton(), source, native.EncodeSettings(
        tolerance_m, restart_log2=restart_log2, effort=effort, codecs=("curve",)))
    assert status == native.OK and clip is not None
    return clip


def bank_of(clips: Sequence[native.EncodedClip], base_row_bytes: int, tiers: native.Tiers = native.Tiers()) -> bytes:
    names = [f"clip{i}" for i in range(len(clips))]
    entries = [(name_hash(name), 30 << 16, 263882790) for name in names]
    bank = native.write_bank(skeleton(), list(clips), entries, names_section([f"j{j}" for j in range(JOINTS)], names),
                             tiers=tiers, base_row_bytes=base_row_bytes)
    assert native.verify_clips(native.bank_words(bank), clips, tiers) is None
    return bank


def pose_hash(bank: bytes) -> int:
    return native.pose_hash(native.bank_words(bank))


@pytest.mark.parametrize("tolerance_m, effort", [(1e-3, "default"), (1e-4, "fast")])
def test_a_base_row_saves_bytes_and_changes_no_pose(tolerance_m: float, effort: str) -> None:
    clips = [clip_of(seed, tolerance_m, effort=effort) for seed in range(CLIPS)]
    without, bank = bank_of(clips, 0), bank_of(clips, 1)
    assert not has_section(without, BASE_ROW) and parse_bank(bank).has_base_row
    assert len(bank) < 0.95 * len(without)
    assert pose_hash(bank) == pose_hash(without)


def test_a_base_row_has_to_save_the_bytes_of_its_code() -> None:
    clips = [clip_of(seed) for seed in range(CLIPS)]
    without = bank_of(clips, 0)
    saved = len(without) - len(bank_of(clips, 1))
    assert len(bank_of(clips, saved // 2)) == len(without) - saved
    assert bank_of(clips, 2 * saved) == bank_of(clips, TOO_MUCH) == without
    assert native.bank_size(clips, base_row_bytes=1).clip_bytes < native.bank_size(clips).clip_bytes


def test_a_single_clip_needs_no_base_row() -> None:
    assert bank_of([clip_of(0)], 1) == bank_of([clip_of(0)], 0)


def test_additive_clips_and_clips_of_several_blocks_keep_plain_keys() -> None:
    others = [clip_of(100, additive=True), clip_of(101, restart_log2=MANY)]
    alone = [clip_of(seed) for seed in range(CLIPS)]
    without, bank = (parse_bank(bank_of([*others, *alone], least)) for least in (0, 1))
    sizes = [[clip.size_bytes for clip in parsed.clips] for parsed in (without, bank)]
    assert sizes[0][:2] == sizes[1][:2] and sum(sizes[0]) > sum(sizes[1])
    assert bank_of(others, 1) == bank_of(others, 0)


def test_versions_in_tiers_have_it_and_play_without_their_tier() -> None:
    coarse = [clip_of(seed, 2e-2) for seed in range(CLIPS)]
    tiers = native.Tiers(1, versions=tuple(native.Version(1, seed, 0, clip_of(seed)) for seed in range(CLIPS)))
    without, bank = (bank_of(coarse, least, tiers) for least in (0, 1))
    assert parse_bank(bank).has_base_row and pose_hash(bank) == pose_hash(without)
    stripped = without_tiers(parse_bank(bank), 0)[0]
    assert parse_bank(stripped).has_base_row
    assert pose_hash(stripped) == pose_hash(without_tiers(parse_bank(without), 0)[0])


STREAMED = """
#include <stdio.h>

#include "ossicle.h"

static uint32_t read_words(const char *path, uint32_t *words, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint32_t bytes = (uint32_t)fread(words, 1, size, file);
    fclose(file);
    return bytes;
}

static void print_hash(const osc_bank *bank)
{
    static int32_t memory[10000];
    osc_player player;
    uint32_t hash = OSC_HASH_START;
    osc_player_init(&player, bank, memory, sizeof memory);
    for (uint32_t clip = bank->clip_count; clip-- > 0u;)
        for (int32_t position = 0; position < 19 * 2048; position += 2048) {
            if (position == 0)
                osc_player_start(&player, clip, OSC_PLAY_ONCE);
            osc_player_seek_q11(&player, position);
            for (uint32_t i = 0; i < 48u; i++)
                hash = (hash ^ (uint32_t)player.rows[0][i] ^ (uint32_t)player.rows[1][i]) * 16777619u;
        }
    printf("%u ", (unsigned)hash);
}

int main(int count, char **arguments)
{
    static uint32_t whole[100000], base[100000], tier[100000];
    osc_bank bank;
    uint32_t sizes[] = {read_words(arguments[1], whole, sizeof whole), read_words(arguments[2], base, sizeof base),
                        read_words(arguments[3], tier, sizeof tier)};
    int32_t status = osc_bank_open(&bank, whole, sizes[0]);
    print_hash(&bank);
    status |= osc_bank_open(&bank, base, sizes[1]);
    print_hash(&bank);
    status |= osc_bank_attach_tier(&bank, 1, tier, sizes[2]);
    print_hash(&bank);
    return status | (count - 4);
}
"""


def test_a_tier_that_arrives_later_has_it(tmp_path: Path) -> None:
    tiers = native.Tiers(1, versions=tuple(native.Version(1, seed, 0, clip_of(seed)) for seed in range(CLIPS)))
    (tmp_path / "main.c").write_text(STREAMED, encoding="utf-8")
    subprocess.run(["gcc", *STRICT, *INCLUDES, tmp_path / "main.c", RUNTIME, "-o", tmp_path / "main"], check=True)
    printed = []
    for least in (0, 1):
        bank = bank_of([clip_of(seed, 2e-2) for seed in range(CLIPS)], least, tiers)
        base, files = without_tiers(parse_bank(bank), 0)
        paths = [tmp_path / name for name in ("whole", "base", "tier")]
        for path, content in zip(paths, (bank, base, files[1]), strict=True):
            path.write_bytes(content)
        printed.append(subprocess.run([tmp_path / "main", *paths], check=True, capture_output=True,
                                      text=True).stdout.split())
    whole, coarse, arrived = printed[1]
    assert printed[0] == printed[1] and whole == arrived != coarse


def test_each_clip_plays_alone() -> None:
    """No clip needs another: the row is a section of the bank, which every player of the bank has."""
    clips = [clip_of(seed) for seed in range(CLIPS)]
    without, bank = (native.bank_words(bank_of(clips, least)) for least in (0, 1))
    for clip in (CLIPS - 1, 0, 7):
        alone = native.decode_clip(bank, clip, JOINTS, midpoints=True)
        assert np.array_equal(alone, native.decode_clip(without, clip, JOINTS, midpoints=True))


def test_every_bit_is_counted() -> None:
    bank = parse_bank(bank_of([clip_of(seed) for seed in range(CLIPS)], 1))
    bits = bits_of(bank)
    section = next(section for section in bank.sections if section.tag == BASE_ROW)
    assert bits.total == 8 * bank.size_bytes and bits.other[BASE_ROW] == 32 * section.words
    assert all(clip.shared < 250 for clip in bits.clips)  # sizes, the counts of tracks and constants, and padding


def test_a_base_row_of_another_size_is_refused() -> None:
    bank = bank_of([clip_of(seed) for seed in range(CLIPS)], 1)
    section = next(section for section in parse_bank(bank).sections if section.tag == BASE_ROW)
    words = native.bank_words(bank).copy()
    words[5 + 3 * 3 + 2] = section.words - 1
    words[3] = crc_of(words)
    with pytest.raises(BankProblem, match=f"BASE has {section.words - 1} words, but .* need {section.words}"):
        parse_bank(words.tobytes())
    assert native.check_bank(words)[0] == -6  # OSC_ERROR_SECTION


def crc_of(words: np.ndarray) -> int:
    return crc32(words[4:].tobytes(), crc32(words[:3].tobytes()))


MAIN = """
#include <stdio.h>

#include "game.h"

static int32_t memory[GAME_MEMORY_BYTES / 4];

int main(int count, char **arguments)
{
    static uint32_t words[100000];
    osc_bank opened;
    FILE *file = fopen(arguments[count - 1], "rb");
    size_t size = fread(words, 1, sizeof words, file);
    osc_player player;
    osc_player_init(&player, &game_embedded, memory, GAME_MEMORY_BYTES / 4);
    for (uint32_t clip = 0; clip < GAME_CLIP_COUNT; clip++) {
        uint32_t hash = OSC_HASH_START;
        osc_player_start(&player, clip, OSC_PLAY_ONCE);
        for (uint32_t i = 0; i < 48u; i++)
            hash = (hash ^ (uint32_t)player.rows[0][i]) * 16777619u;
        printf("%u ", (unsigned)hash);
    }
    printf("%d\\n", (int)game_open(&opened, words, size));
    return 0;
}
"""


def test_generated_code_links_it_where_its_bank_has_one(tmp_path: Path, built_encoder: None) -> None:
    clips, printed = [clip_of(seed) for seed in range(CLIPS)], {}
    banks = {least: bank_of(clips, least) for least in (0, 1)}
    for least, bank in banks.items():
        folder = tmp_path / str(least)
        folder.mkdir()
        for name, content in code_files(parse_bank(bank), Code("game", True)).items():
            (folder / name).write_bytes(content)
        (folder / "main.c").write_text(MAIN, encoding="utf-8")
        (folder / "other.ossb").write_bytes(banks[1])
        subprocess.run(["gcc", *STRICT, "-Wl,--gc-sections", *INCLUDES, f"-I{folder}", *sorted(folder.glob("*.c")),
                        RUNTIME, "-o", folder / "main"], check=True)
        printed[least] = subprocess.run([folder / "main", folder / "other.ossb"], check=True, capture_output=True,
                                        text=True).stdout.split()
        symbols = subprocess.run(["nm", folder / "main"], check=True, capture_output=True, text=True).stdout
        assert ("osc_base_row_codec" in symbols) == (least == 1)
    assert printed[0][:-1] == printed[1][:-1]
    assert printed[0][-1] == "-13" and printed[1][-1] == "0"  # OSC_ERROR_CODEC
