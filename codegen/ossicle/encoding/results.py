"""The result of an encoding: figures of every clip, and warnings."""
from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from ..bank.clips import ENTRY_WORDS
from ..bank.file import Bank
from ..bank.graph.ram import character_bytes
from ..bank.graph.steps import WorstStep
from ..base.arrays import Array
from ..base.codec import CODEC_NAMES
from ..base.curve_names import is_curve, curve_components, real_count, title_of
from ..base.option_names import named
from ..model.bind_size import length_remedy
from ..model.clip import TRACK_KINDS, Clip, Skeleton
from ..model.clip_measure import ClipMeasure
from ..model.contacts import Contact
from ..model.loops import Closing
from . import native
from .choice.codec_sets import CodecChoice
from .curves.errors import CurveError
from .resampling import Source, remedy, source_error
from .settings import ClipOptions, Settings
from .tiers.versions import Plan

MIRROR_IMAGE_BYTES = 4 * ENTRY_WORDS  # only its entry in the directory, because it shares the data of another clip
RAW_BYTES_PER_JOINT_FRAME = 40  # ten floats: the uncompressed size for ratios
_RAW_BYTES_PER_VALUE = 4
_WILD_TOLERANCES, _WILD_SIZE = 50.0, 0.05  # errors of a base, in tolerances and in sizes of the character
_CROWDED = 0.2  # units are suspect if translations move by a metre at more than this share of a clip's frames


@dataclass(frozen=True)
class ClipResult:
    """The result of a clip. Errors are shell errors over all frames and midpoints, and over keys of the source between
    these; tightest is the error nearest to its joint's tolerance, in a layer of any chain of joints. frames and rate
    are those of the bank; raw_bytes is the size of the clip in the source."""

    name: str
    source: str
    frames: int
    rate: float
    loop: bool
    mode: str
    codec: str
    bytes: int
    raw_bytes: int
    tolerance_mm: float | None  # None if any error is allowed
    tolerance_px: float | None  # the stated tolerance, if in pixels
    error_mm: float
    error_joint: str
    error_frame: float
    axes_error_mm: float  # the largest error of the three points on the axes of a joint
    sphere_error_mm: float  # the largest error of all points of the shell
    tightest_error_mm: float
    tightest_tolerance_mm: float | None
    tightest_joint: str
    tightest_frame: float
    pinned_error_mm: float | None  # the error of the pinned joints; None if there are none
    pinned_joint: str | None
    chain_error_mm: float | None  # largest error of a layer's chains from below the roots, under exact poses
    chain_start: str | None  # the first joint of that chain
    chain_joint: str | None
    chain_frame: float | None
    default_tracks: int
    constant_tracks: int
    animated_tracks: int
    breaks: list[tuple[int, str, str]]  # frame, joint, track kind
    tier_errors_mm: list[float]  # errors with the first 0, 1, .. streaming tiers alone; empty without tiers
    tier_bytes: list[int]  # bytes of the clip in the base and each tier; empty without tiers

    # The error at the source's own keys, midpoints between them, and midpoints between frames where only these were
    # compared, that comes nearest to its joint's tolerance. None if the errors above include all of these.
    source_error_mm: float | None
    source_joint: str | None
    source_seconds: float | None

    # The gap of a loop that was closed, and the joint where it was largest. None for other clips.
    closed_gap_mm: float | None
    closed_gap_joint: str | None
    closed_moved_mm: float | None  # the most that closing it moved a pose

    curves: list[CurveError]  # errors of all curves of the bank; the millimetres above are those of joints
    contacts: list[Contact]  # joints that touch the ground; empty unless requested
    additive: str | None = None  # the reference of an additive clip, to which it is added for the errors above
    mirror_of: str | None = None  # the clip that it is the mirror image of
    measure: ClipMeasure | None = None  # None unless the clip was retargeted
    could_loop: bool = False  # not a loop, although it ends as it begins, within the tolerance

    @property
    def ratio(self) -> float:
        return self.raw_bytes / self.bytes


@dataclass(frozen=True)
class BankResult:
    """A finished bank and its report. sources: its clips at the rates of encoding. size_m: the extent of the bind pose
    along x, y (up) and z. joint_tolerances: (pattern, pixels or None, millimetres) of the rules for joints. points: the
    points of the shell that were measured. choices: the tried sets of codecs, the chosen set first; empty unless the
    codecs were chosen for a machine. step: the most that a step of the graph costs; None without a graph or costs."""

    bank: bytes
    parsed: Bank
    size_m: tuple[float, float, float]
    joint_tolerances: list[tuple[str, float | None, float]]
    skeleton: Skeleton
    points: str
    sources: list[Clip]
    clips: list[ClipResult]
    warnings: list[str]
    choices: list[CodecChoice]
    step: WorstStep | None

    @property
    def player_bytes(self) -> int:
        """The RAM of a player on a 32-bit machine."""
        return self.parsed.player_bytes

    @property
    def character_bytes(self) -> int:
        """The RAM of a character that the graph animates, on a 32-bit machine; 0 without a graph."""
        return character_bytes(self.parsed)

    def report(self) -> dict[str, object]:
        """Returns the JSON report: totals and a record per clip."""
        return {
            "bytes": len(self.bank),
            "player_bytes": self.player_bytes,
            "character_bytes": self.character_bytes,
            "worst_step": None if self.step is None else asdict(self.step),
            "bind_size_m": [round(length, 4) for length in self.size_m],
            "joint_tolerances": [{"pattern": pattern, "px": pixels, "mm": round(mm, 9)}
                                 for pattern, pixels, mm in self.joint_tolerances],
            "raw_bytes": sum(clip.raw_bytes for clip in self.clips),
            "points": self.points,
            "joints": real_count(self.skeleton.names),
            "curves": [place.name for place in curve_components(self.skeleton.names)],
            "worst_error_mm": max(clip.error_mm for clip in self.clips),
            "breaks": sum(len(clip.breaks) for clip in self.clips),
            "warnings": self.warnings,
            "codec_choices": [asdict(choice) for choice in self.choices],
            "clips": [asdict(clip) | {"ratio": round(clip.ratio, 3)} for clip in self.clips],
        }


def report_json(result: BankResult) -> bytes:
    """Returns the report as JSON text."""
    text = json.dumps(result.report(), indent=1, ensure_ascii=False) + "\n"
    return text.encode(errors="backslashreplace")  # file names may be invalid text


def _millimetres(tolerance_m: float) -> float | None:
    return None if math.isinf(tolerance_m) else round(tolerance_m * 1e3, 9)


@dataclass(frozen=True)
class Versions:
    """The versions of a clip in a bank. report: of the version, or its block, that is worst with all tiers;
    first_frame: of that block; tier_bytes: of the base and each tier; tier_errors_m: as in ClipResult."""

    report: native.Report
    first_frame: int
    tier_bytes: list[int]
    tier_errors_m: list[float]


def versions_of(bank: Bank, plan: Plan, clip: int, encoded: native.EncodedClip) -> Versions:
    """Returns the versions of a clip in a bank that was written by this plan. encoded: the clip without a plan."""
    sizes = [bank.clips[clip].size_bytes] + [
        sum(4 * chunk.words for chunk in tier.chunks if chunk.clip == clip) for tier in bank.tiers]
    report = encoded.report
    if clip not in plan.base:
        return Versions(report, 0, sizes, list(report.tier_error_m)[:report.tiers])
    levels = [plan.playing(clip, tiers) for tiers in range(plan.count + 1)]
    errors = [max(piece.encoded.report.error_m for piece in pieces) for pieces in levels]
    worst = max(levels[-1], key=lambda piece: piece.encoded.report.error_m)
    return Versions(worst.encoded.report, worst.block << plan.block_log2, sizes, errors[:-1])


def raw_bytes(frames: int, joints: Sequence[str]) -> int:
    """Returns the bytes of frames as floats. joints: the names of all joints."""
    real = real_count(joints)
    return frames * (real * RAW_BYTES_PER_JOINT_FRAME + len(curve_components(joints[real:])) * _RAW_BYTES_PER_VALUE)


@dataclass(frozen=True, eq=False)
class Findings:
    """Facts about an encoded clip. names: for each joint, of the joint at which its data is shown; limits_m: the
    tolerance of every joint; versions: of the clip in the bank; closing: of its loop, if it was closed; curves: their
    errors; could_loop: as in ClipResult."""

    names: Sequence[str]
    limits_m: Array
    versions: Versions
    closing: Closing | None
    curves: Sequence[CurveError]
    could_loop: bool


def clip_result(source: Source, read: Clip, encoded: native.EncodedClip, options: ClipOptions,
                found: Findings) -> ClipResult:
    """Returns the result of a clip. source: the clip as encoded; read: the clip as read from the file."""
    names, limits_m, versions, closing = found.names, found.limits_m, found.versions, found.closing
    report, clip, missed = versions.report, source.clip, source_error(source, encoded, limits_m)
    if missed and is_curve(names[missed.joint]) and clip.follows_curve:
        missed = None  # `curves` has it
    first = versions.first_frame
    limit_m = limits_m[report.tight_joint]
    tight = (report.error_m, report.joint, first + report.frame) \
        if math.isinf(limit_m) or is_curve(names[report.tight_joint]) else (
        report.tight_error_m, report.tight_joint, first + report.tight_frame)
    limit_m = limits_m[tight[1]]
    return ClipResult(
        name=clip.name, source=clip.source, frames=len(clip.frames), rate=clip.rate,
        loop=bool(options.loop) and len(clip.frames) > 1, mode=options.mode,
        codec=CODEC_NAMES[report.codec], bytes=MIRROR_IMAGE_BYTES if clip.mirror_of else sum(versions.tier_bytes),
        raw_bytes=raw_bytes(len(read.frames), names),
        tolerance_mm=_millimetres(options.tolerance_m), tolerance_px=options.tolerance.pixels,
        error_mm=report.error_m * 1e3,
        error_joint=names[report.joint], error_frame=first + report.frame,
        axes_error_mm=report.axes_error_m * 1e3, sphere_error_mm=report.sphere_error_m * 1e3,
        tightest_error_mm=tight[0] * 1e3, tightest_tolerance_mm=_millimetres(limit_m),
        tightest_joint=names[tight[1]], tightest_frame=tight[2],
        pinned_error_mm=report.pinned_error_m * 1e3 if report.pinned_joint >= 0 else None,
        pinned_joint=names[report.pinned_joint] if report.pinned_joint >= 0 else None,
        chain_error_mm=report.chain_error_m * 1e3 if report.chain_joint >= 0 else None,
        chain_start=names[report.chain_start] if report.chain_joint >= 0 else None,
        chain_joint=names[report.chain_joint] if report.chain_joint >= 0 else None,
        chain_frame=first + report.chain_frame if report.chain_joint >= 0 else None,
        default_tracks=encoded.report.default_tracks, constant_tracks=encoded.report.constant_tracks,
        animated_tracks=encoded.report.animated_tracks,
        breaks=[(frame, names[joint], kind) for frame, joint, kind in encoded.breaks()],
        tier_errors_mm=[error_m * 1e3 for error_m in versions.tier_errors_m],
        tier_bytes=versions.tier_bytes if len(versions.tier_bytes) > 1 else [],
        source_error_mm=missed.error_m * 1e3 if missed else None,
        source_joint=names[missed.joint] if missed else None,
        source_seconds=missed.seconds if missed else None,
        closed_gap_mm=round(closing.gap.metres * 1e3, 6) if closing else None,
        closed_gap_joint=names[closing.gap.joint] if closing else None,
        closed_moved_mm=round(closing.moved_m * 1e3, 6) if closing else None,
        curves=list(found.curves), contacts=list(read.contacts),
        additive=None if clip.reference is None else clip.reference.text, mirror_of=clip.mirror_of,
        measure=None if clip.mirror_of else clip.measure, could_loop=found.could_loop,
    )


def unit_warnings(clips: Sequence[Clip], skeleton: Skeleton) -> list[str]:
    """Warns of clips that keep moving by a metre per frame, whose file may have other units. clips: as read."""
    advice = length_remedy(skeleton)
    joints = real_count(skeleton.names)
    return [
        f"{clip.source}: clip {clip.name}: translations move by a metre or more at {count} of {len(clip.frames)} frames"
        + (advice and f"; {advice}")
        for clip in clips
        if (count := np.count_nonzero(native.fast_moves(clip.frames)[:, :joints,
                                                                     TRACK_KINDS.index("translation")].any(axis=1)))
        > max(2, _CROWDED * len(clip.frames))
    ]


def base_warnings(results: Sequence[ClipResult], settings: Settings, size_m: Sequence[float]) -> list[str]:
    """Warns of the clip with the largest error in a base of a stated size, if that is too large to be useful."""
    if not settings.tiers.sizes and not settings.tiers.shares:
        return []
    wild = [clip for clip in results if clip.tier_errors_mm and clip.tolerance_mm is not None
            and clip.tier_errors_mm[0] > max(_WILD_TOLERANCES * clip.tolerance_mm, _WILD_SIZE * max(size_m) * 1e3)]
    if not wild:
        return []
    worst = max(wild, key=lambda clip: clip.tier_errors_mm[0])
    return [f"{worst.source}: clip {worst.name}: {named('--tiers')}: the base alone has errors of up to "
            f"{worst.tier_errors_mm[0]:,.0f} mm, {worst.tier_errors_mm[0] / (worst.tolerance_mm or math.inf):,.0f} "
            "times the tolerance; give it more bytes, or state its largest error, such as 8mm"]


def source_warnings(clips: Sequence[Clip], results: Sequence[ClipResult], skeleton: Skeleton,
                    limits_m: Sequence[Array], forced: bool) -> list[str]:
    """Warns of clips that do not hold the tolerance at the keys of their source. forced: whether
    the user chose their rate."""
    warnings = []
    for clip, result, limits in zip(clips, results, limits_m, strict=True):
        if clip.follows_curve or result.source_joint is None:
            continue
        limit_mm = limits[skeleton.names.index(result.source_joint)] * 1e3
        if result.source_error_mm is not None and result.source_error_mm > limit_mm:
            unit, factor = (" mm", 1.0) if not is_curve(result.source_joint) else ("", 1e-3)
            what = title_of(result.source_joint) if unit == "" else f"joint {result.source_joint}"
            warnings.append(
                f"{clip.source}: clip {clip.name}: {what}: at {result.source_seconds:.4g} s it is "
                f"{result.source_error_mm * factor:.4g}{unit} from the value in the file between frames, over the "
                f"tolerance of {limit_mm * factor:.4g}{unit}; " + remedy(clip, forced))
    return warnings


def rule_tolerances(settings: Settings) -> list[tuple[str, float | None, float]]:
    """Returns (pattern, pixels or None, millimetres) for each rule for joints."""
    return [(rule.pattern, rule.tolerance.pixels, rule.tolerance.on(settings.screen) * 1e3)
            for rule in settings.joints]
