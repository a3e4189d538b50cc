"""Error against bytes moved out: keys that leave by what their absence causes, against frame stripping,
which removes every n-th frame of every clip. Writes a table and a picture (scons bench-tiers).

Both start with the same clips of `acl-2.1-tiers`. Stripping keeps evenly spaced frames of every segment;
all other keys move out, and what that saves is counted without anything that says where they are. The
tiers are those of a bank that takes no more bytes without them."""
from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ossicle.encode import native
from ossicle.encode.encoder import bank_without_clips, edited
from ossicle.encode.clip_encoder import ClipEncoder
from ossicle.encode.key_tiers import LIMITS_M, move_keys
from ossicle.encode.problems import entry
from ossicle.encode.sections import names_section
from ossicle.encode.settings import Settings
from ossicle.encode.tier_targets import TierTargets
from ossicle.base.problem import SettingProblem
from ossicle.importers.importer import read_clips

PRESET = "acl-2.1-tiers"
SEGMENT = 16
KEPT = (12, 10, 9, 8, 7, 6, 5, 4)  # frames of a segment; 9: every second one, and the last
MOST_M = float(LIMITS_M[-1])


@dataclass(frozen=True)
class Point:
    """Bytes of the base, and the largest error of each clip, in metres."""

    bytes: int
    errors_m: np.ndarray


def stripped(frames: int, kept: int) -> np.ndarray:
    """The frames that stripping keeps, bool [frames]."""
    stay = np.zeros(frames, bool)
    for first in range(0, frames, SEGMENT):
        count = min(SEGMENT, frames - first)
        here = max(min(count, 2), round(kept * count / SEGMENT))
        stay[first + (np.arange(0, count, 2) if kept == SEGMENT // 2 + 1 else
                      np.linspace(0, count - 1, here).round().astype(int))] = True
        stay[first + count - 1] = True
    return stay


class Corpus:
    """The clips of some files, which can be encoded with keys that have to stay."""

    def __init__(self, paths: list[Path]) -> None:
        settings = Settings().with_preset(PRESET, "--preset")
        self._imported, _ = edited(read_clips(paths, settings.importing), settings)
        bank_without_clips(self._imported, settings)  # checks the input
        self._encoder = ClipEncoder(self._imported.clips, self._imported.skeleton, settings, None, None, False)
        self._encoder.encode(range(len(self._imported.clips)))
        self._settings = settings

    def encoded(self, kept: int | None = None) -> list[native.EncodedClip]:
        """The clips, or what stripping leaves of them if all other keys move."""
        one, clips = self._encoder, []
        for index in range(len(self._imported.clips)):
            source, options = one.sources[index], one.options[index]
            if kept is None:
                clips.append(one.encoded[index])
                continue
            frames = len(source.input.frames)
            stay = np.ones(frames, bool)
            rows = frames - bool(source.input.loop)
            stay[:rows] = stripped(rows, kept)
            wanted = native.EncodeSettings(options.tolerance_m, self._settings.shell_m, options.restart_log2,
                                           self._settings.effort, ("dense",), one.limits_m[index],
                                           scheme=replace(options.schemes[0], tiers=1, tier_m=(MOST_M,)))
            clips.append(native.encode_clip(one.inner, replace(source.input, kept=stay), wanted)[1])
        return clips

    def write(self, clips: list[native.EncodedClip]) -> bytes:
        sources = [self._encoder.sources[index].clip for index in range(len(clips))]
        names = names_section(self._encoder.skeleton.names, [clip.name for clip in sources])
        return native.write_bank(self._encoder.inner, clips, [entry(clip) for clip in sources], names)


def plain_bytes(corpus: Corpus, clips: list[native.EncodedClip]) -> int:
    """The bytes of the bank with all keys in it, less the maps, which no other bank has."""
    for clip in clips:
        clip.move_keys([float(LIMITS_M[0])])
    maps = sum(clip.map_bits(1) for clip in clips)
    return len(corpus.write(clips)) - maps // 8


def points(corpus: Corpus) -> Iterator[tuple[int, Point, Point]]:
    """(frames kept, stripped, with tiers) at equal bytes, as far as the tiers can go; last the bytes of all."""
    clips = corpus.encoded()
    whole = plain_bytes(corpus, clips)
    for kept in KEPT:
        strips = corpus.encoded(kept)
        moved = sum(clip.key_bits([MOST_M])[1] for clip in strips) // 8
        base = Point(whole - moved, np.array([clip.report.tier_error_m[0] for clip in strips]))
        try:
            move_keys(clips, TierTargets(sizes=(base.bytes,)), lambda: corpus.write(clips))
        except SettingProblem:
            return
        yield whole, base, Point(base.bytes, np.array([clip.report.tier_error_m[0] for clip in clips]))
