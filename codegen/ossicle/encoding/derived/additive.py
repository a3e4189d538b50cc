"""Computes additive clips, the differences from their references."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...base.problem import SettingProblem, nearest
from ...model.editing.additive import to_additive
from ...model.clip import Clip, Imported, Reference, problems_of
from .additive_rules import AdditiveRule


def with_differences(imported: Imported, rules: Mapping[str, AdditiveRule]) -> Imported:
    """Replaces clips that have a rule by additive ones. rules: by clip, including those of clips that are only
    references. Raises SettingProblem or ImportProblem."""
    known = {clip.name: clip for clip in (*imported.clips, *imported.references)}
    clips = []
    for clip in imported.clips:
        rule = rules.get(clip.name)
        if rule is not None:
            what = f"{clip.source}: clip {clip.name}"
            reference = _reference(rule, clip, imported, known, rules)
            with problems_of(what):
                clip = to_additive(clip, reference, imported.skeleton.names)
        clips.append(clip)
    return replace(imported, clips=clips)


def _reference(rule: AdditiveRule, clip: Clip, imported: Imported, known: Mapping[str, Clip],
               rules: Mapping[str, AdditiveRule]) -> Reference:
    what = f"{clip.source}: clip {clip.name}: additive {rule.text!r}"
    if rule.clip is None:
        return Reference(None, 0, 0.0, imported.skeleton.bind)
    base = known.get(rule.clip)
    if base is None:
        raise SettingProblem(f"{what}: there is no clip {rule.clip!r}" +
                             nearest(rule.clip, (*known, *imported.left_out)))
    below = rules.get(base.name)
    if below is not None and below.clip != base.name:
        raise SettingProblem(f"{what}: {base.name} is also additive, over {below.text}; choose a clip of poses")
    frame = rule.frame if rule.seconds is None else round(min(rule.seconds * base.rate, 2.0 * len(base.frames)))
    if frame >= len(base.frames):
        raise SettingProblem(f"{what}: {base.name} has {len(base.frames)} frames, 0 to {len(base.frames) - 1}, at "
                             f"{base.rate:g} per second; choose one of them")
    return Reference(base.name, frame, frame / base.rate, base.frames[frame])
