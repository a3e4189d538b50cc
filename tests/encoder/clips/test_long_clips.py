"""Long clips: their memory, how they are stored, and choices made from samples of them."""
from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from large_inputs import write_body, write_face
from ossicle.base.codec import AUTO_CODECS, CodecCosts
from ossicle.encoding import clip_encoder, encoder, native
from ossicle.encoding.choice import codec_sets
from ossicle.encoding.choice.codec_sets import (
    FLASH_PER_RAM,
    MODERATE_RAM_BYTES,
    CodecChoice,
    best_first,
    is_ruled_out,
    ram_cost,
)
from ossicle.encoding.settings import Settings
from ossicle.model.blocks import MOST_TRANSFORMS, blocks
from ossicle.model.clip import Clip, Imported, Skeleton
from ossicle.model.samples import Samples

# of a joint and frame in a clip of the codec transform, with what blocks take that short clips do not fill
MOST_BYTES = 500
JOINTS = 24  # more than have a place for their matrices at once in a clip of LONG_FRAMES
FRAMES, LONG_FRAMES = 1 << 11, 1 << 13
COSTS = CodecCosts("board", dict.fromkeys(AUTO_CODECS, 1000), dict.fromkeys(AUTO_CODECS, 3.0))
FAST = Settings(effort="fast", codec="transform")


def moving(frames: int) -> Imported:
    """A root with joints around it, all of which turn."""
    parents = np.array([-1] + [0] * (JOINTS - 1), np.int32)
    bind = np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.1, 0.0, 1.0, 1.0, 1.0], (JOINTS, 1))
    bind[1:, 4] = np.linspace(-0.5, 0.5, JOINTS - 1)
    transforms = np.repeat(bind[None], frames, axis=0)
    half = 0.2 * np.sin(np.arange(frames)[:, None] * 0.03 + np.arange(JOINTS))
    transforms[..., 2], transforms[..., 3] = np.sin(half), np.cos(half)
    skeleton = Skeleton(tuple(f"joint{joint}" for joint in range(JOINTS)), parents, bind)
    steps = np.zeros((frames, JOINTS, 3), bool)
    return Imported(skeleton, [Clip("long", 120.0, transforms, steps, "long.bvh")])


def in_columns(imported: Imported) -> Imported:
    clip = imported.clips[0]
    return replace(imported, clips=[replace(clip, frames=samples(clip.frames))])


def samples(frames: np.ndarray) -> Samples:
    return Samples(*frames.shape[:2], (frames[start:start + 100] for start in range(0, len(frames), 100)))


def peak_bytes(work: Callable[[], object]) -> int:
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # begins a new peak
    work()
    status = Path("/proc/self/status").read_text().split()
    return int(status[status.index("VmHWM:") + 1]) * 1024


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux tells the peak of a part")
def test_memory_grows_little_with_the_length() -> None:
    """In a process of its own, whose memory no other test has used."""
    ran = subprocess.run([sys.executable, "-c", "import test_long_clips; print(test_long_clips.grown_bytes())"],
                         env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}, check=True, capture_output=True,
                         text=True)
    assert float(ran.stdout) <= MOST_BYTES


def grown_bytes() -> float:
    """Returns the bytes by which the peak of an encode grows for each joint and frame."""
    peaks = []
    for frames in (FRAMES, LONG_FRAMES):
        imported = in_columns(moving(frames))
        peaks.append(peak_bytes(lambda: encoder.encode_clips(imported, FAST, jobs=1)))
    return (peaks[1] - peaks[0]) / (JOINTS * (LONG_FRAMES - FRAMES))


def test_columns_give_the_same_bank() -> None:
    imported = moving(FRAMES)
    assert encoder.encode_clips(imported, FAST).bank == encoder.encode_clips(in_columns(imported), FAST).bank
    loop = replace(FAST, mode="layer")
    assert encoder.encode_clips(imported, loop).bank == encoder.encode_clips(in_columns(imported), loop).bank


@pytest.mark.parametrize("key", [
    0, -1, slice(3, 9), slice(None, None, -1), [0, -1], np.array([3, 4, 4]), (slice(None), 2, slice(4, 7)),
    (..., slice(0, 4)),
    (slice(1, 5), slice(None), slice(4, 7)), (3, 2), (-1, 2, slice(4, 7)), (slice(None), [1, 2]),
    (slice(None), np.array([3, 0])),
    np.arange(50) > 40, (..., 7), (0, slice(2, None)), (slice(0, 0), 1)], ids=repr)
def test_samples_are_used_like_an_array(key: object) -> None:
    rng = np.random.default_rng(1)
    array = rng.normal(size=(50, 7, 10))
    array[..., 7:], array[:, 3], array[20:, 4, 5], array[:20, 4, 5] = 1.0, 0.25, -0.0, 0.0
    kept = Samples(50, 7, (array[start:start + 8] for start in range(0, 50, 8)))
    assert kept[key].tobytes() == np.ascontiguousarray(array[key]).tobytes() and kept[key].shape == array[key].shape
    assert sum(len(column) > 1 for column in kept.columns) == 6 * 7
    assert np.array_equal(kept - array, array - kept) and np.concatenate([kept, array]).shape == (100, 7, 10)
    assert np.asarray(kept).tobytes() == array.tobytes() and sum(1 for _ in kept) == len(kept)


def test_blocks_are_all_frames() -> None:
    for frames, joints in ((0, 3), (1, 1), (1000, 300), (5, 2 * MOST_TRANSFORMS)):
        found = list(blocks(frames, joints))
        assert [frame for block in found for frame in range(frames)[block]] == list(range(frames))
        assert all(len(range(frames)[block]) * joints <= max(MOST_TRANSFORMS, joints) for block in found)


def test_memory_beyond_a_moderate_size_counts_as_flash() -> None:
    assert ram_cost(MODERATE_RAM_BYTES) == 0 and ram_cost(MODERATE_RAM_BYTES + 10) == 10 * FLASH_PER_RAM
    lean = CodecChoice(("delta",), 300_000, 1000, MODERATE_RAM_BYTES, 50)
    for more, first in ((-1, "curve"), (1, "delta")):
        bank_bytes = lean.bank_bytes - FLASH_PER_RAM * 1000 + more
        large = CodecChoice(("curve",), bank_bytes, 1000, MODERATE_RAM_BYTES + 1000, 50)
        assert best_first([lean, large], "flash", None)[0].codecs == (first,)
        assert best_first([lean, large], "bank", None)[0].codecs == ("curve",)
    small = CodecChoice(("curve",), 299_999, 1000, MODERATE_RAM_BYTES, 50)
    assert best_first([replace(lean, player_bytes=800), small], "flash", None)[0].codecs == ("curve",)


def test_a_sample_rules_out_only_codecs_that_surely_cost_more() -> None:
    assert is_ruled_out(1000, 240, 100, 1000)
    assert not is_ruled_out(1000, 240, 100, 1300)  # code and memory may repay it
    assert not is_ruled_out(1000, 105, 100, 0)  # the sample may mislead
    assert not is_ruled_out(1000, 90, 100, 0)


def test_long_clips_are_sampled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = []
    encode_clip = native.encode_clip

    def counted(skeleton, clip, settings):
        if len(clip.frames) == FRAMES:
            whole.append(settings.codecs)
        return encode_clip(skeleton, clip, settings)
    monkeypatch.setattr(native, "encode_clip", counted)
    imported, settings = moving(FRAMES), replace(FAST, codec="auto", costs=COSTS)
    chosen = encoder.encode_clips(imported, settings)
    tried = len(whole)
    whole.clear()
    monkeypatch.setattr(codec_sets, "LONG_FRAMES", FRAMES - 1)
    sampled = encoder.encode_clips(imported, settings)
    assert sampled.bank == chosen.bank and 1 <= len(whole) < tried
    assert {choice.codecs for choice in sampled.choices} < {choice.codecs for choice in chosen.choices}


def test_samples_reach_from_the_first_frames_to_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = []
    block_input = clip_encoder.block_input

    def counted(whole, block, block_log2):
        parts.append(block)
        return block_input(whole, block, block_log2)
    monkeypatch.setattr(clip_encoder, "block_input", counted)
    monkeypatch.setattr(clip_encoder, "SAMPLE_LOG2", 8)
    monkeypatch.setattr(codec_sets, "LONG_FRAMES", FRAMES - 1)
    encoder.encode_clips(moving(FRAMES), replace(FAST, codec="auto", costs=COSTS))
    assert parts[:4] == [0, 2, 4, 6] and parts == parts[:4] * (len(parts) // 4)


@pytest.mark.exhaustive
@pytest.mark.parametrize("write, name, most_mb", [(write_body, "body.bvh", 600), (write_face, "face.glb", 400)])
def test_peak_memory_of_large_inputs(write: Callable[[Path], None], name: str, most_mb: int, tmp_path: Path) -> None:
    """12 minutes of 31 joints at 120 Hz, and a minute of a face with 260 joints."""
    write(tmp_path / name)
    code = ("import resource, subprocess, sys; status = subprocess.run(sys.argv[1:]).returncode; "
            "used = resource.getrusage(resource.RUSAGE_CHILDREN); print(used.ru_maxrss // 1024, used.ru_utime + "
            "used.ru_stime); sys.exit(status)")
    run = subprocess.run([sys.executable, "-c", code, sys.executable, "-m", "ossicle", "encode", tmp_path / name, "-o",
                          tmp_path / "x.ossb", "--quiet"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    peak_mb, seconds = run.stdout.split()[-2:]
    print(f"{name}: {peak_mb} MB, {seconds} s of processor time")
    assert int(peak_mb) <= most_mb
