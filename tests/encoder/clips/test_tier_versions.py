"""Tiers with finer versions of clips: the errors and sizes that are stated hold, as the runtime plays."""
from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from made_clips import write_capture
from shell_measure import shell_errors

from ossicle.base.option_values import LAYER
from ossicle.bank.file import Bank, parse_bank
from ossicle.bank.strip import without_tiers
from ossicle.base.problem import SettingProblem
from ossicle.encoding import native
from ossicle.encoding.encoder import BankResult, encode_clips
from ossicle.encoding.problems import EncodeProblem
from ossicle.encoding.settings import ClipRule, Settings
from ossicle.encoding.tiers.sizes import TierTargets, parse_tiers
from ossicle.importers.importer import read_clips
from ossicle.model.clip import Imported
from ossicle.model.import_options import ImportOptions
from ossicle.model.joint_rules import JointRule
from ossicle.model.lengths import Tolerance
from ossicle.reporting.console import tier_table
from mentions import mentioning, mentions

HERO = Path(__file__).resolve().parents[3] / "codegen/demo/hero.glb"
TOLERANCE_M = 1e-3
SHELL_M = 0.03
STEP_M = 2.0**-20  # of an error that the directory of tiers states
ROUNDING_M = 1e-6  # single precision of the decoded clip
LOOPS = (ClipRule("Idle", loop=True), ClipRule("Walk", loop=True), ClipRule("Run", loop=True))
KEYS_MOVE = {"codec": "preset", "preset": "acl-2.1-tiers"}


@pytest.fixture(scope="module")
def hero() -> Imported:
    return read_clips([HERO], ImportOptions(only=("Walk", "Jump", "Signal")))


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """Motion capture of several blocks."""
    return read_clips([write_capture(tmp_path_factory.mktemp("capture") / "long.bvh", frames=330)])


def encoded(imported: Imported, tiers: TierTargets = TierTargets(), **options: object) -> BankResult:
    settings = Settings(effort="fast", optimise="bank", tiers=tiers, **{"clips": ()} | options)
    return encode_clips(imported, settings)


def errors_m(result: BankResult, tiers: int) -> list[float]:
    """The largest error of each clip, at frames and midpoints, with the first tiers alone."""
    data = result.bank if tiers == len(parse_bank(result.bank).tiers) else without_tiers(
        parse_bank(result.bank), tiers)[0]
    words, found = native.bank_words(data), []
    for index, clip in enumerate(result.sources):
        played = native.decode_clip(words, index, len(result.skeleton.names), midpoints=True).astype(float)
        halves = (clip.frames[1:] + np.where(  # rotations in one hemisphere
            np.arange(10) < 4, _signs(clip.frames)[..., None], 1.0) * clip.frames[:-1]) / 2
        reference = np.empty((2 * len(clip.frames) - 1, *clip.frames.shape[1:]))
        reference[::2], reference[1::2] = clip.frames, halves
        moved = clip.steps[1:].any(axis=(1, 2))
        off = shell_errors(result.skeleton.parents, reference, played, SHELL_M)
        off[1::2][moved] = 0.0  # a track that jumps has no midpoint
        found.append(float(off.max()))
    return found


def _signs(frames: np.ndarray) -> np.ndarray:
    return np.where((frames[1:, :, :4] * frames[:-1, :, :4]).sum(-1) < 0, -1.0, 1.0)


def bytes_with(bank: Bank, tiers: int) -> int:
    return len(without_tiers(bank, tiers)[0]) if tiers < len(bank.tiers) else bank.size_bytes


def levels(bank: Bank) -> list[float]:
    return [bank.tier_set.base_error_mm, *(tier.error_mm for tier in bank.tiers)]


@pytest.mark.parametrize("stated", [(0.008, 0.003), (0.02,), (0.05, 0.02, 0.008, 0.003)])
def test_stated_errors_hold_and_coarser_banks_are_smaller(hero: Imported, stated: tuple[float, ...]) -> None:
    result = encoded(hero, TierTargets(errors_m=stated), clips=LOOPS[1:2])
    bank = parse_bank(result.bank)
    assert len(bank.tiers) == len(stated) and bank.tiers[0].chunks
    for tiers, limit in enumerate((*stated, TOLERANCE_M)):
        worst = max(errors_m(result, tiers))
        assert worst <= limit + ROUNDING_M
        assert levels(bank)[tiers] * 1e-3 == pytest.approx(worst, abs=2 * ROUNDING_M)
        reported = max((*clip.tier_errors_mm, clip.error_mm)[tiers] for clip in result.clips)
        assert reported <= levels(bank)[tiers] < reported + 1e3 * STEP_M  # rounded up: it is a promise
    plain = encoded(hero, clips=LOOPS[1:2], tolerance=Tolerance(metres=stated[0]))
    directory = 4 * (5 + 3 * len(stated) + 3 * sum(len(tier.chunks) for tier in bank.tiers))
    assert bytes_with(bank, 0) <= 1.05 * len(plain.bank) + directory
    sizes = [bytes_with(bank, tiers) for tiers in range(len(stated) + 1)]
    assert sizes == sorted(sizes) and sizes[0] < 0.8 * len(encoded(hero, clips=LOOPS[1:2]).bank)


def test_the_report_has_the_bytes_of_each_tier(hero: Imported) -> None:
    result = encoded(hero, TierTargets(errors_m=(0.01,)))
    bank = parse_bank(result.bank)
    for index, clip in enumerate(result.clips):
        assert clip.tier_bytes[0] == bank.clips[index].size_bytes and sum(clip.tier_bytes) == clip.bytes
        chunk = next(chunk for chunk in bank.tiers[0].chunks if chunk.clip == index)
        assert 4 * chunk.words == clip.tier_bytes[1]
        assert clip.tier_errors_mm[0] * 1e-3 == pytest.approx(errors_m(result, 0)[index], abs=ROUNDING_M)
        assert clip.error_mm <= TOLERANCE_M * 1e3
    assert result.report()["clips"][0]["tier_bytes"] == result.clips[0].tier_bytes


@pytest.mark.parametrize("stated", [("50%",), ("40%", "70%"), ("2200B",), ("1500B", "2kB", "3kB")])
def test_stated_sizes_hold(hero: Imported, stated: tuple[str, ...]) -> None:
    whole = len(encoded(hero).bank)
    targets = parse_tiers(list(stated), "tiers")
    result = encoded(hero, targets)
    bank = parse_bank(result.bank)
    for tiers, limit in enumerate(targets.limits(whole)):
        assert bytes_with(bank, tiers) <= limit
    assert max(errors_m(result, len(bank.tiers))) <= TOLERANCE_M + ROUNDING_M
    assert max(errors_m(result, 0)) <= levels(bank)[0] * 1e-3 + ROUNDING_M


def test_more_room_for_the_base_never_makes_it_worse(hero: Imported) -> None:
    errors = [levels(parse_bank(encoded(hero, TierTargets(shares=(share,))).bank))[0] for share in (0.35, 0.5, 0.7)]
    assert all(coarse > fine for coarse, fine in pairwise(errors))


@pytest.mark.parametrize("codec", ["auto", "delta", "curve", "transform", "velocity"])
@pytest.mark.parametrize("block_log2", [6, 8])
def test_long_clips_are_divided(capture: Imported, codec: str, block_log2: int) -> None:
    result = encoded(capture, TierTargets(errors_m=(0.02,)), codec=codec, tier_block_log2=block_log2)
    bank = parse_bank(result.bank)
    blocks = [chunk.block for chunk in bank.tiers[0].chunks]
    assert blocks == list(range(-(-329 // (1 << block_log2)))) and bank.tier_set.block_log2 == block_log2
    assert max(errors_m(result, 1)) <= TOLERANCE_M + ROUNDING_M < max(errors_m(result, 0)) <= 0.02 + ROUNDING_M
    assert result.clips[0].error_mm * 1e-3 == pytest.approx(max(errors_m(result, 1)), abs=ROUNDING_M)


@pytest.mark.parametrize("frames", [65, 129, 130])
def test_a_loop_may_be_divided(tmp_path: Path, frames: int) -> None:
    """Also where its end is that of a block."""
    g = GltfBuilder()
    g.node("Body", children=[1])
    g.node("Arm", translation=[0.5, 0, 0])
    g.skin([0, 1])
    times = np.arange(frames) / 30
    phase = 2 * np.pi * times / times[-1]
    g.animation("Swing", *((joint, "rotation", times, [turn("z", 40 * np.sin(joint + 3 * p) + 10 * np.sin(7 * p))
                                                       for p in phase], "LINEAR") for joint in (0, 1)))
    imported = read_clips([g.write_glb(tmp_path)])
    result = encoded(imported, TierTargets(errors_m=(0.02,)), clips=(ClipRule("*", loop=True),), tier_block_log2=6)
    bank = parse_bank(result.bank)
    assert result.clips[0].loop and len(bank.tiers[0].chunks) == -(-(frames - 1) // 64)
    assert max(errors_m(result, 1)) <= TOLERANCE_M + ROUNDING_M


def test_keys_between_frames_count_in_their_block(tmp_path: Path) -> None:
    g = GltfBuilder()
    g.node("Body", children=[1])
    g.node("Arm", translation=[0.5, 0, 0])
    g.skin([0, 1])
    times = np.sort(np.random.default_rng(3).uniform(0.0, 5.0, 60))
    times[0], times[-1] = 0.0, 5.0
    g.animation("Swing", (1, "rotation", times, [turn("z", 60 * np.sin(5 * t)) for t in times], "LINEAR"))
    imported = read_clips([g.write_glb(tmp_path)])
    result = encoded(imported, TierTargets(errors_m=(0.02,)), tier_block_log2=6)
    assert len(parse_bank(result.bank).tiers[0].chunks) > 1 and result.warnings == []
    assert result.clips[0].error_mm <= TOLERANCE_M * 1e3


def test_tolerances_of_clips_and_joints_hold_in_proportion(hero: Imported) -> None:
    joints = (JointRule("*_hand", Tolerance(metres=TOLERANCE_M / 4)),)
    rules = (ClipRule("Jump", tolerance=Tolerance(metres=0.015)), ClipRule("Signal", mode=LAYER))
    result = encoded(hero, TierTargets(errors_m=(0.01,)), joints=joints, clips=rules)
    bank = parse_bank(result.bank)
    of_clip = {clip.name: index for index, clip in enumerate(bank.clips)}
    assert {bank.clips[chunk.clip].name for chunk in bank.tiers[0].chunks} == {"Walk", "Signal"}
    assert errors_m(result, 0)[of_clip["Jump"]] <= 0.015 + ROUNDING_M
    data = without_tiers(bank, 0)[0]
    walk = of_clip["Walk"]
    played = native.decode_clip(native.bank_words(data), walk, len(bank.joints), midpoints=False).astype(float)
    off = shell_errors(result.skeleton.parents, result.sources[walk].frames, played, SHELL_M)
    hands = [index for index, name in enumerate(result.skeleton.names) if name.endswith("_hand")]
    assert off[:, hands].max() <= 0.01 / 4 + ROUNDING_M < off.max()


def test_the_same_bank_with_any_number_of_threads(hero: Imported, capture: Imported) -> None:
    for imported in (hero, capture):
        settings = Settings(effort="fast", tiers=TierTargets(shares=(0.4, 0.7)), tier_block_log2=7)
        banks = {encode_clips(imported, settings, jobs).bank for jobs in (1, 2, 5)}
        assert len(banks) == 1


def test_clips_that_are_as_small_as_they_can_be_have_nothing_in_tiers(hero: Imported) -> None:
    still = replace(hero.clips[0], name="Still", frames=np.repeat(hero.skeleton.bind[None], 20, axis=0),
                    steps=np.zeros_like(hero.clips[0].steps[:20]), curve=None)
    result = encoded(replace(hero, clips=[*hero.clips, still]), TierTargets(errors_m=(0.01,)))
    bank = parse_bank(result.bank)
    assert {chunk.clip for chunk in bank.tiers[0].chunks} == {0, 1, 2}
    assert result.clips[3].tier_bytes == [bank.clips[3].size_bytes, 0]


@pytest.mark.parametrize(("stated", "words"), [
    ([], "1 4"), (["1mm"] * 5, "1 4"), ("8mm", "1 4"), ([8], "1 4"),
    (["8mm", "60%"], "8mm 60%"), (["8mm", "9mm"], "9mm"),
    (["8mm", "8mm"], "8mm"), (["60%", "30%"], "30%"), (["100%"], "100%"),
    (["0%"], "0%"), (["40kB", "40kB"], "40kB"), (["8 furlongs"], "furlongs"), (["8mm", "-1mm"], "-1mm"),
    (["nan%"], "tiers nan% 8mm"), ([""], "tiers 8mm"),
    (["8mm", "4px"], "tiers 4px 8mm 40kB 30%"),
    (["40"], "tiers 40 8mm 40kB 30%"),
])
def test_what_cannot_be_tiers(stated: object, words: str) -> None:
    with pytest.raises(SettingProblem, match=mentioning(words)):
        parse_tiers(stated, "tiers")


@pytest.mark.parametrize("shares", [(0.485,), (0.49,), (0.5, 0.7)])
def test_few_bytes_for_keys_that_move(hero: Imported, shares: tuple[float, ...]) -> None:
    """Slightly more than the size with the fewest keys, if estimates find none."""
    result = encoded(hero, TierTargets(shares=shares), **KEYS_MOVE)
    bank = parse_bank(result.bank)
    assert len(bank.tiers) == len(shares)
    for tier, share in enumerate(shares):
        assert 0.9 * share < len(without_tiers(bank, tier)[0]) / len(result.bank) <= share


@pytest.mark.parametrize(("tiers", "warned"), [
    (TierTargets(shares=(0.34,)), 1), (TierTargets(sizes=(1100,)), 1), (TierTargets(shares=(0.6,)), 0),
    (TierTargets(errors_m=(0.2,)), 0),
])
def test_a_small_base_that_is_far_off(hero: Imported, tiers: TierTargets, warned: int) -> None:
    result = encoded(hero, tiers)
    warnings = [warning for warning in result.warnings if mentions(warning, "--tiers")]
    assert len(warnings) == warned
    if warned:
        worst = max(result.clips, key=lambda clip: clip.tier_errors_mm[0])
        assert mentions(warnings[0], f"hero.glb {worst.name} --tiers {worst.tier_errors_mm[0]:,.0f}mm")


@pytest.mark.parametrize("digits", [20, 400, 5000])
def test_a_size_of_many_digits_is_as_any_other_that_is_too_large(hero: Imported, digits: int) -> None:
    with pytest.raises(EncodeProblem, match=mentioning("--tiers")):
        encoded(hero, parse_tiers([f"{'9' * digits}kB"], "tiers"))


@pytest.mark.parametrize("tiers", [TierTargets(errors_m=(0.02,)), TierTargets(shares=(0.9,))])
def test_clips_with_nothing_for_tiers_beside_clips_whose_keys_move(hero: Imported, tiers: TierTargets) -> None:
    result = encoded(hero, tiers, **KEYS_MOVE, clips=(ClipRule("Walk", codec="preset", preset="unreal4-none"),))
    bank = parse_bank(result.bank)
    moved = {chunk.clip for chunk in bank.tiers[0].chunks}
    assert moved and moved <= {1, 2}
    if tiers.errors_m:
        assert max(errors_m(result, 0)) <= tiers.errors_m[0] + ROUNDING_M
    else:
        assert bytes_with(bank, 0) <= tiers.shares[0] * len(result.bank)


def test_a_kept_frame_may_be_a_time(hero: Imported) -> None:
    """The clips have 30 frames a second."""
    by_time, by_number = (encoded(hero, TierTargets(errors_m=(0.02,)), **KEYS_MOVE,
                                  clips=(ClipRule("Walk", keep_frames=(frame,)),)).bank for frame in ("0.4s", 12))
    assert by_time == by_number != encoded(hero, TierTargets(errors_m=(0.02,)), **KEYS_MOVE).bank


@pytest.mark.parametrize("digits", [2, 400])
def test_a_time_behind_the_clip_is_no_frame(hero: Imported, digits: int) -> None:
    with pytest.raises(SettingProblem, match=mentioning("Walk keep_frames")):
        encoded(hero, **KEYS_MOVE, clips=(ClipRule("Walk", keep_frames=(f"{'9' * digits}s",)),))


def test_the_table_of_an_encoding_has_the_bytes_of_its_tiers(hero: Imported) -> None:
    result = encoded(hero, TierTargets(shares=(0.6, 0.8)))
    shown = tier_table(result)
    assert shown is not None
    sums = [int(row[3].replace(",", "")) for row in shown.rows]
    bank = parse_bank(result.bank)
    assert sums == [len(without_tiers(bank, 0)[0]), len(without_tiers(bank, 1)[0]), len(result.bank)]


def test_a_base_as_large_as_the_bank_needs_no_tiers(hero: Imported) -> None:
    whole = len(encoded(hero).bank) + 32  # with an empty tier
    encoded(hero, TierTargets(sizes=(whole - 4,)))
    with pytest.raises(EncodeProblem, match=mentioning("--tiers")):
        encoded(hero, TierTargets(sizes=(whole,)))


def test_sizes_that_cannot_be(hero: Imported) -> None:
    with pytest.raises(EncodeProblem, match=mentioning("500")):
        encoded(hero, TierTargets(sizes=(500,)))
    with pytest.raises(EncodeProblem, match=mentioning("--tiers")):
        encoded(hero, TierTargets(sizes=(1_000_000,)))
    with pytest.raises(EncodeProblem, match=mentioning("0.5mm")):
        encoded(hero, TierTargets(errors_m=(0.0005,)))


def test_memory_that_versions_exceed(capture: Imported) -> None:
    whole = encoded(capture, codec="delta")
    result = encoded(capture, TierTargets(errors_m=(0.02,)), codec="delta", max_ram_bytes=whole.player_bytes)
    assert result.player_bytes <= whole.player_bytes


def test_the_smallest_base_is_the_one_that_is_named(capture: Imported) -> None:
    """Also of a clip in blocks, each with an entry in the directory."""
    with pytest.raises(EncodeProblem) as caught:
        encoded(capture, TierTargets(sizes=(500,)), tier_block_log2=6)
    smallest = max(int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", str(caught.value)))
    bank = parse_bank(encoded(capture, TierTargets(sizes=(smallest,)), tier_block_log2=6).bank)
    assert bank.tier_set.block_log2 == 6 and bytes_with(bank, 0) == smallest
