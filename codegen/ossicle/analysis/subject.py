"""A bank together with its source clips."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from ..bank.clips import Clip as BankClip
from ..bank.file import Bank
from ..base.arrays import Array
from ..base.curve_names import real_count
from ..base.problem import SettingProblem, nearest
from ..encoding.curves.bank_curves import layout_of
from ..encoding.edits import posed, subtracted
from ..encoding.results import BankResult, ClipResult
from ..encoding.settings import Settings
from ..importers.joint_choice import is_kept, with_joints_above
from ..model.clip import Clip as SourceClip
from ..model.clip import Imported, Skeleton
from ..model.editing.dropping import without_joints
from ..model.joints import joint_tolerances
from ..model.editing.mirroring import mirrored_clip
from ..model.sampling import resampled


@dataclass(frozen=True, eq=False)
class Source:
    """The source of a bank. skeleton: in the order of the bank's joints; clips: the source of each clip, at the bank's
    frames; limits_m: float64 [J] for each clip, the tolerance of each joint in metres; carrying: the joints to which
    vertices are weighted or meshes are attached, None if unknown; files: the source files; settings: those of the
    encoding; kept: sockets and the joints that settings keep; results: the encoder's results for each clip, empty for
    a bank that was encoded earlier."""

    skeleton: Skeleton
    clips: Sequence[SourceClip]
    limits_m: Sequence[Array]
    carrying: frozenset[str] | None
    files: Sequence[Path]
    settings: Settings
    kept: frozenset[str] = frozenset()
    results: Sequence[ClipResult] = ()

    @cached_property
    def idle(self) -> frozenset[str] | None:
        """The joints that `--drop unweighted` leaves out, because they and all joints below carry nothing and no
        setting keeps them, or None if unknown."""
        if self.carrying is None:
            return None
        joints = self.skeleton.names[:real_count(self.skeleton.names)]
        return frozenset(joints) - with_joints_above(self.skeleton, self.carrying | self.kept)


@dataclass(frozen=True, eq=False)
class Subject:
    """The subject of a report or page. name: its title; source: None for a bank alone; warnings: those of encoding it,
    empty for a bank that was encoded earlier."""

    name: str
    bank: Bank
    source: Source | None = None
    warnings: Sequence[str] = ()

    @cached_property
    def words(self) -> Array:
        """The words of the bank, uint32, for the encoder library."""
        return np.array(self.bank.words, np.uint32)


def encoded_subject(name: str, result: BankResult, imported: Imported, settings: Settings,
                    files: Sequence[Path]) -> Subject:
    """Returns the subject of a bank that was just encoded from these files."""
    source = Source(result.skeleton, result.sources, _limits(result.skeleton, settings, result.sources),
                    imported.carrying, files, settings, _kept(result.skeleton, settings), result.clips)
    return Subject(name, result.parsed, source, result.warnings)


def matched_subject(name: str, bank: Bank, imported: Imported, settings: Settings, files: Sequence[Path]) -> Subject:
    """Returns the subject of a bank that was encoded earlier from these files and with these settings. Raises
    SettingProblem if the files lack a joint or a clip of the bank."""
    joints = [joint.name for joint in bank.joints]
    imported, _ = posed(imported, settings, layout_of(joints))
    for joint in joints:
        _check_known(joint, imported.skeleton.names, "joint")
    imported = without_joints(imported, frozenset(imported.skeleton.names) - frozenset(joints))
    if list(imported.skeleton.names) != joints:
        raise SettingProblem("the joints of the bank have a different order than those of the source; encode it again")
    imported = subtracted(imported, settings)
    known = {clip.name: clip for clip in imported.clips}
    clips: list[SourceClip] = []
    for clip in bank.clips:
        if clip.mirrored:
            clips.append(mirrored_clip(clips[-1], clip.name, imported.skeleton))
            continue
        _check_known(clip.name, list(known), "clip")
        clips.append(_at_frames_of(clip, known[clip.name]))
    source = Source(imported.skeleton, clips, _limits(imported.skeleton, settings, clips),
                    imported.carrying, files, settings, _kept(imported.skeleton, settings))
    return Subject(name, bank, source)


def _check_known(name: str, known: Sequence[str], what: str) -> None:
    if name not in known:
        raise SettingProblem(f"the source lacks the {what} {name!r} of the bank" + nearest(name, known)
                             + "; give the files from which it was encoded")


def _at_frames_of(clip: BankClip, source: SourceClip) -> SourceClip:
    """Returns the source of a clip at the rate of the bank, which may be a multiple of the source's."""
    rate = round(clip.rate_q16 / 65536 / source.rate) * source.rate
    if source.curve is not None and rate not in (0.0, source.rate):
        source = resampled(source, source.curve, rate)
    if (source.reference is not None) != clip.additive:
        raise SettingProblem(f"clip {clip.name}: is {'' if clip.additive else 'not '}additive in the bank, contrary to "
                             "the settings; give the configuration file with which the bank was encoded, or encode it "
                             "again")
    if len(source.frames) != clip.frame_count:
        raise SettingProblem(f"clip {clip.name}: has {clip.frame_count} frames in the bank but {len(source.frames)} in "
                             f"{source.source}; encode it again")
    return source


def _limits(skeleton: Skeleton, settings: Settings, clips: Sequence[SourceClip]) -> list[Array]:
    return [joint_tolerances(skeleton.names, settings.options_for(clip.name).tolerance_m, settings.joints,
                             settings.pins, settings.screen, settings.curve_rules) for clip in clips]


def _kept(skeleton: Skeleton, settings: Settings) -> frozenset[str]:
    return frozenset(name for name in skeleton.names if is_kept(name, settings.importing))
