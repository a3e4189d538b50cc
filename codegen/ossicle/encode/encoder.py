"""Encodes source files into a bank: imports them, encodes all clips in parallel, verifies the bank
and returns it."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..bank.additive import Over, over_section
from ..bank.assembling import SECTION_ENTRY_BYTES, with_sections
from ..bank.clips import MAX_BREAKS, ONE_Q11
from ..bank.events import ClipEvent
from ..bank.file import Bank, parse_bank
from ..bank.graph_records import Graph
from ..bank.tiers import BLOCK_LOG2_MAX, ENTRY_WORDS, block_count
from ..bank.trajectories import trajectories_section
from ..bank.units import pack_units
from ..base.codec import CODEC_NAMES, CODECS, CodecCosts
from ..base.curve_names import real_count
from ..importers.importer import read_clips
from ..model.bind_size import bind_size, size_warnings
from ..model.clip import Clip, Imported
from ..model.loops import Closing, moves_at_all
from ..model.editing.mirroring import mirrored_clip
from ..model.standing_still import still_warnings
from . import codec_sets, native
from .clip_encoder import ClipEncoder, Encode, Progress, data_bytes
from .chosen import Chosen
from .codec_sets import (
    CodecChoice,
    best_first,
    code_bytes,
    is_ruled_out,
    measured,
    ram_cost,
    subsets,
    worth_a_try,
)
from .curves.errors import curve_errors
from .edits import Edited, edited
from .events.clip_events import all_events, coded_events, events_section
from .tiers.key_tiers import move_keys
from .derived.mirrored import origins_of, shown_at
from .graphs import graph_of, graph_section
from .problems import EncodeProblem, check_rates, check_tiers, entry, nothing_in_tiers, too_small
from .ram_limit import STATE_BITS, check_ram, cheaper_codecs, too_large_clips
from .resampling import Source
from .results import (
    BankResult,
    ClipResult,
    Findings,
    base_warnings,
    clip_result,
    rule_tolerances,
    source_warnings,
    unit_warnings,
    versions_of,
)
from .sections import inverse_bind, names_section, skin_joints_section
from .settings import Settings
from .tiers.versions import Chooser, Plan, Tiered

if TYPE_CHECKING:
    from .cache.choice import ChoiceCache

CLIPS_AT_A_TIME = 64  # tried with all codecs before deciding whether to try the rest


@dataclass(frozen=True, eq=False)
class _Encoding:
    """A clip as encoded, with its bytes in a bank."""

    source: Source
    encoded: native.EncodedClip
    bytes: int
    asked: tuple[str, ...]  # the codecs of the attempt; () for all that are allowed


class _Encoder:
    """Chooses the content of the bank of these clips, and writes it."""

    def __init__(self, imported: Imported, settings: Settings, jobs: int | None, progress: Progress | None,
                 loosen: bool, encode: Encode = native.encode_clip) -> None:
        clips = imported.clips
        self.clip_encoder = ClipEncoder(imported, settings, jobs, progress, loosen, encode)
        self._origins = origins_of(clips)
        self._settings = settings
        self._tried: dict[int, dict[str, _Encoding]] = {}  # by clip and codec
        self.asked: list[tuple[str, ...]] = [()] * len(clips)  # by clip: those of the adopted encoding
        self._skin = inverse_bind(imported.skeleton, settings, clips[0].source)
        self._plan = Plan(0, settings.tier_block_log2)
        self._events = all_events(clips, self.clip_encoder.options)
        graph_section(self._graph(clips, coded_events(self._events, clips)))  # problems are reported before encoding
        self.clip_encoder.plan(sum(len(clips[index].frames) * (self.clip_encoder.tries(index) - 1)
                                   for index in self._free()))

    def _free(self) -> list[int]:
        """Returns the clips whose codecs are chosen together."""
        return [] if self._settings.costs is None else [
            index for index, options in enumerate(self.clip_encoder.options)
            if len(self.clip_encoder.allowed[index]) > 1 and not options.schemes and self._origins[index] == index]

    def encode(self) -> None:
        """Encodes all clips except mirror images, which share the data of another clip."""
        self.clip_encoder.encode(sorted(set(self._origins)))

    def keep_to(self, max_ram_bytes: int | None) -> None:
        """Encodes clips again, with less state or fewer codecs, until a player takes no more than this memory."""
        weighed: set[int] = set()
        while max_ram_bytes is not None and self._size().player_bytes > max_ram_bytes:
            bank = parse_bank(self.write())
            large = [index for index in sorted(too_large_clips(bank, max_ram_bytes) - weighed)
                     if bank.clips[index].codec == "curve" and self._origins[index] == index]
            if large:
                weighed.update(large)
                self._weigh_state(large, max_ram_bytes)
                continue
            cheaper = cheaper_codecs(bank, self.clip_encoder.allowed,
                                     [options.random_access for options in self.clip_encoder.options], max_ram_bytes)
            cheaper = {index: codecs for index, codecs in cheaper.items() if self._origins[index] == index}
            for index, codecs in cheaper.items():
                self.clip_encoder.allowed[index] = codecs
            self.clip_encoder.encode(sorted(cheaper))

    def _weigh_state(self, indices: Sequence[int], max_ram_bytes: int) -> None:
        """Encodes clips of the codec curve again, each with the least weight of its state with which it is small
        enough, or with the greatest."""
        kept: dict[int, tuple[int, native.EncodedClip, Source]] = {}
        limits = dict.fromkeys(indices, (0, len(STATE_BITS)))  # too light; heavy enough
        encoder = self.clip_encoder
        while between := {index: (light + heavy) // 2 for index, (light, heavy) in limits.items() if heavy > light + 1}:
            encoder.state_bits |= {index: STATE_BITS[weight] for index, weight in between.items()}
            self._encode_as_curves(list(between))
            large = self._large(list(between), max_ram_bytes)
            for index, weight in between.items():
                light, heavy = limits[index]
                limits[index] = (weight, heavy) if index in large else (light, weight)
                if index not in large:
                    kept[index] = STATE_BITS[weight], encoder.encoded[index], encoder.sources[index]
        for index, (weight, encoded, source) in kept.items():
            encoder.state_bits[index], encoder.encoded[index], encoder.sources[index] = weight, encoded, source

    def _large(self, indices: Sequence[int], max_ram_bytes: int) -> list[int]:
        """Returns the clips of these whose state is too large in the present bank."""
        if self._size().player_bytes <= max_ram_bytes:
            return []
        large = too_large_clips(parse_bank(self.write()), max_ram_bytes)
        return [index for index in indices if index in large]

    def _encode_as_curves(self, indices: Sequence[int]) -> None:
        """Encodes clips with the codec curve. A clip that it cannot encode keeps its encoding."""
        self.clip_encoder.plan(sum(len(self.clip_encoder.read[index].frames) for index in indices))
        with self.clip_encoder.outcomes(lambda index: self.clip_encoder.attempt(index, ("curve",)), indices,
                                        lambda index: len(self.clip_encoder.read[index].frames)) as outcomes:
            for index, outcome in outcomes:
                if outcome.encoded is not None and outcome.report.breaks <= MAX_BREAKS:
                    self.clip_encoder.encoded[index], self.clip_encoder.sources[index] = outcome.encoded, outcome.source

    def encode_as_known(self, imported: Imported, memory: ChoiceCache) -> tuple[list[CodecChoice], bytes] | None:
        """Encodes all clips with the codecs that a cache knows, and returns the sets that were tried then, and the bank
        without tiers. Returns None if the cache does not know the codecs, or is wrong."""
        known = memory.recalled(imported, self._settings, self.clip_encoder.allowed)
        if known is not None:
            self.clip_encoder.known = dict(enumerate(known.codecs))
            with suppress(EncodeProblem):
                self.encode()
                if len(bank := self.write(graph=False)) == known.tried[0].bank_bytes:
                    return list(known.tried), bank if self._settings.graph is None else self.write()
            self.clip_encoder.known = {}
        return None

    def choose_codecs(self) -> list[CodecChoice]:
        """Adopts the set of codecs that costs least by the settings' goal, and returns all tried sets, the best first.
        Clips without a choice keep their codec."""
        goal, free = self._settings.optimise, self._free()
        if not free:
            return []
        costs = self._costs()
        used = tuple({CODEC_NAMES[encoded.report.codec] for encoded in self.clip_encoder.encoded.values()})
        codecs = sorted({codec for index in free for codec in self.clip_encoder.allowed[index]}, key=CODECS.index)
        growth = dict.fromkeys(subsets(codecs), 0)
        for first in range(0, len(free), CLIPS_AT_A_TIME):
            some = free[first:first + CLIPS_AT_A_TIME]
            before = sum(self._note(index, self.clip_encoder.sources[index], self.clip_encoder.encoded[index])
                         for index in some)
            self._try_others(some, codecs)
            if self._settings.max_ram_bytes is not None:
                self._forget_large(some, codecs, self._settings.max_ram_bytes)
            for tried in growth:
                growth[tried] += sum(self._smallest(index, tried).bytes for index in some) - before
            share = (first + len(some)) / len(free)
            if goal == "flash" and share < 1.0 and not worth_a_try(growth, share, used, costs) \
                    and not self._ram_cost():
                return self._adopt_best(free[:first + len(some)], [used])
        return self._adopt_best(free, growth)

    def _note(self, index: int, source: Source, encoded: native.EncodedClip, asked: tuple[str, ...] = ()) -> int:
        """Stores the encoding of a clip by its codec, and returns its bytes."""
        size = data_bytes(encoded)
        codec = CODEC_NAMES[encoded.report.codec]
        self._tried.setdefault(index, {})[codec] = _Encoding(source, encoded, size, asked)
        return size

    def _try_others(self, indices: Sequence[int], codecs: Sequence[str]) -> None:
        """Encodes clips with each allowed codec that was not tried yet."""
        for codec in codecs:
            missing = [index for index in indices if codec in self.clip_encoder.allowed[index]
                       and codec not in self._tried[index] and not self._is_ruled_out(index, codec)]
            with self.clip_encoder.outcomes(lambda index: self.clip_encoder.attempt(index, (codec,)), missing,
                                            lambda index: len(self.clip_encoder.read[index].frames)) as outcomes:
                for index, outcome in outcomes:
                    if outcome.encoded is not None and outcome.report.breaks <= MAX_BREAKS:
                        self._note(index, outcome.source, outcome.encoded, (codec,))

    def _forget_large(self, indices: Sequence[int], codecs: Sequence[str], max_ram_bytes: int) -> None:
        """Replaces tried encodings whose state is too large, or forgets them if the clip has others."""
        for codec in codecs:
            tried = [index for index in indices if codec in self._tried[index]]
            self._adopt(tried, (codec,))
            if codec == "curve" and (large := self._large(tried, max_ram_bytes)):
                self._weigh_state(large, max_ram_bytes)
                for index in large:
                    self._note(index, self.clip_encoder.sources[index], self.clip_encoder.encoded[index], ("curve",))
            for index in self._large(tried, max_ram_bytes):
                if len(self._tried[index]) > 1:
                    del self._tried[index][codec]

    def _ram_cost(self) -> int:
        """Returns the bytes of flash that the memory of the bank's player counts as."""
        return ram_cost(self._size().player_bytes)

    def _costs(self) -> CodecCosts:
        """Returns the costs of codecs on the machine for which they are chosen."""
        assert self._settings.costs is not None
        return self._settings.costs

    def _is_ruled_out(self, index: int, codec: str) -> bool:
        """Returns whether a sample of a long clip shows that a codec costs more than it can save."""
        goal = self._settings.optimise
        source = self.clip_encoder.sources[index]
        if len(source.clip.frames) <= codec_sets.LONG_FRAMES or goal not in ("flash", "bank"):
            return False
        encoded = self.clip_encoder.encoded[index]
        now = CODEC_NAMES[encoded.report.codec]
        sample, sample_now = (self.clip_encoder.sample_bytes(index, source, tried) for tried in (codec, now))
        if sample is None or sample_now is None:
            return False
        saved = 0 if goal == "bank" else code_bytes(self.clip_encoder.allowed[index], self._costs()) \
            + self._ram_cost()
        return is_ruled_out(self._tried[index][now].bytes, sample, sample_now, saved)

    def _smallest(self, index: int, codecs: Sequence[str]) -> _Encoding:
        """Returns the smallest encoding with one of the codecs, or with any codec if none of them holds the
        tolerance."""
        tried = self._tried[index]
        return min((tried[codec] for codec in tried if codec in codecs or not set(tried) & set(codecs)),
                   key=lambda encoding: encoding.bytes)

    def _adopt(self, indices: Sequence[int], codecs: Sequence[str]) -> None:
        for index in indices:
            chosen = self._smallest(index, codecs)
            self.clip_encoder.encoded[index], self.clip_encoder.sources[index] = chosen.encoded, chosen.source
            self.asked[index] = chosen.asked

    def _measured(self) -> CodecChoice:
        """Returns the cost of the bank with the adopted codecs."""
        clips = [(CODEC_NAMES[self.clip_encoder.encoded[origin].report.codec],
                  len(self.clip_encoder.sources[origin].clip.frames))
                 for origin in self._origins]
        return measured(clips, len(self.write(graph=False)), self._size(), self._costs())

    def _adopt_best(self, free: Sequence[int], sets: Iterable[tuple[str, ...]]) -> list[CodecChoice]:
        choices: dict[CodecChoice, tuple[str, ...]] = {}
        known: dict[tuple[str, ...], CodecChoice] = {}  # by the codec of each clip, which several sets may share
        for codecs in sets:
            self._adopt(free, codecs)
            adopted = tuple(CODEC_NAMES[self.clip_encoder.encoded[index].report.codec] for index in free)
            if adopted not in known:
                known[adopted] = self._measured()
            choices[known[adopted]] = codecs
        ranked = best_first(list(choices), self._settings.optimise, self._settings.max_ram_bytes)
        self._adopt(free, choices[ranked[0]])
        return ranked

    def choose_keys(self) -> None:
        """Moves keys to tiers to meet the stated sizes, in clips whose scheme has keys in tiers. Stated errors were met
        when the clips were encoded. Raises EncodeProblem."""
        keyed = [encoded for encoded in self._finest_clips() if encoded.report.tiers]
        if keyed and self._settings.tiers.count and not self._settings.tiers.errors_m:
            move_keys(keyed, self._settings.tiers, self.write, self.clips[0].source, self.clip_encoder.jobs)

    def choose_versions(self) -> None:
        """Adopts the versions for the stated tiers, of all clips except those with keys in tiers. Raises
        EncodeProblem."""
        targets, log2 = self._settings.tiers, self._settings.tier_block_log2
        if targets.count == 0:
            return
        clips = [Tiered(index, options.tolerance_m, encoded, data_bytes(encoded), len(clip.frames), log2)
                 for index, (options, encoded, clip) in enumerate(
                     zip(self.clip_encoder.options, self._finest_clips(), self.clips)) if not encoded.report.tiers]
        if not clips:
            return
        keyed = len(clips) < len(self.clip_encoder.read)
        whole = len(self.write())
        codecs = {CODEC_NAMES[encoded.report.codec] for encoded in self._finest_clips()}
        chooser = Chooser(clips, log2, lambda requests: self.clip_encoder.pieces(requests, codecs))
        limits = targets.limits(whole)
        plan = chooser.by_sizes(limits, self._sizes) if limits else chooser.by_errors(targets.errors_m)
        source = self.clips[0].source
        if plan is None:
            raise EncodeProblem(too_small(source, limits[0], chooser.smallest_bytes))
        if not plan.versions and not keyed:
            raise EncodeProblem(nothing_in_tiers(source, whole, bool(limits)))
        self._plan = plan

    def write(self, plan: Plan | None = None, graph: bool = True) -> bytes:
        """Returns the bank of all clips, with the versions of a plan. graph: whether to include the graph, on which the
        choice of codecs does not depend. Raises EncodeProblem if the clips have too many rates."""
        plan = plan or self._plan
        check_rates(self.clips)
        skeleton = self.clip_encoder.skeleton
        names = names_section(skeleton.names, [clip.name for clip in self.clips],
                              pack_units(skeleton.parents, skeleton.units))
        entries = [entry(clip) for clip in self.clips]
        written = native.write_bank(self.clip_encoder.inner, self._base_clips(plan), entries, names,
                                    native.Skin(self._skin, skin_joints_section(skeleton)), plan.tiers)
        return with_sections(written, self._more_sections(graph))

    def _more_sections(self, graph: bool) -> dict[str, bytes]:
        clips = self.clips
        events = coded_events(self._events, clips)
        trajectories = [(read.trajectory, len(clip.frames)) for read, clip in zip(self.clip_encoder.read, clips)]
        return (trajectories_section(trajectories) | events_section(events, clips) | over_section(self._over())
                | graph_section(self._graph(clips, events) if graph else None))

    def _graph(self, clips: Sequence[Clip], events: Mapping[int, tuple[ClipEvent, ...]]) -> Graph | None:
        return graph_of(self._settings.graph, clips, self.clip_encoder.options, events, self.clip_encoder.skeleton)

    def _over(self) -> dict[int, Over]:
        """Returns the references of additive clips, at the rates of encoding."""
        rates = {read.name: clip.rate / read.rate for read, clip in zip(self.clip_encoder.read, self.clips)}
        over = [(number, clip.reference) for number, clip in enumerate(self.clip_encoder.read)
                if clip.reference is not None]
        return {number: Over(one.clip or "", round(one.frame * rates.get(one.clip or "", 1.0) * ONE_Q11))
                for number, one in over}

    def _sizes(self, plan: Plan) -> list[int]:
        """Returns the bytes of the bank with the first 0, 1, .. tiers of a plan, whose clips may not be divided yet."""
        whole, bytes_now = 0, len(self.write(plan))
        if plan.block_log2 == BLOCK_LOG2_MAX:
            log2 = self._settings.tier_block_log2
            whole = 4 * ENTRY_WORDS * sum(block_count(len(self.clips[index].frames), log2) - 1 for index in plan.base)
        tiers = [SECTION_ENTRY_BYTES * (size > 0) + size for size in self._size(plan).tier_bytes[:plan.count]]
        return list(accumulate(tiers, initial=whole + bytes_now - sum(tiers)))

    def _size(self, plan: Plan | None = None) -> native.BankSize:
        plan = plan or self._plan
        return native.bank_size(self._base_clips(plan), plan.tiers)

    def _base_clips(self, plan: Plan) -> list[native.EncodedClip]:
        return [plan.base[index].encoded if index in plan.base else encoded
                for index, encoded in enumerate(self._finest_clips())]

    @property
    def clips(self) -> list[Clip]:
        """Returns the clips at the rates of encoding."""
        clips = [self.clip_encoder.sources[origin].clip for origin in self._origins]
        return [clip if origin == number
                else mirrored_clip(clip, self.clip_encoder.read[number].name, self.clip_encoder.skeleton)
                for number, (origin, clip) in enumerate(zip(self._origins, clips))]

    def _finest_clips(self) -> list[native.EncodedClip]:
        return [self.clip_encoder.encoded[origin] for origin in self._origins]

    def verify(self, bank: bytes) -> None:
        """Plays the finished bank and compares it with the measurements. Raises EncodeProblem,
        which names the clip that differs."""
        differs = native.verify_clips(native.bank_words(bank), self._base_clips(self._plan), self._plan.tiers)
        if differs is not None:
            clip = self.clips[differs]
            raise EncodeProblem(f"{clip.source}: clip {clip.name}: the finished bank does not play as it was measured; "
                                "this is a bug in the encoder, please report it")

    def results(self, bank: Bank, closings: Mapping[str, Closing]) -> list[ClipResult]:
        """Returns the result of every clip. closings: the loops that were closed."""
        words = np.array(bank.words, np.uint32)
        results = []
        for index, (clip, read, encoded) in enumerate(zip(self.clips, self.clip_encoder.read, self._finest_clips())):
            source = replace(self.clip_encoder.sources[self._origins[index]], clip=clip)
            shown = shown_at(bank, index)
            breaks = [(frame, shown[joint], kind) for frame, joint, kind in encoded.breaks()]
            curves = curve_errors(bank, words, index, clip, breaks, self.clip_encoder.limits_m[index])
            names = [self.clip_encoder.skeleton.names[joint] for joint in shown]
            found = Findings(names, self.clip_encoder.limits_m[index], versions_of(bank, self._plan, index, encoded),
                             closings.get(read.name), curves, self._could_loop(index, clip))
            results.append(clip_result(source, read, encoded, self.clip_encoder.options[index], found))
        return results

    def _could_loop(self, index: int, clip: Clip) -> bool:
        options = self.clip_encoder.options[index]
        return not options.loop and options.additive is None and clip.mirror_of is None \
            and self._gap_m(clip) <= options.tolerance_m and moves_at_all(clip)

    def _gap_m(self, clip: Clip) -> float:
        """Returns how far any joint is at the end of a clip from its place at the beginning, without curves."""
        ends, real = clip.frames[[0, -1]], real_count(self.clip_encoder.skeleton.names)
        ends[1, real:] = ends[0, real:]
        return float(self.clip_encoder.inner.travel(ends, self._settings.shell_m)[0])


def encode(paths: Sequence[Path], settings: Settings, jobs: int | None = None,
           progress: Progress | None = None) -> BankResult:
    """Encodes all clips of all files into one bank: calls read_clips, then encode_clips.

    Raises ImportProblem, EncodeProblem, SettingProblem or NativeProblem with one line for the user.
    """
    return encode_clips(read_clips(paths, settings.reading), settings, jobs, progress)


def encode_clips(imported: Imported, settings: Settings, jobs: int | None = None,
                 progress: Progress | None = None, loosen: bool = False, encode: Encode | None = None) -> BankResult:
    """Encodes imported clips into one bank: calls edited, then encode_edited."""
    return encode_edited(edited(imported, settings), settings, jobs, progress, loosen, encode)


def encode_edited(character: Edited, settings: Settings, jobs: int | None = None,
                  progress: Progress | None = None, loosen: bool = False, encode: Encode | None = None,
                  memory: ChoiceCache | None = None) -> BankResult:
    """Encodes the clips of a character, edited with these settings, into one bank.

    jobs: the number of threads, or None for one per core; the result does not depend on it.
    progress(done, total, clip) is called from this thread after each clip; it counts frames, once for each codec that
    is tried. The final count may be below the total. loosen: the tolerance of
    a clip that cannot hold it is doubled until it can; the clip's result states the tolerance used.
    encode: a function that encodes a clip, such as that of a cache; memory: the choices of codecs in a cache; the
    result does not depend on them. Raises EncodeProblem, SettingProblem or NativeProblem with one line for the user.
    """
    imported = character.imported
    encoder = _Encoder(imported, settings, jobs, progress, loosen, encode or native.encode_clip)
    source = imported.clips[0].source
    check_tiers(source, settings.tiers.errors_m, [options.tolerance_m for options in encoder.clip_encoder.options])
    encoder.clip_encoder.check_loops()
    known = encoder.encode_as_known(imported, memory) if memory else None
    choices, bank = known or (None, None)
    if choices is None:
        encoder.encode()
        encoder.keep_to(settings.max_ram_bytes)
        choices = encoder.choose_codecs()
        if memory:
            memory.learn(Chosen(encoder.asked, choices))
    encoder.choose_keys()
    encoder.choose_versions()
    if bank is None or settings.tiers.count:
        bank = encoder.write()
    parsed = parse_bank(bank)
    check_ram(parsed, settings.max_ram_bytes, source)
    encoder.verify(bank)
    results = encoder.results(parsed, character.closings)
    warnings = source_warnings(encoder.clips, results, imported.skeleton, encoder.clip_encoder.limits_m,
                               settings.importing.fps is not None)
    size_m = bind_size(imported.skeleton)
    return BankResult(bank, parsed, size_m, rule_tolerances(settings),
                      imported.skeleton, settings.points, encoder.clips, results,
                      imported.warnings + warnings + size_warnings(imported.skeleton, source)
                      + still_warnings(imported.clips, imported.skeleton, settings.shell_m)
                      + unit_warnings(imported.clips, imported.skeleton) + base_warnings(results, settings, size_m),
                      choices)
