"""Chooses the content of the streaming tiers of a bank."""
from __future__ import annotations

from ...base.codec import CODEC_NAMES
from ..bank_draft import BankDraft
from ..clip_encoder import data_bytes
from ..problems import EncodeProblem, nothing_in_tiers, too_small
from .key_tiers import move_keys
from .versions import Chooser, Tiered


def choose_keys(draft: BankDraft) -> None:
    """Moves keys to tiers to meet the stated sizes, in clips whose scheme has keys in tiers. Stated errors were met
    when the clips were encoded. Raises EncodeProblem."""
    keyed = [encoded for encoded in draft.finest_clips() if encoded.report.tiers]
    if keyed and draft.settings.tiers.count and not draft.settings.tiers.errors_m:
        move_keys(keyed, draft.settings.tiers, draft.write, draft.clips[0].source, draft.clip_encoder.jobs)


def choose_versions(draft: BankDraft) -> None:
    """Adopts the versions for the stated tiers, of all clips except those with keys in tiers. Raises
    EncodeProblem."""
    targets, log2 = draft.settings.tiers, draft.settings.tier_block_log2
    if targets.count == 0:
        return
    clips = [Tiered(index, options.tolerance_m, encoded, data_bytes(encoded), len(clip.frames), log2)
             for index, (options, encoded, clip) in enumerate(
                 zip(draft.clip_encoder.options, draft.finest_clips(), draft.clips)) if not encoded.report.tiers]
    if not clips:
        return
    keyed = len(clips) < len(draft.clip_encoder.read)
    whole = len(draft.write())
    codecs = {CODEC_NAMES[encoded.report.codec] for encoded in draft.finest_clips()}
    chooser = Chooser(clips, log2, lambda requests: draft.clip_encoder.pieces(requests, codecs))
    limits = targets.limits(whole)
    plan = chooser.by_sizes(limits, draft.sizes) if limits else chooser.by_errors(targets.errors_m)
    source = draft.clips[0].source
    if plan is None:
        raise EncodeProblem(too_small(source, limits[0], chooser.smallest_bytes))
    if not plan.versions and not keyed:
        raise EncodeProblem(nothing_in_tiers(source, whole, bool(limits)))
    draft.plan = plan
