"""Writes the seed banks of fuzz_bank, fuzz_poses and fuzz_graph: `make_corpus.py OUTDIR`. The hand-written samples, the
frozen ones of the other codecs, and random banks of every codec from fixed seeds, so that the fuzzer starts from
every feature of the format."""
from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

sys.path[:0] = [*(str(Path(__file__).resolve().parents[1] / folder) for folder in ("golden", "support")),
                str(Path(__file__).resolve().parents[2] / "codegen")]

from bank_writer import BitWriter, Clip, Skeleton, write_bank  # noqa: E402
from published.dense_sample import dense_sample  # noqa: E402
from published.dense_writer import DenseClip, DenseTrack, fill_dense, places  # noqa: E402
from fixed import ONE  # noqa: E402
from samples.frozen_banks import frozen_samples  # noqa: E402
from published.keys_reference import FIXED, TRANSLATION, Format  # noqa: E402
from random_banks import random_clip, random_skeleton, skin_words  # noqa: E402
from random_codecs import (  # noqa: E402
    CURVE, DENSE_KEYS, SPARSE, STATE_WORDS, TRANSFORM, VELOCITY, random_base_row, random_codec_clip)
from tiers.random_tiers import random_tiers  # noqa: E402
from samples.sample_banks import samples  # noqa: E402
from published.sparse_sample import sparse_sample  # noqa: E402
from tiers.tier_writer import keys_chunks, tier_sections  # noqa: E402
from random_graphs import random_graph, with_choices, with_limbs, with_positions  # noqa: E402
from samples.version_sample import version_sample  # noqa: E402

from ossicle.bank.events import TAG as EVENTS  # noqa: E402
from ossicle.bank.events import ClipEvent, pack_events  # noqa: E402
from ossicle.bank.graph.layout import TAG as GRAPH  # noqa: E402
from ossicle.bank.graph.packing import pack_graph  # noqa: E402
from ossicle.bank.trajectories import TAG as TRAJECTORIES  # noqa: E402
from ossicle.bank.trajectories import pack_trajectories  # noqa: E402
from ossicle.model.trajectory.displacement import Trajectory  # noqa: E402

RANDOM_BANKS = 40
MAX_BYTES = 4096
MOST_TIERS = 4
TIER_FRAMES, TIER_BLOCK_LOG2 = 20, 4
MOST_EVENTS = 5  # of a clip
MOST_SEGMENTS = 6  # of a trajectory


def tier_bank(tiers: int, period: int) -> bytes:
    """A bank of a few words: one dense clip with keys in all of its tiers, up to one tier more than there can be, which
    a reader refuses. The directory has at most four, so that the keys of a fifth would lie nowhere."""
    skeleton = Skeleton([-1], [[0, 0, 0, ONE, 0, 0, 0]], ([], [0], []))
    rows = [[frame * ONE // TIER_FRAMES, frame, -frame] for frame in range(TIER_FRAMES)]
    form = Format(TRANSLATION, FIXED, widths=(16,) * 3)
    dense = DenseClip(Clip(TIER_FRAMES, restart_log2=TIER_BLOCK_LOG2),
                      [DenseTrack(0, form, rows)], period, tiers, places(TIER_FRAMES, 1 << TIER_BLOCK_LOG2, period),
                      kept=[[2 + tier for tier in range(tiers)]])
    skeleton.state_words = dense.state_words()
    written = [BitWriter() for _ in range(tiers)]
    clip = fill_dense(dense, written)
    return write_bank(skeleton, [clip], behind=tier_sections(keys_chunks(0, written[:MOST_TIERS])))


def _with_image(rng: Random, clip: Clip) -> list[Clip]:
    """A clip, and maybe its mirror image."""
    image = replace(clip, name=f"image of {clip.name}", mirrored=True)
    return [clip, image] if rng.random() < 0.5 and not clip.additive else [clip]


def random_events(rng: Random, clip: Clip) -> list[ClipEvent]:
    """Events and spans anywhere in a clip."""
    end = (clip.frame_count - 1) * 2048
    return [ClipEvent(rng.choice("abcd"), rng.randint(0, end), rng.randint(-9, 9),
                      rng.choice((None, rng.randint(0, end)))) for _ in range(rng.randint(1, MOST_EVENTS))]


def random_trajectory(rng: Random, frames: int) -> Trajectory:
    """A trajectory of a clip, of narrow or wide keys."""
    chosen = np.array([rng.random() < 0.5 for _ in range(3)] + [True])
    most, segments = rng.choice((127, 32767)), rng.choice((0, rng.randint(1, MOST_SEGMENTS)))

    def numbers(count: int, least: int, greatest: int) -> np.ndarray:
        values = [[rng.randint(least, greatest) for _ in range(4)] for _ in range(count)]
        return np.array(values).reshape(count, 4) * chosen

    start, end = numbers(2, -ONE, ONE) * [[rng.randint(0, 1)], [1]]
    keys = numbers(segments + 3 if segments else 0, -most, most)
    return Trajectory(chosen, start, end, (rng.randint(0, 12), rng.randint(0, 12)), keys, frames, 1.0)


def bank_of_marks(rng: Random, graph: bool = False, images: bool = False) -> bytes:
    """A bank whose clips have events and trajectories; some are additive, unless a graph plays them. images: some are
    mirror images, and the graph has states whose position is a parameter."""
    skeleton = random_skeleton(rng)
    clips = [random_clip(rng, skeleton, f"clip{i}") for i in range(rng.randint(1, 3))]
    if images:
        clips = [variant for clip in clips for variant in _with_image(rng, clip)]
    for clip in clips:
        clip.additive = rng.random() < 0.3 and not graph
    listed = {number: random_events(rng, clip) for number, clip in enumerate(clips)}
    events = pack_events(listed)
    moving = {number: (random_trajectory(rng, clip.frame_count), clip.frame_count)
              for number, clip in enumerate(clips) if clip.frame_count > 1}
    sections = [(EVENTS, events), *([(TRAJECTORIES, pack_trajectories(moving))] if moving else [])]
    if graph:
        names = {event.name for each in listed.values() for event in each}
        played = random_graph(rng, [clip.frame_count for clip in clips], len(names))
        played = with_choices(rng, with_limbs(rng, played, len(skeleton.parents), len(names)))
        if images:
            played = replace(with_positions(rng, played), mirrors=True)
        sections.append((GRAPH, pack_graph(played)))
    return write_bank(skeleton, clips, behind=[
        (tag.encode(), False, np.frombuffer(content, "<u4").tolist()) for tag, content in sections])


def corpus() -> dict[str, bytes]:
    """File names and banks; random ones of more than MAX_BYTES are left out, they fuzz slowly."""
    by_hand = [*samples(), sparse_sample(), dense_sample(), version_sample(), *frozen_samples()]
    banks = {sample.name: sample.bank for sample in by_hand}
    banks |= {f"tiers{tiers}_{period}": tier_bank(tiers, period)
              for tiers in range(1, MOST_TIERS + 2) for period in (1, 2)}
    for seed in range(RANDOM_BANKS):
        rng = Random(seed)
        skeleton = random_skeleton(rng)
        clips = [random_clip(rng, skeleton, f"clip{i}") for i in range(rng.randint(0, 3))]
        skin = [(b"SKIN", False, skin_words(rng, skeleton))] if seed % 3 == 0 else []
        with_images = [variant for clip in clips for variant in _with_image(rng, clip)]
        banks[f"random{seed}"] = write_bank(skeleton, with_images, gap=rng.randint(0, 1), extra=skin)
        skeleton.state_words = STATE_WORDS
        tiers, versions = random_tiers(rng, skeleton, clips)
        banks[f"versions{seed}"] = write_bank(skeleton, clips, behind=tiers, versions=versions)
        clips = [random_codec_clip(rng, skeleton, f"clip{codec}", codec) for codec in (CURVE, TRANSFORM, VELOCITY)]
        base = random_base_row(rng, skeleton) if seed % 2 == 0 else []
        banks[f"codecs{seed}"] = write_bank(skeleton, clips, behind=base)
        draw = Random(seed)
        curves = [random_codec_clip(draw, skeleton, f"curve{i}", CURVE) for i in range(3)]
        banks[f"base{seed}"] = write_bank(skeleton, curves, behind=random_base_row(draw, skeleton))
        clips = [random_codec_clip(rng, skeleton, f"clip{codec}", codec) for codec in (SPARSE, DENSE_KEYS)]
        tiers, versions = random_tiers(rng, skeleton, clips)
        banks[f"marks{seed}"] = bank_of_marks(Random(seed))
        banks[f"graph{seed}"] = bank_of_marks(Random(seed), graph=True)
        banks[f"images{seed}"] = bank_of_marks(Random(seed), graph=True, images=True)
        banks[f"keys{seed}"] = write_bank(skeleton, clips, behind=tiers, versions=versions)
    return {name: bank for name, bank in banks.items() if len(bank) <= MAX_BYTES}


def main() -> int:
    """Writes the corpus to the folder named on the command line."""
    if len(sys.argv) != 2:
        print("usage: make_corpus.py OUTDIR", file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, bank in corpus().items():
        (folder / f"{name}.bank").write_bytes(bank)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
