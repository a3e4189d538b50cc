"""Chooses the codecs of a bank's clips by the cost of the whole bank."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...bank.assembling import has_section
from ...bank.clips import MAX_BREAKS
from ...bank.file import BASE_ROW
from ...base.codec import CODEC_NAMES, CODECS, CodecCosts
from .. import native
from ..bank_draft import BankDraft
from ..clip_encoder import data_bytes
from ..resampling import Source
from . import codec_sets
from .codec_sets import CodecChoice, best_first, code_bytes, is_ruled_out, measured, promising, ram_cost, subsets
from .ram_fitting import RamFitting

CLIPS_AT_A_TIME = 16  # tried with all codecs before deciding which of them to try with the rest


@dataclass(frozen=True, eq=False)
class _Encoding:
    """A clip as encoded, with its bytes in a bank."""

    source: Source
    encoded: native.EncodedClip
    bytes: int
    asked: tuple[str, ...]  # the codecs of the attempt; () for all that are allowed


class CodecChooser:
    """Chooses among the codecs that are allowed for the clips of a draft. ram: keeps its player within a limit, if
    there is one; asked: by clip, the codecs of the attempt that was adopted, () for all that are allowed."""

    def __init__(self, draft: BankDraft, ram: RamFitting | None) -> None:
        self._draft, self._clip_encoder, self._settings, self._ram = draft, draft.clip_encoder, draft.settings, ram
        self._tried: dict[int, dict[str, _Encoding]] = {}  # by clip and codec
        self.asked: list[tuple[str, ...]] = [()] * len(draft.origins)

    def free(self) -> list[int]:
        """Returns the clips whose codecs are chosen together."""
        return [] if self._settings.costs is None else [
            index for index, options in enumerate(self._clip_encoder.options)
            if len(self._clip_encoder.allowed[index]) > 1 and not options.schemes
            and self._draft.origins[index] == index]

    def choose(self) -> list[CodecChoice]:
        """Adopts the set of codecs that costs least by the settings' goal, and returns all sets that were tried with
        all clips, the best first. Clips without a choice keep their codec."""
        free = self.free()
        if not free:
            return []
        used = {CODEC_NAMES[encoded.report.codec] for encoded in self._clip_encoder.encoded.values()}
        codecs = sorted({codec for index in free for codec in self._clip_encoder.allowed[index]}, key=CODECS.index)
        growth = dict.fromkeys(subsets(codecs), 0)
        for first in range(0, len(free), CLIPS_AT_A_TIME):
            some = free[first:first + CLIPS_AT_A_TIME]
            before = sum(self._note(index, self._clip_encoder.sources[index], self._clip_encoder.encoded[index])
                         for index in some)
            self._try_others(some, codecs)
            if self._ram is not None:
                self._forget_large(some, codecs, self._ram)
            for tried in growth:
                growth[tried] += sum(self._smallest(index, tried).bytes for index in some) - before
            growth = self._promising(growth, (first + len(some)) / len(free))
            codecs = [codec for codec in codecs if any(codec in tried for tried in growth)]
            self._forget_others(some, codecs)
            if [set(tried) for tried in growth] == [used]:
                return self._adopt_best(free[:first + len(some)], growth)
        return self._adopt_best(free, growth)

    def _promising(self, growth: dict[tuple[str, ...], int], share: float) -> dict[tuple[str, ...], int]:
        """Returns the sets that may cost least, judged by a share of all clips, and how much these grow."""
        if self._settings.optimise != "flash" or share == 1.0 or self._ram_cost():
            return growth
        return {codecs: growth[codecs] for codecs in promising(growth, share, self._costs())}

    def _forget_others(self, indices: Sequence[int], codecs: Sequence[str]) -> None:
        """Forgets the encodings with other codecs than these, which take more memory than the bank."""
        self._adopt(indices, codecs)
        for index in indices:
            tried = self._tried[index]
            self._tried[index] = {codec: tried[codec] for codec in tried if codec in codecs} or tried

    def _note(self, index: int, source: Source, encoded: native.EncodedClip, asked: tuple[str, ...] = ()) -> int:
        """Stores the encoding of a clip by its codec, and returns its bytes."""
        size = data_bytes(encoded)
        codec = CODEC_NAMES[encoded.report.codec]
        self._tried.setdefault(index, {})[codec] = _Encoding(source, encoded, size, asked)
        return size

    def _try_others(self, indices: Sequence[int], codecs: Sequence[str]) -> None:
        """Encodes clips with each allowed codec that was not tried yet."""
        for codec in codecs:
            missing = [index for index in indices if codec in self._clip_encoder.allowed[index]
                       and codec not in self._tried[index] and not self._is_ruled_out(index, codec)]
            with self._clip_encoder.outcomes(lambda index: self._clip_encoder.attempt(index, (codec,)), missing,
                                             lambda index: len(self._clip_encoder.read[index].frames)) as outcomes:
                for index, outcome in outcomes:
                    if outcome.encoded is not None and outcome.report.breaks <= MAX_BREAKS:
                        self._note(index, outcome.source, outcome.encoded, (codec,))

    def _forget_large(self, indices: Sequence[int], codecs: Sequence[str], ram: RamFitting) -> None:
        """Replaces tried encodings whose state is too large, or forgets them if the clip has others."""
        for codec in codecs:
            tried = [index for index in indices if codec in self._tried[index]]
            self._adopt(tried, (codec,))
            if codec == "curve" and (large := ram.large(tried)):
                ram.weigh_state(large)
                for index in large:
                    self._note(index, self._clip_encoder.sources[index], self._clip_encoder.encoded[index], ("curve",))
            for index in ram.large(tried):
                if len(self._tried[index]) > 1:
                    del self._tried[index][codec]

    def _ram_cost(self) -> int:
        """Returns the bytes of flash that the memory of the bank's player counts as."""
        return ram_cost(self._draft.size().player_bytes)

    def _costs(self) -> CodecCosts:
        """Returns the costs of codecs on the machine for which they are chosen."""
        assert self._settings.costs is not None
        return self._settings.costs

    def _is_ruled_out(self, index: int, codec: str) -> bool:
        """Returns whether a sample of a long clip shows that a codec costs more than it can save."""
        goal = self._settings.optimise
        source = self._clip_encoder.sources[index]
        if len(source.clip.frames) <= codec_sets.LONG_FRAMES or goal not in ("flash", "bank"):
            return False
        encoded = self._clip_encoder.encoded[index]
        now = CODEC_NAMES[encoded.report.codec]
        sample, sample_now = (self._clip_encoder.sample_bytes(index, source, tried) for tried in (codec, now))
        if sample is None or sample_now is None:
            return False
        saved = 0 if goal == "bank" else code_bytes(self._clip_encoder.allowed[index], self._costs()) \
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
            self._clip_encoder.encoded[index], self._clip_encoder.sources[index] = chosen.encoded, chosen.source
            self.asked[index] = chosen.asked

    def _measured(self) -> CodecChoice:
        """Returns the cost of the bank with the adopted codecs."""
        clips = [(CODEC_NAMES[self._clip_encoder.encoded[origin].report.codec],
                  len(self._clip_encoder.sources[origin].clip.frames))
                 for origin in self._draft.origins]
        bank, size = self._draft.write_sized(graph=False)
        return measured(clips, (len(bank), has_section(bank, BASE_ROW)), size, self._costs())

    def _adopt_best(self, free: Sequence[int], sets: Iterable[tuple[str, ...]]) -> list[CodecChoice]:
        choices: dict[CodecChoice, tuple[str, ...]] = {}
        known: dict[tuple[str, ...], CodecChoice] = {}  # by the codec of each clip, which several sets may share
        for codecs in sets:
            self._adopt(free, codecs)
            adopted = tuple(CODEC_NAMES[self._clip_encoder.encoded[index].report.codec] for index in free)
            if adopted not in known:
                known[adopted] = self._measured()
            choices[known[adopted]] = codecs
        ranked = best_first(list(choices), self._settings.optimise, self._settings.max_ram_bytes)
        self._adopt(free, choices[ranked[0]])
        self._tried.clear()
        return ranked
