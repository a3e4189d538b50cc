"""Applies the settings that change the clips themselves: cuts, speed, direction, contacts, root motion, closed loops,
and differences."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..base.option_names import either
from ..model.clip import Clip, Imported, Skeleton, problems_of
from ..model.curves.joints import Layout
from ..model.loops import Closing, Gap, closed, largest_gap_m, loop_gap
from ..model.shell import shell_errors
from ..model.editing.timing import Timing, retimed
from .derived.additive import with_differences
from .derived.mirrored import with_mirror_images
from .events.contacts import contacts_of
from .curves.bank_curves import curves_of
from .problems import EncodeProblem, check_input
from .root_motion import moving_joint, without_root_motion
from .scale_range import check_scales
from .settings import CLOSE, Settings

_CLOSED_M = 1e-9  # gaps up to this are rounding


@dataclass(frozen=True, eq=False)
class Edited:
    """A character as it is encoded: its clips, checked, with their curves in joints. closings: the loops that were
    closed, by clip."""

    imported: Imported
    closings: Mapping[str, Closing]


def edited(imported: Imported, settings: Settings) -> Edited:
    """Returns the character as it is encoded. Raises ImportProblem, EncodeProblem or SettingProblem."""
    imported, closings = posed(imported, settings)
    imported = with_mirror_images(subtracted(imported, settings), settings)
    check_input(imported.skeleton, imported.clips, settings, imported.left_out)
    return Edited(imported, closings)


def subtracted(imported: Imported, settings: Settings) -> Imported:
    """Returns the clips with those that are additive as differences. Raises ImportProblem or SettingProblem."""
    names = [clip.name for clip in (*imported.clips, *imported.references)]
    rules = {name: settings.options_for(name).additive for name in names}
    return with_differences(imported, {name: rule for name, rule in rules.items() if rule is not None})


def posed(imported: Imported, settings: Settings, layout: Layout | None = None) \
        -> tuple[Imported, dict[str, Closing]]:
    """Like `edited`, but additive clips remain poses. layout: the curves of each joint of an existing bank, or None."""
    read, clips, closings = (*imported.clips, *imported.references), [], {}
    real, joint = len(imported.skeleton.names), moving_joint(imported.clips, imported.skeleton)
    all_options = [settings.options_for(clip.name) for clip in read]
    curves = curves_of(imported, all_options, settings, layout)
    skeleton = curves.skeleton
    for number, (clip, options) in enumerate(zip(read, all_options)):
        clip = curves.of_file(clip, number)
        with problems_of(f"{clip.source}: clip {clip.name}"):
            clip = retimed(clip, Timing(options.start_s, options.end_s, options.speed, options.reverse))
        if options.contacts or options.contact_spans:  # before its height may be taken out
            clip = replace(clip, contacts=contacts_of(clip, imported, options))
        check_scales(clip, skeleton)
        clip = without_root_motion(clip, skeleton, options, joint)
        clip = curves.stated(clip, number)
        if options.loop == CLOSE and len(clip.frames) > 1:
            gap = loop_gap(clip, skeleton, settings.shell_m)
            _check_gap(gap, clip, skeleton, settings.loop_limit_m)
            if gap.metres > _CLOSED_M or not np.array_equal(clip.frames[0, real:], clip.frames[-1, real:]):
                before, clip = clip, closed(clip)
                moved = shell_errors(imported.skeleton.parents, before.frames[:, :real], clip.frames[:, :real],
                                     settings.shell_m, imported.skeleton.bind[:real])
                closings[clip.name] = Closing(gap, float(moved.max()))
        clips.append(clip)
    skeleton, clips, warnings = curves.finished(clips, layout)
    count = len(imported.clips)
    return replace(imported, skeleton=skeleton, clips=clips[:count], references=clips[count:],
                   warnings=[*imported.warnings, *warnings]), closings


def _check_gap(gap: Gap, clip: Clip, skeleton: Skeleton, limit_m: float | None) -> None:
    limit = largest_gap_m(skeleton) if limit_m is None else limit_m
    if gap.metres > limit:
        closing = either("--close-loop", 'loop = "close"')
        raise EncodeProblem(
            f"{clip.source}: clip {clip.name}: joint {skeleton.names[gap.joint]}: ends {gap.metres * 1e3:.3f} mm from "
            f"its start, over {limit * 1e3:.3g} mm, the largest gap that {closing} closes; cut the clip with from and "
            "to in its [clips] table, remove its travel with root_motion, or raise loop_limit")
