"""The content of a bank while its codecs and tiers are being chosen, and the bank written from it."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from ..bank.additive import Over, over_section
from ..bank.assembling import SECTION_ENTRY_BYTES, with_sections
from ..bank.clips import ONE_Q11
from ..bank.events import ClipEvent
from ..bank.graph.records import Graph
from ..bank.tiers import BLOCK_LOG2_MAX, ENTRY_WORDS, block_count
from ..bank.trajectories import trajectories_section
from ..bank.units import pack_units
from ..model.clip import Clip, Imported
from ..model.editing.mirroring import mirrored_clip
from . import native
from .clip_encoder import ClipEncoder
from .derived.mirrored import origins_of
from .events.clip_events import all_events, coded_events, events_section
from .graphs import graph_of, graph_section
from .problems import EncodeProblem, check_rates, entry
from .sections import inverse_bind, names_section, skin_joints_section
from .settings import Settings
from .tiers.versions import Plan


class BankDraft:
    """The content of a bank: the encoded clips of a ClipEncoder, events, a graph, and the versions of a plan. origins:
    by clip, the number of the clip whose data it shares, or its own."""

    def __init__(self, imported: Imported, settings: Settings, clip_encoder: ClipEncoder) -> None:
        clips = imported.clips
        self.clip_encoder, self.settings = clip_encoder, settings
        self.origins = origins_of(clips)
        self.plan = Plan(0, settings.tier_block_log2)
        self._skin = inverse_bind(imported.skeleton, settings, clips[0].source)
        self._events = all_events(clips, clip_encoder.options)
        graph_section(self._graph(clips, coded_events(self._events, clips)))  # problems are reported before encoding

    def encode(self) -> None:
        """Encodes all clips except mirror images, which share the data of another clip."""
        self.clip_encoder.encode(sorted(set(self.origins)))

    @property
    def clips(self) -> list[Clip]:
        """Returns the clips at the rates of encoding."""
        clips = [self.clip_encoder.sources[origin].clip for origin in self.origins]
        return [clip if origin == number
                else mirrored_clip(clip, self.clip_encoder.read[number].name, self.clip_encoder.skeleton)
                for number, (origin, clip) in enumerate(zip(self.origins, clips))]

    def finest_clips(self) -> list[native.EncodedClip]:
        return [self.clip_encoder.encoded[origin] for origin in self.origins]

    def base_clips(self, plan: Plan) -> list[native.EncodedClip]:
        return [plan.base[index].encoded if index in plan.base else encoded
                for index, encoded in enumerate(self.finest_clips())]

    def write(self, plan: Plan | None = None, graph: bool = True) -> bytes:
        """Returns the bank of all clips, with the versions of a plan. graph: whether to include the graph, on which the
        choice of codecs does not depend. Raises EncodeProblem if the clips have too many rates."""
        return self.write_sized(plan, graph)[0]

    def write_sized(self, plan: Plan | None = None, graph: bool = True) -> tuple[bytes, native.BankSize]:
        """Returns the results of `write` and of `size`."""
        plan = plan or self.plan
        check_rates(self.clips)
        skeleton = self.clip_encoder.skeleton
        names = names_section(skeleton.names, [clip.name for clip in self.clips],
                              pack_units(skeleton.parents, skeleton.units))
        entries = [entry(clip) for clip in self.clips]
        written, size = native.write_sized_bank(self.clip_encoder.inner, self.base_clips(plan), entries, names,
                                                native.Skin(self._skin, skin_joints_section(skeleton)), plan.tiers,
                                                self.settings.base_row_bytes)
        return with_sections(written, self._more_sections(graph)), size

    def _more_sections(self, graph: bool) -> dict[str, bytes]:
        clips = self.clips
        events = coded_events(self._events, clips)
        trajectories = [(read.trajectory, len(clip.frames)) for read, clip in zip(self.clip_encoder.read, clips)]
        return (trajectories_section(trajectories) | events_section(events, clips) | over_section(self._over())
                | graph_section(self._graph(clips, events) if graph else None))

    def _graph(self, clips: Sequence[Clip], events: Mapping[int, tuple[ClipEvent, ...]]) -> Graph | None:
        return graph_of(self.settings.graph, clips, self.clip_encoder.options, events, self.clip_encoder.skeleton)

    def _over(self) -> dict[int, Over]:
        """Returns the references of additive clips, at the rates of encoding."""
        rates = {read.name: clip.rate / read.rate for read, clip in zip(self.clip_encoder.read, self.clips)}
        over = [(number, clip.reference) for number, clip in enumerate(self.clip_encoder.read)
                if clip.reference is not None]
        return {number: Over(one.clip or "", round(one.frame * rates.get(one.clip or "", 1.0) * ONE_Q11))
                for number, one in over}

    def size(self, plan: Plan | None = None) -> native.BankSize:
        plan = plan or self.plan
        return native.bank_size(self.base_clips(plan), plan.tiers, self.settings.base_row_bytes)

    def sizes(self, plan: Plan) -> list[int]:
        """Returns the bytes of the bank with the first 0, 1, .. tiers of a plan, whose clips may not be divided yet."""
        whole, bytes_now = 0, len(self.write(plan))
        if plan.block_log2 == BLOCK_LOG2_MAX:
            log2 = self.settings.tier_block_log2
            whole = 4 * ENTRY_WORDS * sum(block_count(len(self.clips[index].frames), log2) - 1 for index in plan.base)
        tiers = [SECTION_ENTRY_BYTES * (size > 0) + size for size in self.size(plan).tier_bytes[:plan.count]]
        return list(accumulate(tiers, initial=whole + bytes_now - sum(tiers)))

    def verify(self, bank: bytes) -> None:
        """Plays the finished bank and compares it with the measurements. Raises EncodeProblem,
        which names the clip that differs."""
        differs = native.verify_clips(native.bank_words(bank), self.base_clips(self.plan), self.plan.tiers)
        if differs is not None:
            clip = self.clips[differs]
            raise EncodeProblem(f"{clip.source}: clip {clip.name}: the finished bank does not play as it was measured; "
                                "this is a bug in the encoder, please report it")
