"""Encodes single clips and versions of clips, on all threads."""
from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace


from ..bank.clips import MAX_BREAKS
from ..base.arrays import Array
from ..base.option_values import LAYER
from ..base.curve_names import curve_joints
from ..model.bind_size import length_remedy
from ..model.clip import Clip, Imported, problems_of
from ..model.joints import joint_tolerances, pinned_joints
from . import native
from .choice import codec_sets
from .choice.codec_sets import SAMPLE_LOG2, SAMPLES, SURE
from .derived.mirrored import images_of
from .problems import EncodeProblem, Refused, explain
from .tiers.kept_frames import kept_frames
from .resampling import NEGLIGIBLE, SHARE, Source, nearest_source, over_of, sources
from .settings import Settings
from .tiers.versions import Piece, VersionRequest, block_input

MOST_DOUBLINGS = 16  # the most that a tolerance is doubled for clips that may be loosened
_MOST_THREADS = 256  # more concurrent clips would only take memory


Progress = Callable[[int, int, str], None]
Encode = Callable[[native.Skeleton, native.ClipInput, native.EncodeSettings],
                  tuple[int, native.EncodedClip | None, native.Report]]


@dataclass(frozen=True, eq=False)
class Outcome:
    """The encoder's result for a clip at one rate."""

    source: Source
    status: int
    encoded: native.EncodedClip | None
    report: native.Report


def data_bytes(encoded: native.EncodedClip) -> int:
    """Returns the bytes of a clip in a bank, including its keys in streaming tiers."""
    return native.bank_size([encoded]).data_bytes


class ClipEncoder:
    """Encodes the clips of a bank, each independently. encode: native.encode_clip, or a function with the same results.
    encoded, sources: by index, once a clip is encoded; sources are the clips at the rates of encoding."""

    def __init__(self, imported: Imported, settings: Settings, jobs: int | None, progress: Progress | None,
                 loosen: bool, encode: Encode) -> None:
        clips, skeleton = imported.clips, imported.skeleton
        self._encode_clip = encode
        self.read, self.skeleton, self.settings = clips, skeleton, settings
        self._loosen = loosen
        self.options = [settings.options_for(clip.name) for clip in clips]
        self.allowed = [options.codecs for options in self.options]
        self.limits_m = [joint_tolerances(skeleton.names, options.tolerance_m, settings.joints,
                                          settings.pins, settings.screen, settings.curve_rules)
                         for options in self.options]
        self.encoded: dict[int, native.EncodedClip] = {}
        self.sources: dict[int, Source] = {}
        self.known: dict[int, tuple[str, ...]] = {}  # by index: the codecs with which to encode, from a cache
        self.state_bits: dict[int, int] = {}  # by index: what a word of state counts as, if it has to be less
        self._samples: dict[tuple[int, str, float, float], int | None] = {}
        # by index: the first source, with the tolerance for which it is
        self._first: dict[int, tuple[float, Source]] = {}
        self.inner = native.Skeleton(skeleton.parents, skeleton.bind, images_of(imported))
        self.jobs, self._progress = min(jobs or os.cpu_count() or 1, _MOST_THREADS), progress
        self._done = self._planned = 0  # frames, once for each codec
        native.share_memory(self.jobs)
        self._pool = ThreadPoolExecutor(self.jobs)

    def plan(self, frames: int) -> None:
        """Adds frames to the total of the progress. frames: once for each codec."""
        self._planned += frames

    def encode(self, indices: Sequence[int]) -> None:
        """Encodes these clips with the codecs that are allowed. Raises EncodeProblem for the first clip that is
        refused."""
        refused: dict[int, Outcome] = {}
        self.plan(sum(map(self._frames, indices)))
        with self.outcomes(self._encode_one, indices, self._frames) as outcomes:
            for index, outcome in outcomes:
                if outcome.encoded is None or outcome.report.breaks > MAX_BREAKS:
                    refused[index] = outcome
                else:
                    self.encoded[index], self.sources[index] = outcome.encoded, outcome.source
        if refused and self._doubts():
            for index in sorted(refused):
                self.encode([index])
        elif refused:
            raise EncodeProblem(self._refusal(min(refused), refused[min(refused)]))

    def _doubts(self) -> bool:
        """Returns whether a refusal may come from a cache, and stops using it: a cached refusal is untrusted, because
        unlike a clip it cannot be measured."""
        doubts = self._encode_clip is not native.encode_clip
        self._encode_clip = native.encode_clip
        return doubts

    def _refusal(self, index: int, outcome: Outcome) -> str:
        clip, report = outcome.source.clip, outcome.report
        if outcome.encoded is None:
            return self.explain(index, outcome.status, clip, report)
        return (f"{clip.source}: clip {clip.name}: tracks jump {report.breaks} times, more than {MAX_BREAKS}; "
                + length_remedy(self.skeleton, "split it"))

    def tries(self, index: int) -> int:
        """Returns how often a clip is encoded: once for each codec or scheme that is allowed."""
        return max(len(self.allowed[index]), len(self.options[index].schemes))

    def _frames(self, index: int) -> int:
        return len(self.read[index].frames) * self.tries(index)

    @contextmanager
    def outcomes(self, encode: Callable[[int], Outcome], tasks: Sequence[int], frames: Callable[[int], int]) \
            -> Iterator[Iterator[tuple[int, Outcome]]]:
        """Runs tasks on all threads, the longest first, and reports progress. frames: returns the frames that a task
        encodes, once for each codec."""
        longest_first = sorted(tasks, key=lambda task: -frames(task))
        futures = [self._pool.submit(encode, task) for task in longest_first]

        def done() -> Iterator[tuple[int, Outcome]]:
            for index, future in zip(longest_first, futures):
                outcome = future.result()
                yield index, outcome
                self._done += frames(index)
                if self._progress:
                    self._progress(self._done, self._planned, outcome.source.clip.name)
        try:
            yield done()
        finally:  # an interrupt does not wait for the clips that are being encoded
            for future in futures:
                future.cancel()

    def _encode_one(self, index: int) -> Outcome:
        outcome = self.attempt(index, self.known.get(index, ()))
        for _ in range(MOST_DOUBLINGS if self._loosen else 0):
            if outcome.status != native.ERROR_TOLERANCE:
                break
            options = self.options[index]
            self.options[index] = replace(options, tolerance_m=2.0 * options.tolerance_m)
            self.limits_m[index] = 2.0 * self.limits_m[index]
            outcome = self.attempt(index)
        return outcome

    def check_loops(self) -> None:
        """Raises EncodeProblem for the first clip whose loop is open. Needs only the two ends of
        clips."""
        for index, (clip, options) in enumerate(zip(self.read, self.options)):
            if not options.loop or len(clip.frames) == 1:
                continue
            ends = native.ClipInput(clip.frames[[0, -1]], clip.steps[[0, -1]], loop=True, over=over_of(clip))
            status, _, report = native.encode_clip(
                self.inner, ends, replace(self._settings_of(index), codecs=("delta",), effort="fast"))
            if status == native.ERROR_LOOP:
                report.frame = report.chain_frame = len(clip.frames) - 1
                raise EncodeProblem(self.explain(index, status, clip, report))

    def explain(self, index: int, status: int, clip: Clip, report: native.Report) -> str:
        refused = Refused(status, clip, clip.rate != self.read[index].rate, report)
        return explain(refused, self.skeleton, self.options[index], self.allowed[index],
                       self.limits_m[index])

    def _settings_of(self, index: int, codecs: tuple[str, ...] = ()) -> native.EncodeSettings:
        """Returns the settings of a clip, with these codecs or else those that are allowed."""
        options, settings = self.options[index], self.settings
        return native.EncodeSettings(
            options.tolerance_m, settings.shell_m, options.restart_log2, settings.effort,
            codecs or self.allowed[index], self.limits_m[index],
            pinned_joints(self.skeleton.names, settings.pins), options.mode == LAYER, options.keys,
            points=settings.points, state_bits=self.state_bits.get(index, 0), values=curve_joints(self.skeleton.names))

    def _sources(self, index: int, settings: native.EncodeSettings) -> Iterator[Source]:
        """Yields the same as `sources`. Keeps the first source for further codecs; it may take more memory than the
        clip."""
        clip, options = self.read[index], self.options[index]
        every = sources(clip, bool(options.loop), self.inner, settings)
        if self._first.get(index, (None, None))[0] != options.tolerance_m:
            self._first[index] = options.tolerance_m, next(every)
            yield self._first[index][1]
        else:
            yield self._first[index][1]
            next(every)
        yield from every

    def attempt(self, index: int, codecs: tuple[str, ...] = ()) -> Outcome:
        settings = self._settings_of(index, codecs)
        failed: Outcome | None = None
        follows: list[Source] = []
        clip = self.read[index]
        with problems_of(f"{clip.source}: clip {clip.name}"):
            for source in self._sources(index, settings):
                follows.append(source)
                if source.error > SHARE:
                    continue
                likely = replace(settings, like=self.encoded[index] if self.sources.get(index) is source else None) \
                    if codecs else replace(settings, codecs=self._likely(index, source))
                outcome = self._encode_source(index, source, likely)
                if outcome.encoded is None and likely.codecs != settings.codecs:
                    outcome = self._encode_source(index, source, settings)
                if outcome.status != native.ERROR_TOLERANCE or source.error < NEGLIGIBLE:
                    return outcome
                failed = failed or outcome
        return failed or self._encode_source(index, nearest_source(follows), settings)

    def _encode_source(self, index: int, source: Source, settings: native.EncodeSettings) -> Outcome:
        """Returns the smallest clip of all schemes that hold the tolerance, or the nearest miss if
        none does."""
        schemes = [scheme for scheme in self.options[index].schemes
                   if scheme.codec in self.allowed[index]]
        if frames := self.options[index].keep_frames:
            kept = kept_frames(frames, source.clip, schemes)
            source = replace(source, input=replace(source.input, kept=kept))
        variants = [replace(settings, codecs=(scheme.codec,), scheme=scheme)
                    for scheme in schemes] or [settings]
        tried = [Outcome(source, *self._encode_clip(self.inner, source.input, variant))
                 for variant in variants]
        holding = [(outcome, outcome.encoded) for outcome in tried if outcome.encoded is not None]
        if not holding:
            return min(tried, key=lambda outcome: outcome.report.tight_error_m)
        return holding[0][0] if len(holding) == 1 else min(holding, key=lambda pair: data_bytes(pair[1]))[0]

    def _likely(self, index: int, source: Source) -> tuple[str, ...]:
        """Returns the allowed codecs; for a long clip, without those that are clearly larger than another in a sample
        of it."""
        allowed = self.allowed[index]
        if len(allowed) < 2 or self.options[index].schemes or len(source.clip.frames) <= codec_sets.LONG_FRAMES:
            return allowed
        sizes = {codec: size for codec in allowed if (size := self.sample_bytes(index, source, codec)) is not None}
        return tuple(codec for codec in sizes if SURE * sizes[codec] <= min(sizes.values())) or allowed

    def sample_bytes(self, index: int, source: Source, codec: str) -> int | None:
        """Returns the bytes of parts of a clip with a codec, or None if a part cannot be encoded."""
        key = index, codec, self.options[index].tolerance_m, source.clip.rate
        if key not in self._samples:
            self._samples[key] = self._sample(index, source, codec)
        return self._samples[key]

    def _sample(self, index: int, source: Source, codec: str) -> int | None:
        total = 0
        last = (len(source.clip.frames) - 1 >> SAMPLE_LOG2) - 1
        for number in range(SAMPLES):
            part = block_input(source.input, number * last // (SAMPLES - 1), SAMPLE_LOG2)
            _, encoded, _ = native.encode_clip(self.inner, part, self._settings_of(index, (codec,)))
            if encoded is None:
                return None
            total += data_bytes(encoded)
        return total

    def pieces(self, requests: Sequence[VersionRequest], codecs: Collection[str]) -> list[Piece]:
        """Encodes versions with some of these codecs, which the bank already needs. Raises EncodeProblem."""
        def frames(number: int) -> int:
            return len(self.sources[requests[number].clip].clip.frames) * (requests[number].block is None) \
                or 1 << self.settings.tier_block_log2
        self.plan(sum(map(frames, range(len(requests)))))
        pieces = {}
        with self.outcomes(lambda number: self._encode_version(requests[number], codecs), range(len(requests)),
                           frames) as outcomes:
            for number, outcome in outcomes:
                request, report = requests[number], outcome.report
                if outcome.encoded is None and self._doubts():
                    return self.pieces(requests, codecs)
                if outcome.encoded is None:
                    raise EncodeProblem(self.explain(request.clip, outcome.status, outcome.source.clip, report))
                limit_m = self._limits_m(request)[report.tight_joint]
                pieces[number] = Piece(request.block or 0, outcome.encoded, data_bytes(outcome.encoded),
                                       request.error_m * report.tight_error_m / limit_m)
        return [pieces[number] for number in range(len(requests))]

    def _limits_m(self, request: VersionRequest) -> Array:
        """Returns the tolerance of every joint in a version, in proportion to those of the clip."""
        return self.limits_m[request.clip] * (request.error_m / self.options[request.clip].tolerance_m)

    def _encode_version(self, request: VersionRequest, codecs: Collection[str]) -> Outcome:
        index, source = request.clip, self.sources[request.clip]
        if request.block is not None:
            source = replace(source, input=block_input(source.input, request.block, self.settings.tier_block_log2))
        allowed = tuple(codec for codec in self.allowed[index] if codec in codecs)
        return self._encode_source(index, source, replace(
            self._settings_of(index, allowed), tolerance_m=request.error_m, joint_tolerance_m=self._limits_m(request)))
