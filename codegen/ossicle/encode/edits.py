"""What settings change about the clips themselves: cuts, speed, direction, contacts that are found,
trajectories that are taken out, and loops that are closed."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..base.option_names import either, named
from ..model.clip import Clip, Imported, Skeleton, problems_of
from ..model.curve_joints import Layout
from ..model.loops import Closing, Gap, closed, largest_gap_m, loop_gap
from ..model.shell import shell_errors
from ..model.timing import retimed
from .contacts import contacts_of
from .curves import curves_of
from .problems import EncodeProblem
from .root_motion import moving_joint, without_root_motion
from .settings import Settings

_CLOSED_M = 1e-9  # gaps up to this are rounding


def edited(imported: Imported, settings: Settings, layout: Layout | None = None) \
        -> tuple[Imported, dict[str, Closing]]:
    """Returns the clips as they are encoded, with their curves in joints, and the loops that were closed, by clip.
    layout: the curves of each joint of a bank that there is already, or None. Raises ImportProblem, EncodeProblem or
    SettingProblem."""
    clips, closings, real = [], {}, len(imported.skeleton.names)
    joint = moving_joint(imported.clips, imported.skeleton)
    all_options = [settings.options_for(clip.name) for clip in imported.clips]
    curves = curves_of(imported, all_options, settings, layout)
    skeleton = curves.skeleton
    for number, (clip, options) in enumerate(zip(imported.clips, all_options)):
        clip = curves.of_file(clip, number)
        with problems_of(f"{clip.source}: clip {clip.name}"):
            clip = retimed(clip, options.timing)
        if options.contacts:  # before its height may be taken out
            clip = replace(clip, contacts=contacts_of(clip, imported, options))
        clip = without_root_motion(clip, skeleton, options, joint)
        clip = curves.stated(clip, number)
        if options.closes and len(clip.frames) > 1:
            gap = loop_gap(clip, skeleton, settings.shell_m)
            _check_gap(gap, clip, skeleton, settings.loop_limit_m)
            if gap.metres > _CLOSED_M or not np.array_equal(clip.frames[0, real:], clip.frames[-1, real:]):
                before, clip = clip, closed(clip)
                moved = shell_errors(imported.skeleton.parents, before.frames[:, :real], clip.frames[:, :real],
                                     settings.shell_m)
                closings[clip.name] = Closing(gap, float(moved.max()))
        clips.append(clip)
    skeleton, clips, warnings = curves.finished(clips, layout)
    return replace(imported, skeleton=skeleton, clips=clips, warnings=[*imported.warnings, *warnings]), closings


def _check_gap(gap: Gap, clip: Clip, skeleton: Skeleton, limit_m: float | None) -> None:
    limit = largest_gap_m(skeleton) if limit_m is None else limit_m
    if gap.metres > limit:
        closing = either("--close-loop", 'loop = "close"')
        raise EncodeProblem(
            f"{clip.source}: clip {clip.name}: joint {skeleton.names[gap.joint]}: ends {gap.metres * 1e3:.3f} mm "
            f"from where it begins, over {limit * 1e3:.3g} mm, the most that {closing} spreads over a clip; cut "
            f"it with from and to in its [clips] table, take its way out with root_motion, or raise {named('--loop-limit')}")
