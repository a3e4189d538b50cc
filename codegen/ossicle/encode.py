"""Source files to a bank: import, encode every clip in parallel, verify, write."""
from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from os.path import commonprefix
from pathlib import Path

import numpy as np

from . import native
from .bank_clips import LAYER, MAX_BREAKS, MAX_RATES, name_hash
from .bank_file import MAX_NAME_BYTES, Bank, parse_bank
from .bind_size import bind_size, size_warnings
from .codec import AUTO_CODECS, CODEC_NAMES
from .importer import read_clips
from .joints import check_joint_patterns, joint_tolerances, pinned_joints
from .model import Clip, Imported, Skeleton
from .ram_limit import cheaper_codecs
from .settings import ClipOptions, Settings
from .skinning import inverse_bind_q20

RAW_BYTES_PER_JOINT_FRAME = 40  # ten floats: what the ratio compares with
MAX_JOINTS = 1024
MOST_SHARED = 255  # bytes of a name that the one before can have lent it
MIN_RATE = 0.001  # frames per second that are still a number in Q16
MAX_RATE = 480.0  # frames per second for which a position per microsecond still fits Q32
_MOST_THREADS = 256  # more than that many clips at once only take memory
_CROWDED_BREAKS = 0.2  # share of the frames of a clip with breaks from which units are suspect


class EncodeProblem(Exception):
    """A clip that cannot be encoded as asked; str() is one line with file, clip, joint, remedy."""


@dataclass(frozen=True)
class ClipResult:
    """What became of one clip. Errors are shell errors over all frames and midpoints; tightest is
    the one that comes nearest to its own joint's tolerance, in a layer of any chain of joints."""

    name: str
    source: str
    frames: int
    rate: float
    loop: bool
    mode: str
    codec: str
    bytes: int
    raw_bytes: int
    tolerance_mm: float
    tolerance_px: float | None  # what the tolerance was given as, if in pixels
    error_mm: float
    error_joint: str
    error_frame: float
    tightest_error_mm: float
    tightest_tolerance_mm: float
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

    @property
    def ratio(self) -> float:
        return self.raw_bytes / self.bytes


@dataclass(frozen=True)
class BankResult:
    """A finished bank and its report. player_bytes: RAM of a player on a 32-bit machine.
    size_m: extent of the bind pose along x, y (up) and z. joint_tolerances: (pattern, pixels or
    None, millimetres) of the rules for joints."""

    bank: bytes
    player_bytes: int
    size_m: tuple[float, float, float]
    joint_tolerances: list[tuple[str, float | None, float]]
    skeleton: Skeleton
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
            "joints": len(self.skeleton.names),
            "worst_error_mm": max(clip.error_mm for clip in self.clips),
            "breaks": sum(len(clip.breaks) for clip in self.clips),
            "warnings": self.warnings,
            "clips": [asdict(clip) | {"ratio": round(clip.ratio, 3)} for clip in self.clips],
        }


def _explain_tolerance(where: str, skeleton: Skeleton, options: ClipOptions, codecs: Sequence[str],
                       limits: np.ndarray, report: native.Report) -> str:
    """One line for a clip that does not hold the tolerance; as for _explain."""
    joint, limit = skeleton.names[report.tight_joint], limits[report.tight_joint]
    at = f"frame {report.tight_frame:g}: "
    # no number: what the finest steps leave is not the least that the search can reach
    finest = (f"even the finest steps do not hold {_tolerance_text(limit, options)}; raise the "
              "tolerance")
    if report.tight_start >= 0:
        return (f"{where}chain from {skeleton.names[report.tight_start]} to {joint}: {at}{finest}, "
                "or encode it as full-body")
    if report.tight_error_m > limit:
        return f"{where}joint {joint}: {at}{finest}"
    other = "" if set(codecs) >= set(AUTO_CODECS) else "allow another codec, or "
    return (f"{where}joint {joint}: {at}the codec {' or '.join(codecs)} cannot follow this track "
            f"within {limit * 1e3:g} mm; {other}try another tolerance")


def _explain(status: int, clip: Clip, skeleton: Skeleton, options: ClipOptions,
             codecs: Sequence[str], limits: np.ndarray, report: native.Report) -> str:
    """One line for a clip that the encoder refused. codecs: those it could choose from; limits:
    float64 [J], metres, the tolerance of every joint."""
    where = f"{clip.source}: clip {clip.name}: "
    if status == native.ERROR_TOLERANCE:
        return _explain_tolerance(where, skeleton, options, codecs, limits, report)
    joint = skeleton.names[report.joint] if report.joint >= 0 else "?"
    at = f"{where}joint {joint}: frame {report.frame:g}: "
    limit, chain_limit = limits[report.joint], limits[report.chain_joint]
    if status == native.ERROR_LOOP and report.chain_joint >= 0:
        return (f"{clip.source}: clip {clip.name}: joint {skeleton.names[report.chain_joint]}: "
                f"frame {report.chain_frame:g}: is {report.chain_error_m * 1e3:.3f} mm from where "
                f"it was at frame 0 in the chain from {skeleton.names[report.chain_start]}, over "
                f"{_tolerance_text(chain_limit, options)}; close the loop of every joint by "
                "itself, or encode it as full-body or without loop")
    if status == native.ERROR_LOOP:
        return (f"{at}is {report.error_m * 1e3:.3f} mm from where it was at frame 0, over "
                f"{_tolerance_text(limit, options)}; close the loop (the game, not the clip, moves "
                "a character that travels) or encode it without loop")
    if status == native.ERROR_RANGE:
        return (f"{at}{native.KINDS[report.kind]} {report.value:g} is beyond +-2047; lengths are "
                "metres: choose --scale")
    if status == native.ERROR_TOO_LARGE:
        return f"{clip.source}: clip {clip.name}: {len(clip.frames)} frames are too many; split it"
    raise MemoryError("the encoder ran out of memory")


def _tolerance_text(limit_m: float, options: ClipOptions) -> str:
    whose = "the" if limit_m == options.tolerance_m else "the joint's"
    return f"{whose} tolerance of {limit_m * 1e3:g} mm"


def _check_name(name: str, what: str, source: str) -> None:
    size = len(name.encode())
    if size > MAX_NAME_BYTES:
        raise EncodeProblem(f"{source}: the name of {what} has {size} bytes, at most "
                            f"{MAX_NAME_BYTES} are possible; rename it at the source")


def _check_input(skeleton: Skeleton, clips: Sequence[Clip], settings: Settings) -> None:
    if not clips:
        raise EncodeProblem("no clip in the input; check that the file has animations")
    if len(skeleton.names) > MAX_JOINTS:
        raise EncodeProblem(f"{clips[0].source}: {len(skeleton.names)} joints; the limit is "
                            f"{MAX_JOINTS}")
    for joint, name in enumerate(skeleton.names):
        _check_name(name, f"joint {joint}", clips[0].source)
    hashes: dict[int, str] = {}
    for clip in clips:
        _check_name(clip.name, "a clip", clip.source)
        other = hashes.setdefault(name_hash(clip.name), clip.name)
        if other != clip.name:
            raise EncodeProblem(f"{clip.source}: clips {other} and {clip.name} have the same name "
                                "hash; rename one")
        if clip.rate < MIN_RATE:
            raise EncodeProblem(f"{clip.source}: clip {clip.name}: {clip.rate:g} frames per "
                                f"second, below {MIN_RATE:g}; choose --fps")
        if clip.rate > MAX_RATE:
            raise EncodeProblem(f"{clip.source}: clip {clip.name}: {clip.rate:g} frames per "
                                f"second, over {MAX_RATE:g}; choose --fps")
    rates = {_entry(clip)[1:] for clip in clips}
    if len(rates) > MAX_RATES:
        raise EncodeProblem(f"{clips[0].source}: the clips have {len(rates)} different frame rates, "
                            f"a bank holds {MAX_RATES}; choose --fps or split the bank")
    settings.check_patterns([clip.name for clip in clips])
    check_joint_patterns([*(rule.pattern for rule in settings.joints), *settings.pins],
                         skeleton.names)


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


def _entry(clip: Clip) -> tuple[int, int, int]:
    position = round(clip.rate * 2048 * 2**32 / 1_000_000)
    return name_hash(clip.name), round(clip.rate * 65536), min(position, 2**32 - 1)


def _result(clip: Clip, encoded: native.EncodedClip, skeleton: Skeleton, options: ClipOptions,
            limits_m: np.ndarray, size: int) -> ClipResult:
    report = encoded.report
    return ClipResult(
        name=clip.name, source=clip.source, frames=len(clip.frames), rate=clip.rate,
        loop=options.loop and len(clip.frames) > 1, mode=options.mode,
        codec=CODEC_NAMES[report.codec], bytes=size,
        raw_bytes=len(clip.frames) * len(skeleton.names) * RAW_BYTES_PER_JOINT_FRAME,
        tolerance_mm=round(options.tolerance_m * 1e3, 9), tolerance_px=options.tolerance_px,
        error_mm=report.error_m * 1e3,
        error_joint=skeleton.names[report.joint], error_frame=report.frame,
        tightest_error_mm=report.tight_error_m * 1e3,
        tightest_tolerance_mm=round(limits_m[report.tight_joint] * 1e3, 9),
        tightest_joint=skeleton.names[report.tight_joint], tightest_frame=report.tight_frame,
        pinned_error_mm=report.pinned_error_m * 1e3 if report.pinned_joint >= 0 else None,
        pinned_joint=skeleton.names[report.pinned_joint] if report.pinned_joint >= 0 else None,
        chain_error_mm=report.chain_error_m * 1e3 if report.chain_joint >= 0 else None,
        chain_start=skeleton.names[report.chain_start] if report.chain_joint >= 0 else None,
        chain_joint=skeleton.names[report.chain_joint] if report.chain_joint >= 0 else None,
        chain_frame=report.chain_frame if report.chain_joint >= 0 else None,
        default_tracks=report.default_tracks, constant_tracks=report.constant_tracks,
        animated_tracks=report.animated_tracks,
        breaks=[(frame, skeleton.names[joint], kind) for frame, joint, kind in encoded.breaks()],
    )


def _unit_warnings(results: Sequence[ClipResult]) -> list[str]:
    """Motion of a metre a frame, all the time, is a file in other units."""
    return [
        f"{clip.source}: clip {clip.name}: translations jump a metre or more at {count} of "
        f"{clip.frames} frames and will not blend there; if lengths are not metres, choose --scale"
        for clip in results
        if (count := len({b[0] for b in clip.breaks if b[2] == "translation"}))
        > max(2, _CROWDED_BREAKS * clip.frames)
    ]


def _joint_tolerances(settings: Settings) -> list[tuple[str, float | None, float]]:
    return [(rule.pattern, rule.tolerance.pixels, rule.tolerance.on(settings.screen) * 1e3)
            for rule in settings.joints]


Progress = Callable[[int, int, str], None]


class _Encoder:
    """The clips of one bank on their way through the encoder."""

    def __init__(self, clips: Sequence[Clip], skeleton: Skeleton, settings: Settings,
                 jobs: int | None, progress: Progress | None) -> None:
        self.clips, self.skeleton, self.settings = clips, skeleton, settings
        self.options = [settings.options_for(clip.name) for clip in clips]
        self.allowed = [options.codecs for options in self.options]
        self.limits_m = [joint_tolerances(skeleton.names, options.tolerance_m, settings.joints,
                                          settings.pins, settings.screen)
                         for options in self.options]
        self.encoded: dict[int, native.EncodedClip] = {}
        self._inner = native.Skeleton(skeleton.parents, skeleton.bind)
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
                    refused[index] = _explain(status, clip, self.skeleton, self.options[index],
                                              self.allowed[index], self.limits_m[index], report)
                elif report.breaks > MAX_BREAKS:
                    refused[index] = (f"{clip.source}: clip {clip.name}: tracks jump "
                                      f"{report.breaks} times, over {MAX_BREAKS}; if lengths are "
                                      "not metres, choose --scale, else split it")
                else:
                    self.encoded[index] = result
                if self._progress:
                    self._progress(done, len(indices), clip.name)
        finally:  # an interrupt does not wait for the clips that are being encoded
            pool.shutdown(wait=False, cancel_futures=True)
        if refused:
            raise EncodeProblem(refused[min(refused)])

    def _encode_one(self, index: int) -> tuple[int, native.EncodedClip | None, native.Report]:
        clip, options = self.clips[index], self.options[index]
        settings = self.settings
        wanted = native.EncodeSettings(
            options.tolerance_m, settings.shell_m, settings.restart_log2, settings.effort,
            self.allowed[index], self.limits_m[index],
            pinned_joints(self.skeleton.names, settings.pins), options.mode == LAYER, settings.keys)
        return native.encode_clip(self._inner, clip.frames, clip.steps, options.loop, wanted)

    def write(self) -> bytes:
        """The bank of all clips."""
        names = names_section(self.skeleton.names, [clip.name for clip in self.clips])
        entries = [_entry(clip) for clip in self.clips]
        encoded = [self.encoded[index] for index in range(len(self.clips))]
        skin = inverse_bind_q20(self.skeleton) if self.settings.skinning else None
        return native.write_bank(self._inner, encoded, entries, names, skin)

    def verify(self, bank: bytes) -> None:
        """Plays the finished bank and compares; EncodeProblem names the clip that differs."""
        words = native.bank_words(bank)
        for index, clip in enumerate(self.clips):
            if not native.verify_clip(self._inner, words, index, self.encoded[index]):
                raise EncodeProblem(f"{clip.source}: clip {clip.name}: the finished bank does not "
                                    "play as it was measured; this is a bug in the encoder")

    def results(self, bank: Bank) -> list[ClipResult]:
        """What became of every clip."""
        return [_result(clip, self.encoded[index], self.skeleton, self.options[index],
                        self.limits_m[index], bank.clips[index].size_bytes)
                for index, clip in enumerate(self.clips)]


def encode(paths: Sequence[Path], settings: Settings, jobs: int | None = None,
           progress: Progress | None = None) -> BankResult:
    """Encodes all clips of all files into one bank: read_clips, then encode_clips.

    ImportProblem, EncodeProblem, SettingProblem and NativeProblem carry one line for the user.
    """
    return encode_clips(read_clips(paths, settings.importing), settings, jobs, progress)


def encode_clips(imported: Imported, settings: Settings, jobs: int | None = None,
                 progress: Progress | None = None) -> BankResult:
    """Encodes imported clips into one bank.

    jobs: threads, None for one a core; the result does not depend on it. progress(done, total,
    clip) is called from this thread after each clip. EncodeProblem, SettingProblem and
    NativeProblem carry one line for the user.
    """
    _check_input(imported.skeleton, imported.clips, settings)
    encoder = _Encoder(imported.clips, imported.skeleton, settings, jobs, progress)
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
    size_m = bind_size(imported.skeleton)
    source = imported.clips[0].source
    return BankResult(bank, parsed.player_bytes, size_m, _joint_tolerances(settings),
                      imported.skeleton, results, imported.warnings + size_warnings(size_m, source)
                      + _unit_warnings(results))


def report_json(result: BankResult) -> bytes:
    """The report as JSON text."""
    return (json.dumps(result.report(), indent=1, ensure_ascii=False) + "\n").encode()
