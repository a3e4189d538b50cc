"""Collects the events of clips for a bank: those of the file, of contacts, and of the configuration."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...bank.clips import ONE_Q11
from ...bank.events import MOST_PER_FRAME, TAG, ClipEvent, crowded_from, pack_events
from ...bank.words import BankProblem
from ...model.clip import Clip
from ...model.events import Event
from ..derived.mirrored import mirrored_events
from .contacts import contact_events
from .rules import EventRule
from ..problems import EncodeProblem
from ..settings import ClipOptions

_ROUNDING = 1e-6  # of times, in frames; the last frame may be written with fewer digits
_LISTED = 4  # names in a message
_LEAST_LENGTH = 2.0 / ONE_Q11  # of a span, in frames: its ends are two positions


def events_of(clip: Clip, options: ClipOptions) -> tuple[Event, ...]:
    """Returns the events of a clip, in its own time, those of its file first. Raises EncodeProblem for an event outside
    the clip."""
    events = tuple(clip.events) + contact_events(clip) + tuple(_stated(rule, clip) for rule in options.events)
    return tuple(_checked(event, clip, bool(options.loop)) for event in events)


def all_events(clips: Sequence[Clip], options: Sequence[ClipOptions]) -> list[tuple[Event, ...]]:
    """Returns the events of each clip, in its own time; those of a mirror image are of the other side. Raises
    EncodeProblem for an event outside its clip."""
    found: list[tuple[Event, ...]] = []
    for clip, own in zip(clips, options):  # a mirror image follows its original
        found.append(events_of(clip, own) if clip.mirror_of is None else mirrored_events(found[-1]))
    return found


def _length_s(clip: Clip) -> float:
    return (len(clip.frames) - 1) / clip.rate


def _stated(rule: EventRule, clip: Clip) -> Event:
    at = _seconds(rule.at, clip)
    length = rule.length_s
    if rule.until is not None:
        length = _seconds(rule.until, clip) - at
    return Event(rule.name, at, rule.value, length, rule.where)


def _seconds(at: float | int | str, clip: Clip) -> float:
    if isinstance(at, str):  # LAST, the only text
        return _length_s(clip)
    return at / clip.rate if isinstance(at, int) else at


def _checked(event: Event, clip: Clip, loop: bool) -> Event:
    """Checks an event, and clamps its end to that of its clip if it is less than half a frame later. Raises
    EncodeProblem."""
    end, slack = _length_s(clip), (0.5 + _ROUNDING) / clip.rate
    what = f"{clip.source}: clip {clip.name}: event {event.name} at {event.seconds:g} s"
    lasts = f"the clip lasts {end:g} s, {len(clip.frames)} frames at {clip.rate:g} per second"
    if event.seconds > end + slack:
        raise EncodeProblem(f"{what}: {lasts}; correct {event.where or 'its time'}")
    length = event.length_s
    if length is None:
        return replace(event, seconds=min(event.seconds, end))
    until = event.seconds + length
    if not loop and until > end + slack:
        raise EncodeProblem(f"{what}: ends at {until:g} s; {lasts}, and only spans of loops may extend beyond the end; "
                            f"correct {event.where or 'its length'}")
    if loop and -end < length < 0.0:
        length += end
    if not loop:
        length = min(until, end) - event.seconds
    if not _LEAST_LENGTH < length * clip.rate or (loop and length >= end):
        raise EncodeProblem(f"{what}: lasts {length:g} s; a span must be longer than 0 and shorter than its loop; "
                            f"correct {event.where or 'its length'}")
    return replace(event, length_s=length)


def _as_coded(event: Event, clip: Clip) -> ClipEvent:
    """Converts an event to positions. clip: at the rate of encoding."""
    last = (len(clip.frames) - 1) * ONE_Q11
    begin = min(round(event.seconds * clip.rate * ONE_Q11), last)
    if event.length_s is None:
        return ClipEvent(event.name, begin, event.value)
    end = round((event.seconds + event.length_s) * clip.rate * ONE_Q11)
    return ClipEvent(event.name, begin, event.value, end - last if end > last else end)


def _check_crowding(events: Sequence[ClipEvent], clip: Clip) -> None:
    """Raises EncodeProblem if a device would have to report too many events in one tick."""
    marks = sorted((position, event.name) for event in events for position in (event.position_q11, event.end_q11)
                   if position is not None)
    first = crowded_from([position for position, _ in marks])
    if first is None:
        return
    names = sorted({name for position, name in marks if first <= position < first + ONE_Q11})
    listed = ", ".join(names[:_LISTED]) + (", ..." if len(names) > _LISTED else "")
    raise EncodeProblem(f"{clip.source}: clip {clip.name}: more than {MOST_PER_FRAME} events begin or end in the frame "
                        f"at {first / ONE_Q11 / clip.rate:g} s ({listed}); remove some or move them apart")


def coded_events(events: Sequence[Sequence[Event]], clips: Sequence[Clip]) -> dict[int, tuple[ClipEvent, ...]]:
    """Returns the events of the clips that have any, as positions. clips: at the rates of encoding."""
    return {number: tuple(_as_coded(event, clip) for event in clip_events)
            for number, (clip_events, clip) in enumerate(zip(events, clips)) if clip_events}


def events_section(coded: Mapping[int, Sequence[ClipEvent]], clips: Sequence[Clip]) -> dict[str, bytes]:
    """Returns the section of all events, by its tag, or nothing without events. clips: at the rates of encoding. Raises
    EncodeProblem."""
    if not coded:
        return {}
    for number, clip_events in coded.items():
        _check_crowding(clip_events, clips[number])
    try:
        return {TAG: pack_events(coded)}
    except BankProblem as problem:
        raise EncodeProblem(f"{clips[0].source}: {problem}; state fewer events") from problem
