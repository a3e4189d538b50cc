"""Finds the contacts of joints with the ground, which become events."""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...base.patterns import matches
from ...base.problem import SettingProblem, nearest
from ...model.clip import Clip, Imported
from ...model.contacts import Contact, ground_spans, rise_m, touch_downs
from ...model.events import Event, name_problem
from ...model.trajectory.extraction import positions_of
from .contact_rules import ContactRule
from ..settings import ClipOptions

TOUCH_DOWN, SPAN = "_down", "_planted"  # what follows a joint in the names of its events
FOOT_WORDS = ("foot", "ankle", "toe")  # in names of feet; later words only if no joint has the earlier ones


def contacts_of(clip: Clip, imported: Imported, options: ClipOptions) -> tuple[Contact, ...]:
    """Returns the contacts of a clip: touch-downs and then spans, each in the order of its joints. Raises
    SettingProblem."""
    has = {event.name for event in clip.events} | {event.name for event in options.events}
    found = []
    for key, rules, suffix in (("contacts", options.contacts, TOUCH_DOWN),
                               ("contact_spans", options.contact_spans, SPAN)):
        named = _named(imported, rules, suffix, f"clip {clip.name}: {key}")
        for joint, event in sorted(named.items()):
            heights = positions_of(clip.frames, imported.skeleton.parents, joint)[:, 1]
            contact = Contact(imported.skeleton.names[joint], event, round(rise_m(heights) * 1e3, 3), (), event in has)
            if suffix == SPAN:
                spans = ground_spans(heights, clip.rate, bool(options.loop))
                contact = replace(contact, frames=tuple(begin for begin, _ in spans),
                                  ends=tuple(end for _, end in spans))
            else:
                contact = replace(contact, frames=touch_downs(heights, clip.rate, bool(options.loop)))
            found.append(contact)
    return tuple(found)


def contact_events(clip: Clip) -> tuple[Event, ...]:
    """Returns the events of a clip's contacts, except those that other events of the clip replace."""
    return tuple(event for contact in clip.contacts if not contact.replaced for event in _events(contact, clip.rate))


def _events(contact: Contact, rate: float) -> list[Event]:
    where = f"contacts of {contact.joint}"
    if contact.ends is None:
        return [Event(contact.event, frame / rate, where=where) for frame in contact.frames]
    return [Event(contact.event, begin / rate, length_s=(end - begin) / rate, where=where)
            for begin, end in zip(contact.frames, contact.ends) if begin < end]  # a lower rate may have joined them


def _named(imported: Imported, rules: bool | Sequence[ContactRule], suffix: str, what: str) -> dict[int, str]:
    """Returns the joints that touch the ground, with the names of their events; the last match wins."""
    names = imported.skeleton.names
    if isinstance(rules, bool):
        return {joint: _event_of(names[joint], suffix, what) for joint in (_feet(imported, what) if rules else ())}
    named: dict[int, str] = {}
    for rule in rules:
        joints = [joint for joint, name in enumerate(names) if matches(rule.pattern, name)]
        if not joints:
            raise SettingProblem(f"{what}: {rule.pattern!r} matches no joint{nearest(rule.pattern, names)}")
        named |= {joint: rule.event or _event_of(names[joint], suffix, what) for joint in joints}
    return named


def _event_of(joint: str, suffix: str, what: str) -> str:
    event = re.sub(r"\W+", "_", joint).strip("_") + suffix
    if problem := name_problem(event):
        raise SettingProblem(f"{what}: the event {event!r} {problem}; choose another name, such as "
                             f"{{ {joint!r} = \"step\" }}")
    return event


def _feet(imported: Imported, what: str) -> list[int]:
    """Returns the joints that are feet by name, without those below them. If it is known which joints carry vertices,
    others, such as control joints, are not feet."""
    names, parents = imported.skeleton.names, imported.skeleton.parents
    carries = [imported.carrying is None or name in imported.carrying for name in names]
    for joint in reversed(range(len(names))):
        if carries[joint] and parents[joint] >= 0:
            carries[int(parents[joint])] = True
    for word in FOOT_WORDS:
        below = [word in name.lower() and carries[joint] for joint, name in enumerate(names)]
        feet = []
        for joint, parent in enumerate(parents):
            inside = parent >= 0 and below[parent]
            if below[joint] and not inside:
                feet.append(joint)
            below[joint] = below[joint] or inside
        if feet:
            return feet
    raise SettingProblem(f"{what} = true: no joint has {', '.join(FOOT_WORDS[:-1])} or {FOOT_WORDS[-1]} in its name; "
                         f"name the joints that touch the ground{nearest(FOOT_WORDS[0], names)}")
