"""`ossicle inspect`, `diff` and the errors of a report show tiers, of versions as well as of keys."""
from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bank_writer import Clip, Constant, Skeleton, write_bank
from published.dense_sample import dense_sample
from running import HERO
from samples.sample_banks import IDENTITY, ONE
from tiers.tier_writer import Chunk, tier_sections, version_chunk
from samples.version_sample import BLOCK, version_sample

from ossicle.analysis.analysis import analyse
from ossicle.analysis.difference import Difference, difference
from ossicle.analysis.errors import errors_m
from ossicle.analysis.subject import Subject, encoded_subject
from ossicle.analysis.tier_errors import tier_errors_m, without_its_tiers
from ossicle.bank.clips import name_hash
from ossicle.bank.file import Bank, describe, parse_bank
from ossicle.bank.strip import without_tiers
from ossicle.bank.tiers import block_count, block_frames
from ossicle.cli.main import main
from ossicle.encoding import native
from ossicle.encoding.encoder import encode_clips
from ossicle.encoding.sections import names_section
from ossicle.encoding.settings import Settings
from ossicle.importers.importer import read_clips
from mentions import mentions

SHELL_M = 0.03
COARSE_M, FINE_M = 8e-3, 5e-4
IN_TIERS = {"divided": [1, 2], "round": [1, 2], "short": [1, 2], "keyed": [1, 2], "plain": []}


def inspected(path: Path, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert main(["inspect", str(path), *more]) == 0
    return capsys.readouterr().out


def rows_under(text: str, title: str) -> list[list[str]]:
    """The cells of a table, its head first."""
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(title)) + 1
    last = next((number for number in range(first, len(lines)) if not lines[number].strip()), len(lines))
    return [line.split() for line in lines[first:last]]


@pytest.mark.parametrize("frames", [1, 2, 3, 16, 17, 18, 33, 34])
def test_blocks_cover_a_clip(frames: int) -> None:
    """Neighbours share a frame."""
    blocks = [block_frames(frames, 4, block) for block in range(block_count(frames, 4))]
    assert sum(blocks) - len(blocks) + 1 == frames and min(blocks) >= min(frames, 2)


def test_inspect_lists_tiers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "versions.ossb"
    path.write_bytes(without_tiers(parse_bank(version_sample().bank), 1)[0])
    bank = parse_bank(path.read_bytes())
    text = inspected(path, capsys)
    assert mentions(text, BLOCK)
    first, two = bank.tiers
    assert rows_under(text, "tiers")[1:] == [
        ["base", f"{bank.tier_set.base_error_mm:.4f}"],
        ["1", "in", "the", "bank", f"{4 * first.words:,}", str(len(first.chunks)), f"{first.error_mm:.4f}"],
        ["2", "elsewhere", f"{4 * two.words:,}", str(len(two.chunks)), f"{two.error_mm:.4f}"]]
    clips = rows_under(text, "clips")
    assert clips[0][-1] == "tiers"
    for row in clips[1:]:
        numbers = IN_TIERS[row[0]]
        assert row[-len(numbers):] == [str(tier) for tier in numbers] if numbers else row[-1] not in ("1", "2")
    report = json.loads(inspected(path, capsys, "--json"))
    assert {clip["name"]: clip["tiers"] for clip in report["clips"]} == IN_TIERS
    assert report["block_frames"] == BLOCK and report["base_error_mm"] == pytest.approx(bank.tier_set.base_error_mm)
    assert [(tier["in_bank"], tier["bytes"], len(tier["chunks"])) for tier in report["tiers"]] == [
        (True, 4 * first.words, len(first.chunks)), (False, 4 * two.words, len(two.chunks))]
    assert sum(chunk["bytes"] for tier in report["tiers"] for chunk in tier["chunks"]) == 4 * (first.words + two.words)


def test_whole_clips_have_no_blocks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "dense.ossb"
    path.write_bytes(dense_sample().bank)
    text = inspected(path, capsys)
    assert "\ntiers\n" in text and "blocks of" not in text


def test_banks_without_tiers_have_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "plain.ossb"
    path.write_bytes(write_bank(Skeleton([-1], [[*IDENTITY, 0, 0, 0]], ([], [], [])), [Clip(3)]))
    assert "tier" not in inspected(path, capsys)


# ---- differences ----

def hand_bank(*factors: int, log2: int = 2, there: tuple[int, ...] = (1,)) -> Bank:
    """Two clips of nine frames at rest, and versions in which a joint is elsewhere: of each block that has a
    factor in the first clip. The second clip has one in its first block."""
    skeleton = Skeleton([-1], [[*IDENTITY, 0, 0, 0]], ([], [0], []), names=["hips"])

    def version(factor: int) -> Clip:
        return Clip(5, constants=[Constant(0, 10, (factor, 0, 0))])

    chunks: list[Chunk] = [version_chunk(skeleton, 0, block, version(factor)) for block, factor in enumerate(factors)]
    chunks.append(version_chunk(skeleton, 1, 0, version(9)))
    return parse_bank(write_bank(skeleton, [Clip(9, name="walk"), Clip(9, name="run")],
                                 behind=tier_sections([chunks], log2, there=there)))


def compared(before: Bank, after: Bank) -> Difference:
    result = difference(before, after, SHELL_M)
    for of in ("before_bits", "after_bits"):
        for parts in (result.clips + result.beside_clips, result.joints + result.beside_joints):
            assert sum(getattr(part, of) or 0 for part in parts) == getattr(result.whole, of)
    return result


def test_another_version_is_another_clip() -> None:
    walk, run = compared(hand_bank(1, 2), hand_bank(1, 3)).clips
    assert not walk.is_same and walk.growth_bits == 0 and walk.apart.metres == pytest.approx((3 - 2) / 1024)
    assert 4 <= walk.apart.frame <= 8 and walk.apart.joint == "hips"
    assert run.is_same


def test_versions_count_for_their_clips() -> None:
    walk, run = compared(hand_bank(1), hand_bank(1, 2)).clips
    chunk = hand_bank(1, 2).tiers[0].chunks[1]
    assert walk.growth_bits == 32 * (chunk.words + 3) and not walk.is_same
    assert walk.apart.metres == pytest.approx(2 / 1024)
    assert run.is_same


def test_tiers_that_are_elsewhere_do_not_play() -> None:
    walk, run = compared(hand_bank(1, 2), hand_bank(1, 2, there=())).clips
    assert walk.apart.metres == pytest.approx(2 / 1024) and run.apart.metres == pytest.approx(9 / 1024)
    assert walk.growth_bits < 0 and run.growth_bits < 0
    walk, run = compared(hand_bank(1, 2, there=()), hand_bank(1, 3, there=())).clips
    assert walk.is_same and run.is_same


def test_the_same_versions_of_other_blocks_are_found() -> None:
    """As long as clips, so that the block alone tells where they play."""
    skeleton = Skeleton([-1], [[*IDENTITY, 0, 0, 0]], ([], [0], []), names=["hips"])
    banks = []
    for block in (0, 1):
        chunk = version_chunk(skeleton, 0, block, Clip(5, constants=[Constant(0, 10, (ONE >> 12, 0, 0))]))
        banks.append(parse_bank(write_bank(skeleton, [Clip(9, name="walk")], behind=tier_sections([[chunk]], 2))))
    (walk,) = compared(*banks).clips
    assert not walk.is_same and walk.growth_bits == 0 and walk.apart.metres == pytest.approx(1 / 4)


# ---- errors ----

@pytest.fixture(scope="module")
def tiered() -> Subject:
    """The clips of a source, coarse; the first one in two tiers finer, the other one in the second."""
    settings = Settings()
    imported = read_clips([HERO], settings.importing)
    subject = encoded_subject("hero", encode_clips(imported, settings), imported, settings, [HERO])
    source = subject.source
    skeleton = native.Skeleton(source.skeleton.parents, source.skeleton.bind)

    def encoded(clip: int, tolerance_m: float) -> native.EncodedClip:
        clip_input = source.clips[clip]
        status, result, _ = native.encode_clip(skeleton, native.ClipInput(clip_input.frames, clip_input.steps),
                                               native.EncodeSettings(tolerance_m, SHELL_M))
        assert status == native.OK and result is not None
        return result

    names = [clip.name for clip in source.clips]
    versions = (native.Version(1, 0, 0, encoded(0, COARSE_M / 4)), native.Version(2, 0, 0, encoded(0, FINE_M)),
                native.Version(2, 1, 0, encoded(1, FINE_M)))
    data = native.write_bank(
        skeleton, [encoded(clip, COARSE_M) for clip in range(len(names))],
        [(name_hash(name), 30 << 16, round(30 * 2048 * 2**32 / 1e6)) for name in names],
        names_section(source.skeleton.names, names), tiers=native.Tiers(2, versions=versions))
    return replace(subject, bank=parse_bank(data))


def test_versions_have_errors_without_their_tiers(tiered: Subject) -> None:
    assert len(tiered.bank.tiers) == 2 and len(tiered.bank.clips) >= 2
    stripped = without_its_tiers(tiered)
    first, second = tier_errors_m(stripped, 0), tier_errors_m(stripped, 1)
    assert COARSE_M >= first[0] > COARSE_M / 4 >= first[1] > FINE_M
    assert COARSE_M >= second[0] == second[1] > FINE_M
    for clip in (0, 1):
        assert float(np.max(errors_m(tiered, clip))) <= FINE_M
    for clip in range(2, len(tiered.bank.clips)):
        assert tier_errors_m(stripped, clip) == []


def test_a_report_has_them_too(tiered: Subject) -> None:
    document = analyse(tiered)
    first, second = document["clips"][:2]
    assert first["tier_errors_mm"][0] > first["tier_errors_mm"][1] > first["worst"]["error_mm"]
    assert second["tier_errors_mm"][0] == second["tier_errors_mm"][1] > second["worst"]["error_mm"]
    errors = [document["bank"]["tiers"][tier]["error_mm"] for tier in range(2)]
    base = describe(tiered.bank)["base_error_mm"]
    assert base >= errors[0] >= errors[1] >= max(clip["worst"]["error_mm"] for clip in document["clips"][:2])
    assert base >= max(first["tier_errors_mm"][0], second["tier_errors_mm"][0]) - 1e-3
