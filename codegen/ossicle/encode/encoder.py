"""Encodes source files into a bank: imports them, encodes all clips in parallel, verifies the bank
and returns it."""
from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os.path import commonprefix
from pathlib import Path

import numpy as np

from ..bank.clips import LAYER, MAX_BREAKS
from ..bank.file import Bank, parse_bank
from ..base.codec import CODEC_NAMES, CODECS
from ..importers.importer import read_clips
from ..model.bind_size import bind_size, length_remedy, size_warnings
from ..model.clip import Clip, Imported, Skeleton, problems_of
from ..model.joints import joint_tolerances, pinned_joints
from ..model.loops import Closing
from ..model.skinning import inverse_bind_q20
from . import native
from .codec_sets import CodecChoice, best_first, measured, subsets, worth_a_try
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
_CLIPS_AT_A_TIME = 64  # tried with all codecs before it is asked whether the rest is worth it


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


def _skin_joints_section(skeleton: Skeleton) -> bytes | None:
    """The body of the SKJN section, padded to words; None if the skin lists the skeleton's joints in
    their order."""
    if skeleton.skin_joints in ((), skeleton.names):
        return None
    numbers = [skeleton.names.index(name) for name in skeleton.skin_joints]
    return struct.pack(f"<I{len(numbers)}H{len(numbers) % 2 * 2}x", len(numbers), *numbers)


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
        _inverse_bind(skeleton, settings, imported.clips[0].source), _skin_joints_section(skeleton)))


Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, eq=False)
class _Outcome:
    """The encoder's result for a clip at one rate."""

    source: Source
    status: int
    encoded: native.EncodedClip | None
    report: native.Report


@dataclass(frozen=True, eq=False)
class _Encoding:
    """A clip as encoded, with its bytes in a bank."""

    source: Source
    encoded: native.EncodedClip
    bytes: int


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
        self._tried: dict[int, dict[str, _Encoding]] = {}  # by clip and codec
        self._inner = native.Skeleton(skeleton.parents, skeleton.bind)
        self._skin = _inverse_bind(skeleton, settings, clips[0].source)
        self._jobs, self._progress = min(jobs or os.cpu_count() or 1, _MOST_THREADS), progress
        self._done = 0  # frames, once for each codec
        self._planned = sum(len(clips[index].frames) * (self._tries(index) - 1) for index in self._free())

    def encode(self, indices: Sequence[int]) -> None:
        """Encodes these clips with the codecs that are allowed. Raises EncodeProblem for the first
        one that is refused."""
        refused: dict[int, str] = {}
        self._planned += sum(len(self._read[index].frames) * self._tries(index) for index in indices)
        with self._outcomes(self._encode_one, indices, self._tries) as outcomes:
            for index, outcome in outcomes:
                clip, report = outcome.source.clip, outcome.report
                if outcome.encoded is None:
                    refused[index] = self._explain(index, outcome.status, clip, report)
                elif report.breaks > MAX_BREAKS:
                    refused[index] = (f"{clip.source}: clip {clip.name}: tracks jump "
                                      f"{report.breaks} times, over {MAX_BREAKS}; "
                                      + length_remedy(self.skeleton, "split it"))
                else:
                    self.encoded[index], self._sources[index] = outcome.encoded, outcome.source
        if refused:
            raise EncodeProblem(refused[min(refused)])

    def _tries(self, index: int) -> int:
        """How often a clip is encoded: with each codec or scheme that is allowed."""
        return max(len(self.allowed[index]), len(self.options[index].schemes))

    def _free(self) -> list[int]:
        """The clips whose codec is chosen together with that of others."""
        return [] if self.settings.costs is None else [
            index for index, options in enumerate(self.options)
            if len(self.allowed[index]) > 1 and not options.schemes]

    @contextmanager
    def _outcomes(self, encode: Callable[[int], _Outcome], indices: Sequence[int], tries: Callable[[int], int]) \
            -> Iterator[Iterator[tuple[int, _Outcome]]]:
        """Encodes clips on all threads, the longest first, and shows the progress. tries: how often a
        clip is encoded."""
        longest_first = sorted(indices, key=lambda i: -len(self._read[i].frames))
        pool = ThreadPoolExecutor(self._jobs)

        def outcomes() -> Iterator[tuple[int, _Outcome]]:
            for index, outcome in zip(longest_first, pool.map(encode, longest_first)):
                yield index, outcome
                self._done += len(self._read[index].frames) * tries(index)
                if self._progress:
                    self._progress(self._done, self._planned, outcome.source.clip.name)
        try:
            yield outcomes()
        finally:  # an interrupt does not wait for the clips that are being encoded
            pool.shutdown(wait=False, cancel_futures=True)

    def keep_to(self, max_ram_bytes: int | None) -> None:
        """Encodes clips again, with fewer codecs, until a player takes no more than this memory."""
        while max_ram_bytes is not None:
            cheaper = cheaper_codecs(parse_bank(self.write()), self.allowed,
                                     [options.random_access for options in self.options], max_ram_bytes)
            if not cheaper:
                return
            for index, codecs in cheaper.items():
                self.allowed[index] = codecs
            self.encode(sorted(cheaper))

    def choose_codecs(self) -> list[CodecChoice]:
        """Adopts the set of codecs that costs least by the settings' goal, and returns all sets that
        were tried, the best first. Clips that were left no choice keep their codec."""
        costs, goal, free = self.settings.costs, self.settings.optimise, self._free()
        if not free:
            return []
        used = tuple({CODEC_NAMES[encoded.report.codec] for encoded in self.encoded.values()})
        codecs = sorted({codec for index in free for codec in self.allowed[index]}, key=CODECS.index)
        growth = dict.fromkeys(subsets(codecs), 0)
        for first in range(0, len(free), _CLIPS_AT_A_TIME):
            some = free[first:first + _CLIPS_AT_A_TIME]
            before = sum(self._note(index, self._sources[index], self.encoded[index])
                         for index in some)
            self._try_others(some, codecs)
            for tried in growth:
                growth[tried] += sum(self._smallest(index, tried).bytes for index in some) - before
            share = (first + len(some)) / len(free)
            if goal == "flash" and share < 1.0 and not worth_a_try(growth, share, used, costs):
                return self._adopt_best(free[:first + len(some)], [used])
        return self._adopt_best(free, growth)

    def _note(self, index: int, source: Source, encoded: native.EncodedClip) -> int:
        """Remembers the encoding of a clip by its codec, and returns its bytes."""
        size = self._size(source.clip, encoded)
        codec = CODEC_NAMES[encoded.report.codec]
        self._tried.setdefault(index, {})[codec] = _Encoding(source, encoded, size)
        return size

    def _try_others(self, indices: Sequence[int], codecs: Sequence[str]) -> None:
        """Encodes clips with each allowed codec that they were not yet encoded with."""
        for codec in codecs:
            missing = [index for index in indices
                       if codec in self.allowed[index] and codec not in self._tried[index]]
            with self._outcomes(lambda index: self._try(index, (codec,)), missing, lambda _: 1) as outcomes:
                for index, outcome in outcomes:
                    if outcome.encoded is not None and outcome.report.breaks <= MAX_BREAKS:
                        self._note(index, outcome.source, outcome.encoded)

    def _smallest(self, index: int, codecs: Sequence[str]) -> _Encoding:
        """The smallest encoding with one of the codecs; with any, if none of them holds the
        tolerance."""
        tried = self._tried[index]
        return min((tried[codec] for codec in tried if codec in codecs or not set(tried) & set(codecs)),
                   key=lambda encoding: encoding.bytes)

    def _adopt(self, indices: Sequence[int], codecs: Sequence[str]) -> Bank:
        for index in indices:
            chosen = self._smallest(index, codecs)
            self.encoded[index], self._sources[index] = chosen.encoded, chosen.source
        return parse_bank(self.write())

    def _adopt_best(self, free: Sequence[int], sets: Iterable[tuple[str, ...]]) -> list[CodecChoice]:
        choices = {measured(self._adopt(free, codecs), self.settings.costs): codecs for codecs in sets}
        ranked = best_first(list(choices), self.settings.optimise, self.settings.max_ram_bytes)
        self._adopt(free, choices[ranked[0]])
        return ranked

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

    def _wanted(self, index: int, codecs: tuple[str, ...] = ()) -> native.EncodeSettings:
        """The settings of a clip, with these codecs or else with those that are allowed."""
        options, settings = self.options[index], self.settings
        return native.EncodeSettings(
            options.tolerance_m, settings.shell_m, options.restart_log2, settings.effort,
            codecs or self.allowed[index], self.limits_m[index],
            pinned_joints(self.skeleton.names, settings.pins), options.mode == LAYER, options.keys,
            points=settings.points)

    def _try(self, index: int, codecs: tuple[str, ...] = ()) -> _Outcome:
        options, wanted = self.options[index], self._wanted(index, codecs)
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
        parsed = parse_bank(native.write_bank(self._inner, [encoded], [entry(clip)],
                                              names_section(self.skeleton.names, [clip.name])))
        return parsed.clips[0].size_bytes + 4 * sum(tier.words for tier in parsed.tiers)

    def write(self) -> bytes:
        """Returns the bank of all clips. Raises EncodeProblem if they have too many rates."""
        check_rates(self.clips)
        names = names_section(self.skeleton.names, [clip.name for clip in self.clips])
        entries = [entry(clip) for clip in self.clips]
        return native.write_bank(self._inner, self._encoded_clips(), entries, names, self._skin,
                                 _skin_joints_section(self.skeleton))

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
    progress(done, total, clip) is called from this thread after each clip; it counts frames, once for
    each codec that they are tried with. Fewer than the total are done where that is enough. loosen: the tolerance of
    a clip that cannot hold it is doubled until it can; the clip's result states the tolerance used.
    Raises EncodeProblem, SettingProblem or NativeProblem with one line for the user.
    """
    imported, closings = edited(imported, settings)
    check_input(imported.skeleton, imported.clips, settings, imported.left_out)
    encoder = _Encoder(imported.clips, imported.skeleton, settings, jobs, progress, loosen)
    encoder.check_loops()
    encoder.encode(range(len(imported.clips)))
    encoder.keep_to(settings.max_ram_bytes)
    choices = encoder.choose_codecs()
    bank = encoder.write()
    parsed = parse_bank(bank)
    encoder.verify(bank)
    results = encoder.results(parsed, closings)
    warnings = source_warnings(encoder.clips, results, imported.skeleton, encoder.limits_m,
                                settings.importing.fps is not None)
    size_m = bind_size(imported.skeleton)
    source = imported.clips[0].source
    return BankResult(bank, parsed.player_bytes, size_m, rule_tolerances(settings),
                      imported.skeleton, settings.points, encoder.clips, results,
                      imported.warnings + warnings + size_warnings(size_m, source)
                      + unit_warnings(results, imported.skeleton), choices)
