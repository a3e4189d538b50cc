"""Reads what clips are added to, and makes clips of differences from it."""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...base.problem import SettingProblem, nearest
from ...model.editing.additive import made_additive
from ...model.clip import Clip, Imported, Reference, problems_of

BIND, NONE = "bind", "none"
WORDS = f'a clip such as "Idle", "Idle@12" or "Idle@0.4s", "{BIND}", or "{NONE}"'
_PLACE = re.compile(r"(.*)@\s*(?:([0-9]+)|([0-9]*\.?[0-9]+)\s*s)\s*\Z", re.DOTALL)


@dataclass(frozen=True)
class AdditiveRule:
    """What a clip is added to. clip: a name, or None for the bind pose; then a frame, or a time."""

    clip: str | None
    frame: int = 0
    seconds: float | None = None

    @property
    def text(self) -> str:
        """The value, as a file has it."""
        if self.clip is None:
            return BIND
        return f"{self.clip}@{self.frame}" if self.seconds is None else f"{self.clip}@{self.seconds:g}s"


def parse_additive(value: object, what: str) -> AdditiveRule | bool:
    """Reads a text such as "Idle@12"; False for none. Raises SettingProblem."""
    if not isinstance(value, str) or not value:
        raise SettingProblem(f"{what} = {value!r}: give {WORDS}")
    if value == NONE:
        return False
    if value == BIND:
        return AdditiveRule(None)
    match = _PLACE.match(value)
    if match is None:
        return AdditiveRule(value)
    name, frame, seconds = match.groups()
    if not name:
        raise SettingProblem(f"{what} = {value!r}: names no clip; give {WORDS}")
    return AdditiveRule(name, int(frame)) if frame else AdditiveRule(name, seconds=float(seconds))


def with_differences(imported: Imported, rules: Mapping[str, AdditiveRule]) -> Imported:
    """Returns clips of differences in the place of those that have a rule. rules: by clip, of those that are only
    references as well. Raises SettingProblem or ImportProblem."""
    known = {clip.name: clip for clip in (*imported.clips, *imported.references)}
    clips = []
    for clip in imported.clips:
        rule = rules.get(clip.name)
        if rule is not None:
            what = f"{clip.source}: clip {clip.name}"
            reference = _reference(rule, clip, imported, known, rules)
            with problems_of(what):
                clip = made_additive(clip, reference, imported.skeleton.names)
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
        raise SettingProblem(f"{what}: {base.name} is additive itself, over {below.text}; choose a clip of poses")
    frame = rule.frame if rule.seconds is None else round(min(rule.seconds * base.rate, 2.0 * len(base.frames)))
    if frame >= len(base.frames):
        raise SettingProblem(f"{what}: {base.name} has {len(base.frames)} frames, 0 to {len(base.frames) - 1}, at "
                             f"{base.rate:g} a second; choose one of these")
    return Reference(base.name, frame, frame / base.rate, base.frames[frame])
