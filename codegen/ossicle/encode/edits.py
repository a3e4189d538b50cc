"""What settings change about the clips themselves: cuts, speed, direction, contacts that are found,
trajectories that are taken out, loops that are closed, and poses that become differences."""
from __future__ import annotations

from dataclasses import replace

from ..base.option_names import either, named
from ..model.clip import Clip, Imported, Skeleton, problems_of
from ..model.loops import Closing, Gap, closed, largest_gap_m, loop_gap
from ..model.shell import shell_errors
from ..model.timing import retimed
from .additive import with_differences
from .mirrored import with_mirror_images
from .contacts import contacts_of
from .problems import EncodeProblem
from .root_motion import moving_joint, without_root_motion
from .settings import Settings

_CLOSED_M = 1e-9  # gaps up to this are rounding


def edited(imported: Imported, settings: Settings) -> tuple[Imported, dict[str, Closing]]:
    """Returns the clips as they are encoded, and the loops that were closed, by clip.
    Raises ImportProblem, EncodeProblem or SettingProblem."""
    imported, closings = posed(imported, settings)
    return with_mirror_images(subtracted(imported, settings), settings), closings


def subtracted(imported: Imported, settings: Settings) -> Imported:
    """Returns the clips with those that are additive as differences. Raises ImportProblem or SettingProblem."""
    names = [clip.name for clip in (*imported.clips, *imported.references)]
    rules = {name: settings.options_for(name).additive for name in names}
    return with_differences(imported, {name: rule for name, rule in rules.items() if rule is not None})


def posed(imported: Imported, settings: Settings) -> tuple[Imported, dict[str, Closing]]:
    """Does what `edited` does, but to additive clips as well: they are still poses."""
    clips, closings = [], {}
    joint = moving_joint(imported.clips, imported.skeleton)
    for clip in (*imported.clips, *imported.references):
        options = settings.options_for(clip.name)
        with problems_of(f"{clip.source}: clip {clip.name}"):
            clip = retimed(clip, options.timing)
        if options.contacts:  # before its height may be taken out
            clip = replace(clip, contacts=contacts_of(clip, imported, options))
        clip = without_root_motion(clip, imported.skeleton, options, joint)
        if options.closes and len(clip.frames) > 1:
            gap = loop_gap(clip, imported.skeleton, settings.shell_m)
            _check_gap(gap, clip, imported.skeleton, settings.loop_limit_m)
            if gap.metres > _CLOSED_M:
                before, clip = clip, closed(clip)
                moved = shell_errors(imported.skeleton.parents, before.frames, clip.frames, settings.shell_m)
                closings[clip.name] = Closing(gap, float(moved.max()))
        clips.append(clip)
    count = len(imported.clips)
    return replace(imported, clips=clips[:count], references=clips[count:]), closings


def _check_gap(gap: Gap, clip: Clip, skeleton: Skeleton, limit_m: float | None) -> None:
    limit = largest_gap_m(skeleton) if limit_m is None else limit_m
    if gap.metres > limit:
        closing = either("--close-loop", 'loop = "close"')
        raise EncodeProblem(
            f"{clip.source}: clip {clip.name}: joint {skeleton.names[gap.joint]}: ends {gap.metres * 1e3:.3f} mm "
            f"from where it begins, over {limit * 1e3:.3g} mm, the most that {closing} spreads over a clip; cut "
            f"it with from and to in its [clips] table, take its way out with root_motion, or raise {named('--loop-limit')}")
