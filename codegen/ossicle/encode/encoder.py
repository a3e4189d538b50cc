"""Encodes source files into a bank: imports them, encodes all clips in parallel, verifies the bank
and returns it."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from os.path import commonprefix
from pathlib import Path

import numpy as np

from ..bank.clips import LAYER, MAX_BREAKS
from ..bank.file import Bank, parse_bank
from ..importers.importer import read_clips
from ..model.bind_size import bind_size, length_remedy, size_warnings
from ..model.clip import Clip, Imported, Skeleton, problems_of
from ..model.joints import joint_tolerances, pinned_joints
from ..model.loops import Closing
from ..model.skinning import inverse_bind_q20
from . import native
from .edits import edited
from .problems import EncodeProblem, Refused, check_input, check_rates, entry, explain
from .ram_limit import cheaper_codecs
from .resampling import NEGLIGIBLE, SHARE, Source, nearest_source, sources
from .results import (
    BankResult,
    ClipResult,
    clip_result,
    rule_tolerances,
    source_warnings,
    unit_warnings,
)
from .settings import Settings

MOST_SHARED = 255  # bytes that a name can share with the previous one
MOST_DOUBLINGS = 16  # the most that a tolerance is doubled for clips that may be loosened
_MOST_THREADS = 256  # more clips at once would only take memory


def names_section(joints: Sequence[str], clips: Sequence[str]) -> bytes:
    """The body of the NAME section: two counts, then each name as zero-terminated UTF-8 without the
    bytes that it shares with the previous one, padded to words."""
    body = len(joints).to_bytes(4, "little") + len(clips).to_bytes(4, "little")
    before = b""
    for name in (*joints, *clips):
        text = name.encode()
        shared = min(len(commonprefix([before, text])), MOST_SHARED)
        body += bytes([shared]) + text[shared:] + b"\0"
        before = text
    return body + bytes(-len(body) % 4)


def _inverse_bind(skeleton: Skeleton, settings: Settings, source: str) -> np.ndarray | None:
    """Returns the inverse bind matrices, or None if the bank does not hold them. Raises
    ImportProblem, which names the source file."""
    if not settings.skinning:
        return None
    with problems_of(source):
        return inverse_bind_q20(skeleton)


def bank_without_clips(imported: Imported, settings: Settings) -> Bank:
    """Returns the bank that encode_clips makes, but without clips; it is known before the encoding.
    Raises ImportProblem, EncodeProblem or SettingProblem."""
    imported, _ = edited(imported, settings)
    skeleton = imported.skeleton
    check_input(skeleton, imported.clips, settings, imported.left_out)
    return parse_bank(native.write_bank(
        native.Skeleton(skeleton.parents, skeleton.bind), [], [], names_section(skeleton.names, []),
        _inverse_bind(skeleton, settings, imported.clips[0].source)))


Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, eq=False)
class _Outcome:
    """The encoder's result for a clip at one rate."""

    source: Source
    status: int
    encoded: native.EncodedClip | None
    report: native.Report


class _Encoder:
    """Encodes the clips of one bank."""

    def __init__(self, clips: Sequence[Clip], skeleton: Skeleton, settings: Settings,
                 jobs: int | None, progress: Progress | None, loosen: bool) -> None:
        self._read, self.skeleton, self.settings = clips, skeleton, settings
        self._loosen = loosen
        self.options = [settings.options_for(clip.name) for clip in clips]
        self.allowed = [options.codecs for options in self.options]
        self.limits_m = [joint_tolerances(skeleton.names, options.tolerance_m, settings.joints,
                                          settings.pins, settings.screen)
                         for options in self.options]
        self.encoded: dict[int, native.EncodedClip] = {}
        self._sources: dict[int, Source] = {}  # the clips at the rates of encoding
        self._inner = native.Skeleton(skeleton.parents, skeleton.bind)
        self._skin = _inverse_bind(skeleton, settings, clips[0].source)
        self._jobs, self._progress = min(jobs or os.cpu_count() or 1, _MOST_THREADS), progress

    def encode(self, indices: Sequence[int]) -> None:
        """Encodes these clips with the codecs that are allowed. Raises EncodeProblem for the first
        one that is refused."""
        longest_first = sorted(indices, key=lambda i: -len(self._read[i].frames))
        refused: dict[int, str] = {}
        pool = ThreadPoolExecutor(self._jobs)
        try:
            outcomes = zip(longest_first, pool.map(self._encode_one, longest_first))
            for done, (index, outcome) in enumerate(outcomes, 1):
                clip, report = outcome.source.clip, outcome.report
                if outcome.encoded is None:
                    refused[index] = self._explain(index, outcome.status, clip, report)
                elif report.breaks > MAX_BREAKS:
                    refused[index] = (f"{clip.source}: clip {clip.name}: tracks jump "
                                      f"{report.breaks} times, over {MAX_BREAKS}; "
                                      + length_remedy(self.skeleton, "split it"))
                else:
                    self.encoded[index], self._sources[index] = outcome.encoded, outcome.source
                if self._progress:
                    self._progress(done, len(indices), clip.name)
        finally:  # an interrupt does not wait for the clips that are being encoded
            pool.shutdown(wait=False, cancel_futures=True)
        if refused:
            raise EncodeProblem(refused[min(refused)])

    def _encode_one(self, index: int) -> _Outcome:
        outcome = self._try(index)
        for _ in range(MOST_DOUBLINGS if self._loosen else 0):
            if outcome.status != native.ERROR_TOLERANCE:
                break
            options = self.options[index]
            self.options[index] = replace(options, tolerance_m=2.0 * options.tolerance_m)
            self.limits_m[index] = 2.0 * self.limits_m[index]
            outcome = self._try(index)
        return outcome

    def check_loops(self) -> None:
        """Raises EncodeProblem for the first clip whose loop is open. Needs only the two ends of
        clips."""
        for index, (clip, options) in enumerate(zip(self._read, self.options)):
            if not options.loop or len(clip.frames) == 1:
                continue
            ends = native.ClipInput(clip.frames[[0, -1]], clip.steps[[0, -1]], loop=True)
            status, _, report = native.encode_clip(
                self._inner, ends, replace(self._wanted(index), codecs=("delta",), effort="fast"))
            if status == native.ERROR_LOOP:
                report.frame = report.chain_frame = len(clip.frames) - 1
                raise EncodeProblem(self._explain(index, status, clip, report))

    def _explain(self, index: int, status: int, clip: Clip, report: native.Report) -> str:
        refused = Refused(status, clip, clip.rate != self._read[index].rate, report)
        return explain(refused, self.skeleton, self.options[index], self.allowed[index],
                       self.limits_m[index])

    def _wanted(self, index: int) -> native.EncodeSettings:
        options, settings = self.options[index], self.settings
        return native.EncodeSettings(
            options.tolerance_m, settings.shell_m, options.restart_log2, settings.effort,
            self.allowed[index], self.limits_m[index],
            pinned_joints(self.skeleton.names, settings.pins), options.mode == LAYER, options.keys,
            points=settings.points)

    def _try(self, index: int) -> _Outcome:
        options, wanted = self.options[index], self._wanted(index)
        failed: _Outcome | None = None
        follows: list[Source] = []
        clip = self._read[index]
        with problems_of(f"{clip.source}: clip {clip.name}"):
            for source in sources(clip, options.loop, self._inner, wanted):
                follows.append(source)
                if source.error > SHARE:
                    continue
                outcome = self._encode_source(index, source, wanted)
                if outcome.status != native.ERROR_TOLERANCE or source.error < NEGLIGIBLE:
                    return outcome
                failed = failed or outcome
        return failed or self._encode_source(index, nearest_source(follows), wanted)

    def _encode_source(self, index: int, source: Source, wanted: native.EncodeSettings) -> _Outcome:
        """Returns the smallest clip of all schemes that hold the tolerance, or the nearest miss if
        none does."""
        schemes = [scheme for scheme in self.options[index].schemes
                   if scheme.codec in self.allowed[index]]
        variants = [replace(wanted, codecs=(scheme.codec,), scheme=scheme)
                    for scheme in schemes] or [wanted]
        tried = [_Outcome(source, *native.encode_clip(self._inner, source.input, one))
                 for one in variants]
        held = [outcome for outcome in tried if outcome.encoded is not None]
        if not held:
            return min(tried, key=lambda outcome: outcome.report.tight_error_m)
        return held[0] if len(held) == 1 else min(
            held, key=lambda outcome: self._size(source.clip, outcome.encoded))

    def _size(self, clip: Clip, encoded: native.EncodedClip) -> int:
        """The bytes of one clip in a bank, including its keys in streaming tiers."""
        bank = native.write_bank(self._inner, [encoded], [entry(clip)],
                                 names_section(self.skeleton.names, [clip.name]))
        parsed = parse_bank(bank)
        return parsed.clips[0].size_bytes + 4 * sum(tier.words for tier in parsed.tiers)

    def write(self) -> bytes:
        """Returns the bank of all clips. Raises EncodeProblem if they have too many rates."""
        check_rates(self.clips)
        names = names_section(self.skeleton.names, [clip.name for clip in self.clips])
        entries = [entry(clip) for clip in self.clips]
        return native.write_bank(self._inner, self._encoded_clips(), entries, names, self._skin)

    @property
    def clips(self) -> list[Clip]:
        """The clips at the rates at which they were encoded."""
        return [self._sources[index].clip for index in range(len(self._read))]

    def _encoded_clips(self) -> list[native.EncodedClip]:
        return [self.encoded[index] for index in range(len(self._read))]

    def verify(self, bank: bytes) -> None:
        """Plays the finished bank and compares it with the measurements. Raises EncodeProblem,
        which names the clip that differs."""
        differs = native.verify_clips(native.bank_words(bank), self._encoded_clips())
        if differs is not None:
            clip = self.clips[differs]
            raise EncodeProblem(f"{clip.source}: clip {clip.name}: the finished bank does not play "
                                "as it was measured; this is a bug in the encoder")

    def results(self, bank: Bank, closings: Mapping[str, Closing]) -> list[ClipResult]:
        """The outcome of every clip. closings: the loops that were closed."""
        return [clip_result(self._sources[index], read, encoded, self.skeleton, self.options[index],
                            self.limits_m[index], self._size(self._sources[index].clip, encoded)
                            if encoded.report.tiers else bank.clips[index].size_bytes,
                            closings.get(read.name))
                for index, (read, encoded) in enumerate(zip(self._read, self._encoded_clips()))]


def encode(paths: Sequence[Path], settings: Settings, jobs: int | None = None,
           progress: Progress | None = None) -> BankResult:
    """Encodes all clips of all files into one bank: calls read_clips, then encode_clips.

    Raises ImportProblem, EncodeProblem, SettingProblem or NativeProblem with one line for the user.
    """
    return encode_clips(read_clips(paths, settings.importing), settings, jobs, progress)


def encode_clips(imported: Imported, settings: Settings, jobs: int | None = None,
                 progress: Progress | None = None, loosen: bool = False) -> BankResult:
    """Encodes imported clips into one bank.

    jobs: the number of threads, or None for one per core; the result does not depend on it.
    progress(done, total, clip) is called from this thread after each clip. loosen: the tolerance of
    a clip that cannot hold it is doubled until it can; the clip's result states the tolerance used.
    Raises EncodeProblem, SettingProblem or NativeProblem with one line for the user.
    """
    imported, closings = edited(imported, settings)
    check_input(imported.skeleton, imported.clips, settings, imported.left_out)
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
    results = encoder.results(parsed, closings)
    warnings = source_warnings(encoder.clips, results, imported.skeleton, encoder.limits_m,
                                settings.importing.fps is not None)
    size_m = bind_size(imported.skeleton)
    source = imported.clips[0].source
    return BankResult(bank, parsed.player_bytes, size_m, rule_tolerances(settings),
                      imported.skeleton, settings.points, encoder.clips, results,
                      imported.warnings + warnings + size_warnings(size_m, source)
                      + unit_warnings(results, imported.skeleton))
