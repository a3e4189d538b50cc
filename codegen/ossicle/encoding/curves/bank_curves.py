"""Selects the curves of a bank, and adds their joints to clips."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np

from ...base.curve_names import PREFIX, curves_in, is_curve
from ...base.patterns import matches
from ...base.problem import SettingProblem, nearest
from ...model.clip import Clip, Imported, ImportProblem, Skeleton
from ...model.curves.joints import Layout, grouped
from ...model.curves.keys import CurveKeys, count_problem
from ...model.curves.curve import with_curves, with_keys
from ...model.curves.rule import LARGEST, tolerance_of
from ...model.interpolation import JUMP_S
from ...model.key_rate import JITTER
from .reading import keys_of
from ..problems import EncodeProblem
from ..settings import ClipOptions, Settings

_SHOWN = 12
_MOVED = 1e-6  # a file's curve that differs by less from its value at rest is left out
_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class ClipCurves:
    """The curves of a clip by name: those of its file, and those of the configuration."""

    file: Mapping[str, CurveKeys]
    stated: Mapping[str, CurveKeys]


@dataclass(frozen=True, eq=False)
class Curves:
    """The curves of a bank. skeleton: with a joint for each curve; tolerances: by name, in the order of these joints;
    clips: the curves of each clip; encoded: the number of clips to encode, before the references."""

    skeleton: Skeleton
    tolerances: Mapping[str, float]
    clips: Sequence[ClipCurves]
    encoded: int
    warnings: list[str]

    def of_file(self, clip: Clip, number: int) -> Clip:
        """Adds the curves of its file to a clip, before it is cut."""
        return with_keys(clip, self.skeleton, self.clips[number].file)

    def stated(self, clip: Clip, number: int) -> Clip:
        """Adds the curves of the configuration to a clip, after it was cut. Raises EncodeProblem."""
        end = (len(clip.frames) - 1) / clip.rate
        for name, keys in self.clips[number].stated.items():
            if keys.times[-1] > end + (0.5 + _ROUNDING) / clip.rate:
                raise EncodeProblem(f"{clip.source}: clip {clip.name}: curve {name}: has a key at {keys.times[-1]:g} "
                                    f"s, but the clip lasts {end:g} s; correct {keys.where}")
            if number < self.encoded:
                self._warn_of_keys_between_frames(clip, name, keys)
        return with_keys(clip, self.skeleton, self.clips[number].stated) if self.clips[number].stated else clip

    def _warn_of_keys_between_frames(self, clip: Clip, name: str, keys: CurveKeys) -> None:
        at = keys.times * clip.rate
        is_off = np.abs(at - np.rint(at)) > JITTER + JUMP_S * clip.rate
        if is_off.any():
            key = keys.times[np.argmax(is_off)]
            self.warnings.append(
                f"{clip.source}: clip {clip.name}: curve {name}: its key at {key:g} s is between frames, of which "
                f"there are {clip.rate:g} per second, so that the clip may get a higher rate; place keys on frames, "
                f"such as {round(key * clip.rate) / clip.rate:.6g} s, or increase the tolerance of the curve")

    def finished(self, clips: Sequence[Clip], layout: Layout | None) -> tuple[Skeleton, list[Clip], list[str]]:
        """Returns the skeleton and the clips with curves that share joints, and warnings. layout: the curves of each
        joint, or None to choose."""
        if not self.tolerances:
            return self.skeleton, list(clips), list(self.warnings)
        skeleton, grouped_clips, warnings = grouped(self.skeleton, clips, self.encoded, self.tolerances, layout)
        return skeleton, grouped_clips, [*self.warnings, *warnings]


def curves_of(imported: Imported, options: Sequence[ClipOptions], settings: Settings,
              layout: Layout | None = None) -> Curves:
    """Returns the curves of all clips, then of references. options: of each; layout: the curves to use, or None for all
    that settings do not leave out. Raises ImportProblem or SettingProblem."""
    _check_joints(imported)
    stated = [keys_of(option.curves) if option.curves else {} for option in options]
    names = list(dict.fromkeys([*imported.curves, *(name for curves in stated for name in curves)]))
    _check_rules(settings, names)
    if layout is None:
        counting = list(compress(zip(_read(imported), stated), _counting(imported, options)))
        chosen, warnings = _moving(counting, imported.curves, names, settings)
    else:
        chosen, warnings = [name for group in layout for name in group], []
        _check_known(chosen, names)
    clips = [ClipCurves({name: keys for name, keys in clip.curves.items() if name in chosen},
                        {name: keys for name, keys in curves.items() if name in chosen})
             for clip, curves in zip(_read(imported), stated)]
    for clip, clip_curves in zip(_read(imported), clips):
        _check_keys(clip, clip_curves.file)
    return Curves(with_curves(imported.skeleton, {name: imported.curves.get(name, 0.0) for name in chosen}),
                  {name: tolerance_of(name, settings.curve_rules) or 0.0 for name in chosen}, clips,
                  len(imported.clips), warnings)


def _read(imported: Imported) -> tuple[Clip, ...]:
    return (*imported.clips, *imported.references)


def _counting(imported: Imported, options: Sequence[ClipOptions]) -> list[bool]:
    """Returns for each clip whether it determines the curves of the bank: its own clips, and the references of its
    additive ones."""
    own = len(imported.clips)
    added_to = {clip_options.additive.clip for clip_options in options[:own] if clip_options.additive is not None}
    return [True] * own + [clip.name in added_to for clip in imported.references]


def _moving(clips: Sequence[tuple[Clip, Mapping[str, CurveKeys]]], at_rest: Mapping[str, float], names: Sequence[str],
            settings: Settings) -> tuple[list[str], list[str]]:
    """Returns the names of curves that clips state or move and that settings do not leave out, and warnings about
    others. clips: with the curves of the configuration; at_rest: the values of the curves of files."""
    moved = {name for clip, stated in clips for name in (
        *stated, *(name for name, keys in clip.curves.items() if keys.leaves(at_rest[name], _MOVED)))}
    included = [name for name in names if tolerance_of(name, settings.curve_rules) is not None]
    still = [name for name in included if name not in moved and any(name in clip.curves for clip, _ in clips)]
    return [name for name in included if name in moved], [
        f"curves without a change in any clip are left out: {_listed(still)}"] if still else []


def layout_of(joints: Sequence[str]) -> Layout:
    """Returns the curves of each curve joint. joints: the names of all joints."""
    return tuple(curves_in(name) for name in joints if is_curve(name))


def _check_joints(imported: Imported) -> None:
    for name in imported.skeleton.names:
        if is_curve(name):
            raise ImportProblem(f"{imported.clips[0].source if imported.clips else ''}: joint {name}: the prefix "
                                f"{PREFIX} is reserved for curves; rename the joint")


def _check_known(chosen: Sequence[str], names: Sequence[str]) -> None:
    for name in chosen:
        if name not in names:
            raise SettingProblem(f"the source lacks the curve {name!r} of the bank" + nearest(name, names)
                                 + "; give the configuration file with which the bank was encoded")


def _check_rules(settings: Settings, names: Sequence[str]) -> None:
    for rule in settings.curve_rules:
        if not any(matches(rule.pattern, name) for name in names):
            raise SettingProblem(f"[curves] {rule.pattern!r} matches no curve"
                                 + nearest(rule.pattern, names))


def _check_keys(clip: Clip, curves: Mapping[str, CurveKeys]) -> None:
    for name, keys in curves.items():
        if problem := count_problem(len(keys.times)):
            raise ImportProblem(f"{clip.source}: clip {clip.name}: curve {name}: {problem}")
        if not np.abs(keys.at_keys).max() < LARGEST:
            key = int(np.argmax(np.abs(keys.at_keys)))
            raise ImportProblem(f"{clip.source}: clip {clip.name}: curve {name}: is {keys.at_keys[key]:g} at "
                                f"{keys.times[key]:g} s, beyond +-{LARGEST:g}; reduce its values")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
