"""Source files to a bank: import, encode every clip in parallel, verify, write."""
from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from os.path import commonprefix
from pathlib import Path

import numpy as np

from ..bank.clips import LAYER, MAX_BREAKS
from ..bank.file import Bank, parse_bank
from ..base.codec import CODEC_NAMES
from ..importers.importer import read_clips
from ..model.bind_size import bind_size, length_remedy, size_warnings
from ..model.clip import Clip, Imported, Skeleton, problems_of
from ..model.joints import joint_tolerances, pinned_joints
from ..model.skinning import inverse_bind_q20
from . import native
from .problems import EncodeProblem, check_input, check_rates, entry, explain
from .ram_limit import cheaper_codecs
from .resampling import (
    NEGLIGIBLE,
    SHARE,
    Source,
    SourceError,
    nearest_source,
    remedy,
    source_error,
    sources,
)
from .settings import ClipOptions, Settings

RAW_BYTES_PER_JOINT_FRAME = 40  # ten floats: what the ratio compares with
MOST_SHARED = 255  # bytes of a name that the one before can have lent it
MOST_DOUBLINGS = 16  # of a tolerance that is loosened
_MOST_THREADS = 256  # more than that many clips at once only take memory
_CROWDED_BREAKS = 0.2  # share of the frames of a clip with breaks from which units are suspect


@dataclass(frozen=True)
class ClipResult:
    """The outcome of one clip. Errors are shell errors over all frames and midpoints, and over keys of
    the source that lie between these; tightest is the error that comes nearest to its own joint's
    tolerance, in a layer of any chain of joints. frames and rate are those of the bank; raw_bytes is
    the size of the clip as it was read."""

    name: str
    source: str
    frames: int
    rate: float
    loop: bool
    mode: str
    codec: str
    bytes: int
    raw_bytes: int
    tolerance_mm: float | None  # None where everything is allowed
    tolerance_px: float | None  # what the tolerance was given as, if in pixels
    error_mm: float
    error_joint: str
    error_frame: float
    axes_error_mm: float  # the largest error of the three points on the axes of a joint,
    sphere_error_mm: float  # and of all points of its shell
    tightest_error_mm: float
    tightest_tolerance_mm: float | None
    tightest_joint: str
    tightest_frame: float
    pinned_error_mm: float | None  # of the pinned joints, None where there are none
    pinned_joint: str | None
    chain_error_mm: float | None  # of a layer's chains from below the roots, under the exact pose
    chain_start: str | None  # the first joint of that chain
    chain_joint: str | None
    chain_frame: float | None
    default_tracks: int
    constant_tracks: int
    animated_tracks: int
    breaks: list[tuple[int, str, str]]  # frame, joint, track kind
    tier_errors_mm: list[float]  # without streaming tiers, and with the first one of two

    # The error at the source's own keys and half way between them that comes nearest to its joint's
    # tolerance. None where all of these are frames or midpoints, which the errors above include.
    source_error_mm: float | None
    source_joint: str | None
    source_seconds: float | None

    @property
    def ratio(self) -> float:
        return self.raw_bytes / self.bytes


@dataclass(frozen=True)
class BankResult:
    """A finished bank and its report. sources: its clips as they were encoded. player_bytes: RAM of a
    player on a 32-bit machine. size_m: extent of the bind pose along x, y (up) and z.
    joint_tolerances: (pattern, pixels or None, millimetres) of the rules for joints. points: which
    points of the shell were measured."""

    bank: bytes
    player_bytes: int
    size_m: tuple[float, float, float]
    joint_tolerances: list[tuple[str, float | None, float]]
    skeleton: Skeleton
    points: str
    sources: list[Clip]
    clips: list[ClipResult]
    warnings: list[str]

    def report(self) -> dict[str, object]:
        """The JSON report: totals and one record a clip."""
        return {
            "bytes": len(self.bank),
            "player_bytes": self.player_bytes,
            "bind_size_m": [round(length, 4) for length in self.size_m],
            "joint_tolerances": [{"pattern": pattern, "px": pixels, "mm": round(mm, 9)}
                                 for pattern, pixels, mm in self.joint_tolerances],
            "raw_bytes": sum(clip.raw_bytes for clip in self.clips),
            "points": self.points,
            "joints": len(self.skeleton.names),
            "worst_error_mm": max(clip.error_mm for clip in self.clips),
            "breaks": sum(len(clip.breaks) for clip in self.clips),
            "warnings": self.warnings,
            "clips": [asdict(clip) | {"ratio": round(clip.ratio, 3)} for clip in self.clips],
        }


def names_section(joints: Sequence[str], clips: Sequence[str]) -> bytes:
    """The body of the NAME section: two counts, then zero-terminated UTF-8 without the bytes that a
    name shares with the one before, padded to words."""
    body = len(joints).to_bytes(4, "little") + len(clips).to_bytes(4, "little")
    before = b""
    for name in (*joints, *clips):
        text = name.encode()
        shared = min(len(commonprefix([before, text])), MOST_SHARED)
        body += bytes([shared]) + text[shared:] + b"\0"
        before = text
    return body + bytes(-len(body) % 4)


def _inverse_bind(skeleton: Skeleton, settings: Settings, source: str) -> np.ndarray | None:
    """The inverse bind matrices, if the bank holds them. ImportProblem names the source file."""
    if not settings.skinning:
        return None
    with problems_of(source):
        return inverse_bind_q20(skeleton)


def bank_without_clips(imported: Imported, settings: Settings) -> Bank:
    """The bank that encode_clips makes, without its clips: what is known of it before the work.
    ImportProblem, EncodeProblem, SettingProblem."""
    skeleton = imported.skeleton
    check_input(skeleton, imported.clips, settings)
    return parse_bank(native.write_bank(
        native.Skeleton(skeleton.parents, skeleton.bind), [], [], names_section(skeleton.names, []),
        _inverse_bind(skeleton, settings, imported.clips[0].source)))


def _millimetres(tolerance_m: float) -> float | None:
    return None if math.isinf(tolerance_m) else round(tolerance_m * 1e3, 9)


def _result(clip: Clip, read: Clip, encoded: native.EncodedClip, source: SourceError | None,
            skeleton: Skeleton, options: ClipOptions, limits_m: np.ndarray, size: int) -> ClipResult:
    report = encoded.report
    limit_m = limits_m[report.tight_joint]
    tight = (report.error_m, report.joint, report.frame) if math.isinf(limit_m) else (
        report.tight_error_m, report.tight_joint, report.tight_frame)
    return ClipResult(
        name=clip.name, source=clip.source, frames=len(clip.frames), rate=clip.rate,
        loop=options.loop and len(clip.frames) > 1, mode=options.mode,
        codec=CODEC_NAMES[report.codec], bytes=size,
        raw_bytes=len(read.frames) * len(skeleton.names) * RAW_BYTES_PER_JOINT_FRAME,
        tolerance_mm=_millimetres(options.tolerance_m), tolerance_px=options.tolerance_px,
        error_mm=report.error_m * 1e3,
        error_joint=skeleton.names[report.joint], error_frame=report.frame,
        axes_error_mm=report.axes_error_m * 1e3, sphere_error_mm=report.sphere_error_m * 1e3,
        tightest_error_mm=tight[0] * 1e3, tightest_tolerance_mm=_millimetres(limit_m),
        tightest_joint=skeleton.names[tight[1]], tightest_frame=tight[2],
        pinned_error_mm=report.pinned_error_m * 1e3 if report.pinned_joint >= 0 else None,
        pinned_joint=skeleton.names[report.pinned_joint] if report.pinned_joint >= 0 else None,
        chain_error_mm=report.chain_error_m * 1e3 if report.chain_joint >= 0 else None,
        chain_start=skeleton.names[report.chain_start] if report.chain_joint >= 0 else None,
        chain_joint=skeleton.names[report.chain_joint] if report.chain_joint >= 0 else None,
        chain_frame=report.chain_frame if report.chain_joint >= 0 else None,
        default_tracks=report.default_tracks, constant_tracks=report.constant_tracks,
        animated_tracks=report.animated_tracks,
        breaks=[(frame, skeleton.names[joint], kind) for frame, joint, kind in encoded.breaks()],
        tier_errors_mm=[error_m * 1e3 for error_m in report.tier_error_m[:report.tiers]],
        source_error_mm=source.error_m * 1e3 if source else None,
        source_joint=skeleton.names[source.joint] if source else None,
        source_seconds=source.seconds if source else None,
    )


def _unit_warnings(results: Sequence[ClipResult], skeleton: Skeleton) -> list[str]:
    """Warnings of clips that keep moving a metre a frame: their file may have other units."""
    remedy = length_remedy(skeleton)
    return [
        f"{clip.source}: clip {clip.name}: translations jump a metre or more at {count} of "
        f"{clip.frames} frames and will not blend there" + (remedy and f"; {remedy}")
        for clip in results
        if (count := len({b[0] for b in clip.breaks if b[2] == "translation"}))
        > max(2, _CROWDED_BREAKS * clip.frames)
    ]


def _source_warnings(clips: Sequence[Clip], results: Sequence[ClipResult], skeleton: Skeleton,
                     limits_m: Sequence[np.ndarray], forced: bool) -> list[str]:
    """Warnings of clips that do not hold the tolerance at the keys of their source. forced: the user
    chose their rate."""
    warnings = []
    for clip, result, limits in zip(clips, results, limits_m, strict=True):
        if clip.follows_curve or result.source_joint is None:
            continue
        limit_mm = limits[skeleton.names.index(result.source_joint)] * 1e3
        if result.source_error_mm > limit_mm:
            warnings.append(
                f"{clip.source}: clip {clip.name}: joint {result.source_joint}: at "
                f"{result.source_seconds:.4g} s it is {result.source_error_mm:.4g} mm from what the "
                f"file says between the frames, over the tolerance of {limit_mm:.4g} mm; "
                + remedy(clip, forced))
    return warnings


def _joint_tolerances(settings: Settings) -> list[tuple[str, float | None, float]]:
    return [(rule.pattern, rule.tolerance.pixels, rule.tolerance.on(settings.screen) * 1e3)
            for rule in settings.joints]


Progress = Callable[[int, int, str], None]
Outcome = tuple[int, native.EncodedClip | None, native.Report]


class _Encoder:
    """The clips of one bank on their way through the encoder."""

    def __init__(self, clips: Sequence[Clip], skeleton: Skeleton, settings: Settings,
                 jobs: int | None, progress: Progress | None, loosen: bool) -> None:
        self._read, self.skeleton, self.settings = clips, skeleton, settings
        self.clips = list(clips)  # as they were encoded, at rates of their own
        self._sources: dict[int, Source] = {}
        self._loosen = loosen
        self.options = [settings.options_for(clip.name) for clip in clips]
        self.allowed = [options.codecs for options in self.options]
        self.limits_m = [joint_tolerances(skeleton.names, options.tolerance_m, settings.joints,
                                          settings.pins, settings.screen)
                         for options in self.options]
        self.encoded: dict[int, native.EncodedClip] = {}
        self._inner = native.Skeleton(skeleton.parents, skeleton.bind)
        self._skin = _inverse_bind(skeleton, settings, clips[0].source)
        self._jobs, self._progress = min(jobs or os.cpu_count() or 1, _MOST_THREADS), progress

    def encode(self, indices: Sequence[int]) -> None:
        """Encodes these clips with the codecs that are allowed; EncodeProblem for the first one
        that is refused."""
        longest_first = sorted(indices, key=lambda i: -len(self.clips[i].frames))
        refused: dict[int, str] = {}
        pool = ThreadPoolExecutor(self._jobs)
        try:
            outcome = zip(longest_first, pool.map(self._encode_one, longest_first))
            for done, (index, (status, result, report)) in enumerate(outcome, 1):
                clip = self.clips[index]
                if result is None:
                    refused[index] = explain(status, clip, self.skeleton, self.options[index],
                                              self.allowed[index], self.limits_m[index], report)
                elif report.breaks > MAX_BREAKS:
                    refused[index] = (f"{clip.source}: clip {clip.name}: tracks jump "
                                      f"{report.breaks} times, over {MAX_BREAKS}; "
                                      + length_remedy(self.skeleton, "split it"))
                else:
                    self.encoded[index] = result
                if self._progress:
                    self._progress(done, len(indices), clip.name)
        finally:  # an interrupt does not wait for the clips that are being encoded
            pool.shutdown(wait=False, cancel_futures=True)
        if refused:
            raise EncodeProblem(refused[min(refused)])

    def _encode_one(self, index: int) -> Outcome:
        outcome = self._try(index)
        for _ in range(MOST_DOUBLINGS if self._loosen else 0):
            if outcome[0] != native.ERROR_TOLERANCE:
                break
            options = self.options[index]
            self.options[index] = replace(options, tolerance_m=2.0 * options.tolerance_m)
            self.limits_m[index] = 2.0 * self.limits_m[index]
            outcome = self._try(index)
        return outcome

    def check_loops(self) -> None:
        """EncodeProblem for the first clip whose loop is open; needs only the two ends of clips."""
        for index, (clip, options) in enumerate(zip(self.clips, self.options)):
            if not options.loop or len(clip.frames) == 1:
                continue
            ends = native.ClipInput(clip.frames[[0, -1]], clip.steps[[0, -1]], loop=True)
            status, _, report = native.encode_clip(
                self._inner, ends, replace(self._wanted(index), codecs=("delta",), effort="fast"))
            if status == native.ERROR_LOOP:
                report.frame = report.chain_frame = len(clip.frames) - 1
                raise EncodeProblem(explain(status, clip, self.skeleton, options,
                                            self.allowed[index], self.limits_m[index], report))

    def _wanted(self, index: int) -> native.EncodeSettings:
        options, settings = self.options[index], self.settings
        return native.EncodeSettings(
            options.tolerance_m, settings.shell_m, options.restart_log2, settings.effort,
            self.allowed[index], self.limits_m[index],
            pinned_joints(self.skeleton.names, settings.pins), options.mode == LAYER, options.keys,
            points=settings.points)

    def _try(self, index: int) -> Outcome:
        options, wanted = self.options[index], self._wanted(index)
        failed: Outcome | None = None
        follows: list[Source] = []
        clip = self._read[index]
        with problems_of(f"{clip.source}: clip {clip.name}"):
            for source in sources(clip, options.loop, self._inner, wanted):
                follows.append(source)
                if source.error > SHARE:
                    continue
                outcome = self._encode_source(index, source, wanted)
                if outcome[0] != native.ERROR_TOLERANCE or source.error < NEGLIGIBLE:
                    return outcome
                failed = failed or outcome
        return failed or self._encode_source(index, nearest_source(follows), wanted)

    def _encode_source(self, index: int, source: Source, wanted: native.EncodeSettings) -> Outcome:
        """The smallest clip of all schemes that hold the tolerance, else the nearest miss."""
        self.clips[index], self._sources[index] = source.clip, source
        schemes = [scheme for scheme in self.options[index].schemes
                   if scheme.codec in self.allowed[index]]
        variants = [replace(wanted, codecs=(scheme.codec,), scheme=scheme)
                    for scheme in schemes] or [wanted]
        tried = [native.encode_clip(self._inner, source.input, one) for one in variants]
        held = [result for result in tried if result[1] is not None]
        if not held:
            return min(tried, key=lambda result: result[2].tight_error_m)
        return held[0] if len(held) == 1 else min(
            held, key=lambda result: self._size(index, result[1]))

    def _size(self, index: int, encoded: native.EncodedClip) -> int:
        """The bytes of one clip in a bank, its keys in streaming tiers included."""
        bank = native.write_bank(self._inner, [encoded], [entry(self.clips[index])],
                                 names_section(self.skeleton.names, [self.clips[index].name]))
        parsed = parse_bank(bank)
        return parsed.clips[0].size_bytes + 4 * sum(tier.words for tier in parsed.tiers)

    def write(self) -> bytes:
        """The bank of all clips; EncodeProblem for too many rates."""
        check_rates(self.clips)
        names = names_section(self.skeleton.names, [clip.name for clip in self.clips])
        entries = [entry(clip) for clip in self.clips]
        return native.write_bank(self._inner, self._encoded_clips(), entries, names, self._skin)

    def _encoded_clips(self) -> list[native.EncodedClip]:
        return [self.encoded[index] for index in range(len(self.clips))]

    def verify(self, bank: bytes) -> None:
        """Plays the finished bank and compares; EncodeProblem names the clip that differs."""
        differs = native.verify_clips(native.bank_words(bank), self._encoded_clips())
        if differs is not None:
            clip = self.clips[differs]
            raise EncodeProblem(f"{clip.source}: clip {clip.name}: the finished bank does not play "
                                "as it was measured; this is a bug in the encoder")

    def results(self, bank: Bank) -> list[ClipResult]:
        """The outcome of every clip."""
        return [_result(clip, self._read[index], encoded,
                        source_error(self._sources[index], encoded),
                        self.skeleton, self.options[index], self.limits_m[index],
                        self._size(index, encoded) if encoded.report.tiers
                        else bank.clips[index].size_bytes)
                for index, clip in enumerate(self.clips) for encoded in [self.encoded[index]]]


def encode(paths: Sequence[Path], settings: Settings, jobs: int | None = None,
           progress: Progress | None = None) -> BankResult:
    """Encodes all clips of all files into one bank: read_clips, then encode_clips.

    ImportProblem, EncodeProblem, SettingProblem and NativeProblem carry one line for the user.
    """
    return encode_clips(read_clips(paths, settings.importing), settings, jobs, progress)


def encode_clips(imported: Imported, settings: Settings, jobs: int | None = None,
                 progress: Progress | None = None, loosen: bool = False) -> BankResult:
    """Encodes imported clips into one bank.

    jobs: threads, None for one a core; the result does not depend on it. progress(done, total,
    clip) is called from this thread after each clip. loosen: a clip whose tolerance cannot be held
    gets twice that, and so on; its result says what it has. EncodeProblem, SettingProblem and
    NativeProblem carry one line for the user.
    """
    check_input(imported.skeleton, imported.clips, settings)
    encoder = _Encoder(imported.clips, imported.skeleton, settings, jobs, progress, loosen)
    encoder.check_loops()
    again: Sequence[int] = range(len(imported.clips))
    while again:
        encoder.encode(again)
        bank = encoder.write()
        parsed = parse_bank(bank)
        cheaper = {} if settings.max_ram_bytes is None else cheaper_codecs(
            parsed, encoder.allowed, [options.random_access for options in encoder.options],
            settings.max_ram_bytes)
        for index, codecs in cheaper.items():
            encoder.allowed[index] = codecs
        again = sorted(cheaper)
    encoder.verify(bank)
    results = encoder.results(parsed)
    warnings = _source_warnings(encoder.clips, results, imported.skeleton, encoder.limits_m,
                                settings.importing.fps is not None)
    size_m = bind_size(imported.skeleton)
    source = imported.clips[0].source
    return BankResult(bank, parsed.player_bytes, size_m, _joint_tolerances(settings),
                      imported.skeleton, settings.points, encoder.clips, results,
                      imported.warnings + warnings + size_warnings(size_m, source)
                      + _unit_warnings(results, imported.skeleton))


def report_json(result: BankResult) -> bytes:
    """The report as JSON text."""
    text = json.dumps(result.report(), indent=1, ensure_ascii=False) + "\n"
    return text.encode(errors="backslashreplace")  # names of files need not be text
