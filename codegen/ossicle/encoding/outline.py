"""Computes the parts of a bank that are known before its clips are encoded."""
from __future__ import annotations

from ..base.option_values import LAYER
from ..bank.clips import Clip as BankClip
from ..bank.file import Bank, Joint
from ..base.curve_names import real_count
from ..base.version import versions
from ..model.clip import Clip
from . import native
from .edits import Edited
from .events.clip_events import all_events, coded_events
from .graphs import graph_of
from .problems import entry
from .sections import inverse_bind
from .settings import ClipOptions, Settings


def outline(character: Edited, settings: Settings) -> Bank:
    """Returns the bank of encode_edited without words: its joints, its clips without tracks, and its graph, whose
    positions are those at the rates of the sources. Raises ImportProblem, EncodeProblem or SettingProblem."""
    skeleton, clips = character.imported.skeleton, character.imported.clips
    bind, has_scale = native.Skeleton(skeleton.parents, skeleton.bind).bind_q20()
    inverse = inverse_bind(skeleton, settings, clips[0].source)
    options = [settings.options_for(clip.name) for clip in clips]
    events = coded_events(all_events(clips, options), clips)
    return Bank(
        format=versions().bank_format, crc=0, words=(), sections=(),
        joints=tuple(
            Joint(name, None if parent < 0 else int(parent), tuple(pose[:10 if has_scale else 7]), (False,) * 3)
            for name, parent, pose in zip(skeleton.names, skeleton.parents, bind.tolist())),
        has_scale=has_scale, max_held=0, state_words=0, layout_crc=0, subtracks=(),
        clips=tuple(map(_clip, clips, options)), named=True,
        inverse_bind=None if inverse is None else tuple(map(tuple, inverse.tolist())),
        skin_joints=tuple(map(skeleton.names.index,
                              skeleton.skin_joints or skeleton.names[:real_count(skeleton.names)])),
        graph=graph_of(settings.graph, clips, options, events, skeleton))


def _clip(clip: Clip, options: ClipOptions) -> BankClip:
    name_hash, rate_q16, position_per_us_q32 = entry(clip)
    return BankClip(
        name=clip.name, name_hash=name_hash, frame_count=len(clip.frames), codec=options.codecs[0],
        loop=bool(options.loop),
        layer=options.mode == LAYER, rate_q16=rate_q16, position_per_us_q32=position_per_us_q32, size_bytes=0,
        restart_frames=1, tracks=(), state_words=0, constant_subtracks=(), breaks=(),
        additive=clip.reference is not None, mirrored=clip.mirror_of is not None)
