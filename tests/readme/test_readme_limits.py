"""The limits that the documentation states hold on both sides: the last value that works, and the next one.

Others are tested elsewhere: times in test_cli_early, breaks of a clip in test_cli_errors, frame rates of a
bank in test_encoder_limits, ends of loops in test_encoder_loops, rows of a seek in test_seek_costs.c, and
banks that generated code takes or refuses in test_generator_equality."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from figures import figure
from gltf_builder import GltfBuilder
from pose_driver import Driver, Query

from ossicle.encoding import problems as encode_problems
from ossicle.encoding import native
from ossicle.bank.file import parse_bank
from ossicle.encoding.encoder import BankResult, EncodeProblem, encode, encode_clips
from ossicle.model.clip import Clip, Imported, Skeleton
from ossicle.model.import_options import ImportOptions
from ossicle.encoding.settings import Settings

FAST = Settings(effort="fast", codec="delta")
STEP = 1e-6
ENTRY = (1, 30 << 16, 263882790)


def imported(frames: np.ndarray) -> Imported:
    """A clip [F, J, 10] at 30 Hz of a chain of joints."""
    joints = frames.shape[1]
    skeleton = Skeleton(tuple(f"j{joint}" for joint in range(joints)),
                        np.arange(-1, joints - 1, dtype=np.int32), frames[0])
    clip = Clip("move", 30.0, frames, np.zeros((len(frames), joints, 3), bool), "move.bvh")
    return Imported(skeleton, [clip])


def poses(frames: int, joints: int = 1) -> np.ndarray:
    transforms = np.zeros((frames, joints, 10))
    transforms[..., 3] = transforms[..., 7:] = 1.0
    return transforms


def encoded(frames: np.ndarray) -> BankResult:
    return encode_clips(imported(frames), FAST)


def single_clip(joints: int = 1) -> tuple[native.Skeleton, native.EncodedClip]:
    frames = poses(1, joints)
    skeleton = native.Skeleton(np.arange(-1, joints - 1), frames[0])
    status, clip, _ = native.encode_clip(
        skeleton, native.ClipInput(frames, np.zeros((1, joints, 3), bool)), native.EncodeSettings(1e-3))
    assert status == native.OK and clip is not None
    return skeleton, clip


def test_joints() -> None:
    most = figure("limits.joints")
    assert len(parse_bank(encoded(poses(2, most)).bank).joints) == most
    with pytest.raises(EncodeProblem, match=f"^move.bvh: {most + 1} joints; the limit is {most}$"):
        encoded(poses(2, most + 1))


def test_clips() -> None:
    most = figure("limits.clips")
    skeleton, clip = single_clip()
    entries = [(number, *ENTRY[1:]) for number in range(most + 1)]
    assert len(native.write_bank(skeleton, [clip] * most, entries[:most], bytes(8))) > 12 * most
    with pytest.raises(native.NativeProblem, match=f"{most:,} clips"):
        native.write_bank(skeleton, [clip] * (most + 1), entries, bytes(8))


@pytest.mark.exhaustive
def test_bytes_of_a_bank(driver: Driver) -> None:
    most = figure("limits.bank_bytes")
    skeleton, clip = single_clip()
    other = len(native.write_bank(skeleton, [clip], [ENTRY], bytes(4))) - 4
    bank = native.write_bank(skeleton, [clip], [ENTRY], bytes(most - 4 - other))
    assert len(bank) == most - 4
    status, _, (answer,) = driver.ask(bank, [Query(0, 0, 0)])
    assert status == 0 and answer.left == 0
    with pytest.raises(native.NativeProblem, match="256 MB"):
        native.write_bank(skeleton, [clip], [ENTRY], bytes(most - other))


def write_swing(path: Path, keys: int) -> Path:
    """A clip with this number of keys in its one second."""
    g = GltfBuilder()
    g.node("hip")
    times = np.arange(keys + 1) / keys
    g.animation("Swing", (0, "translation", times, np.sin(9 * times)[:, None] * [1, 0, 0], "LINEAR"))
    return g.write_glb(path)


def test_frames_per_second(tmp_path: Path) -> None:
    most = figure("limits.rate_hz")
    assert encode_problems.MAX_RATE == most
    source = write_swing(tmp_path, most)
    for options in (ImportOptions(), ImportOptions(fps=float(most))):
        [clip] = encode([source], Settings(effort="fast", importing=options)).clips
        assert (clip.rate, clip.frames) == (most, most + 1)
    over = encoded_at(most + 1)
    with pytest.raises(EncodeProblem, match=f"{most + 1} frames per second, over {most}; choose"):
        encode_clips(over, FAST)


def encoded_at(rate: float) -> Imported:
    single = imported(poses(3))
    clip = single.clips[0]
    return Imported(single.skeleton, [Clip(clip.name, float(rate), clip.frames, clip.steps, clip.source)])


def test_different_rates() -> None:
    most = figure("limits.rates")
    single = imported(poses(2))

    def clips(count: int) -> Imported:
        return Imported(single.skeleton, [Clip(f"c{i}", 20.0 + i, single.clips[0].frames, single.clips[0].steps,
                                               "x.bvh") for i in range(count)])

    assert len(encode_clips(clips(most), FAST).clips) == most
    with pytest.raises(EncodeProblem, match=rf"{most + 1} .* rates.* {most};"):
        encode_clips(clips(most + 1), FAST)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("axis", range(3))
def test_lengths(axis: int, sign: int) -> None:
    least = figure("limits.length_m")
    frames = poses(2)
    frames[:, 0, 4 + axis] = sign * np.array([0.0, least - 0.001])
    frames[0] = frames[1]
    assert encoded(frames).report()["worst_error_mm"] <= 1.0
    frames[1, 0, 4 + axis] = sign * least
    with pytest.raises(EncodeProblem, match=f"joint j0: frame 1: translation -?{least:g} is beyond"):
        encoded(frames)


@pytest.mark.parametrize("sign", [1, -1])
def test_chains_wrap(driver: Driver, sign: int) -> None:
    reach = figure("limits.reach_m")
    for second in (reach - 1500.25, reach - 1499.75):
        frames = poses(2, 2)
        frames[:, 0, 4], frames[:, 1, 4] = sign * 1500.0, sign * second
        _, _, (answer,) = driver.ask(encoded(frames).bank, [Query(0, 0, 0)])
        place = sign * (1500.0 + second)
        turned = place - sign * 2 * reach if abs(place) > reach else place
        assert answer.model[12 + 3] == pytest.approx(turned * 2**20, abs=4)


def breaks(frames: np.ndarray) -> int:
    """The breaks of a clip at the rate from which on frames become no more."""
    single = imported(frames)
    fast = replace(single.clips[0], rate=float(figure("limits.bvh_rate_hz")))
    return len(encode_clips(replace(single, clips=[fast]), FAST).clips[0].breaks)


@pytest.mark.parametrize("part", range(4, 7))
def test_steps_that_blend(part: int) -> None:
    least = figure("limits.blended_step_m")
    frames = poses(3)
    frames[2, 0, part] = least - STEP
    assert breaks(frames) == 0
    frames[2, 0, part] = least
    assert breaks(frames) == 1


def test_swings_that_blend() -> None:
    about = figure("limits.blended_turn_degrees")
    for degrees, jumps in ((about + 2, 0), (about + 3, 1)):
        frames = poses(3)
        half = np.radians(degrees) / 2
        frames[2, 0, :4] = 0.0, 0.0, np.sin(half), np.cos(half)
        assert breaks(frames) == jumps


def test_stepped_keys_are_breaks(tmp_path: Path) -> None:
    for mode, jumps in (("LINEAR", 0), ("STEP", 1)):
        g = GltfBuilder()
        g.node("hip")
        times, places = np.arange(4) / 30, np.zeros((4, 3))
        places[2:, 0] = 0.1
        g.animation("Hop", (0, "translation", times, places, mode))
        [clip] = encode([g.write_glb(tmp_path)], FAST).clips
        assert len(clip.breaks) == jumps
