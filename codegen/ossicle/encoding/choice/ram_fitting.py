"""Encodes clips again so that a bank's player stays within a memory limit."""
from __future__ import annotations

from collections.abc import Sequence

from ...bank.clips import MAX_BREAKS
from ...bank.file import parse_bank
from .. import native
from ..bank_draft import BankDraft
from ..resampling import Source
from .ram_limit import STATE_BITS, cheaper_codecs, too_large_clips


class RamFitting:
    """Keeps the player of a draft within max_ram_bytes."""

    def __init__(self, draft: BankDraft, max_ram_bytes: int) -> None:
        self._draft, self._clip_encoder, self._max_ram_bytes = draft, draft.clip_encoder, max_ram_bytes

    def keep(self) -> None:
        """Encodes clips again, with less state or fewer codecs, until a player takes no more than max_ram_bytes."""
        weighed: set[int] = set()
        while self._draft.size().player_bytes > self._max_ram_bytes:
            bank = parse_bank(self._draft.write())
            large = [index for index in sorted(too_large_clips(bank, self._max_ram_bytes) - weighed)
                     if bank.clips[index].codec == "curve" and self._draft.origins[index] == index]
            if large:
                weighed.update(large)
                self.weigh_state(large)
                continue
            random_access = [options.random_access for options in self._clip_encoder.options]
            cheaper = cheaper_codecs(bank, self._clip_encoder.allowed, random_access, self._max_ram_bytes)
            cheaper = {index: codecs for index, codecs in cheaper.items() if self._draft.origins[index] == index}
            for index, codecs in cheaper.items():
                self._clip_encoder.allowed[index] = codecs
            self._clip_encoder.encode(sorted(cheaper))

    def weigh_state(self, indices: Sequence[int]) -> None:
        """Encodes clips of the codec curve again, each with the least weight of its state with which it is small
        enough, or with the greatest."""
        kept: dict[int, tuple[int, native.EncodedClip, Source]] = {}
        limits = dict.fromkeys(indices, (0, len(STATE_BITS)))  # too light; heavy enough
        encoder = self._clip_encoder
        while between := {index: (light + heavy) // 2 for index, (light, heavy) in limits.items() if heavy > light + 1}:
            encoder.state_bits |= {index: STATE_BITS[weight] for index, weight in between.items()}
            self._encode_as_curves(list(between))
            large = self.large(list(between))
            for index, weight in between.items():
                light, heavy = limits[index]
                limits[index] = (weight, heavy) if index in large else (light, weight)
                if index not in large:
                    kept[index] = STATE_BITS[weight], encoder.encoded[index], encoder.sources[index]
        for index, (weight, encoded, source) in kept.items():
            encoder.state_bits[index], encoder.encoded[index], encoder.sources[index] = weight, encoded, source

    def large(self, indices: Sequence[int]) -> list[int]:
        """Returns the clips of these whose state is too large in the present bank."""
        if self._draft.size().player_bytes <= self._max_ram_bytes:
            return []
        large = too_large_clips(parse_bank(self._draft.write()), self._max_ram_bytes)
        return [index for index in indices if index in large]

    def _encode_as_curves(self, indices: Sequence[int]) -> None:
        """Encodes clips with the codec curve. A clip that it cannot encode keeps its encoding."""
        encoder = self._clip_encoder
        encoder.plan(sum(len(encoder.read[index].frames) for index in indices))
        with encoder.outcomes(lambda index: encoder.attempt(index, ("curve",)), indices,
                              lambda index: len(encoder.read[index].frames)) as outcomes:
            for index, outcome in outcomes:
                if outcome.encoded is not None and outcome.report.breaks <= MAX_BREAKS:
                    encoder.encoded[index], encoder.sources[index] = outcome.encoded, outcome.source
