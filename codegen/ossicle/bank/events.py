"""The section EVNT: names at positions of clips (SPEC.md section 21)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..base.format import number
from .assembling import words_bytes
from .clips import ONE_Q11, Clip, name_hash
from .names import check_end, pack_names, read_names
from .words import BankProblem, Section

TAG = "EVNT"
ONCE, BEGIN, END = range(3)  # osc_event_phase
MOST_NAMES = 0xFFFF
MOST_KINDS = number("EVENT_KIND_MASK") + 1
MOST_MARKS = 0xFFFF
MOST_PER_FRAME = number("EVENTS_PER_FRAME")
_HEADER = number("EVENTS_HEADER_WORDS")
_CLIP_SHIFT = number("EVENT_CLIP_SHIFT")
_PHASE_SHIFT = number("EVENT_PHASE_SHIFT")
_PHASE_MASK = number("EVENT_PHASE_MASK")
_OTHER_SHIFT = number("EVENT_OTHER_SHIFT")
_KIND_MASK = number("EVENT_KIND_MASK")


@dataclass(frozen=True)
class ClipEvent:
    """An event of a clip. end_q11: the end of a span, which lies in the next loop if it precedes the begin, or None
    for an event without duration."""

    name: str
    position_q11: int
    value: int = 0
    end_q11: int | None = None


@dataclass(frozen=True)
class Events:
    """All events of a bank. names: by number; clips: the events of each clip that has any, ordered by their begin."""

    names: tuple[str, ...] = ()
    clips: Mapping[int, tuple[ClipEvent, ...]] | None = None

    def of(self, clip: int) -> tuple[ClipEvent, ...]:
        return (self.clips or {}).get(clip, ())


def crowded_from(positions_q11: Sequence[int]) -> int | None:
    """Returns the first position that begins a frame with too many marks, or None. positions: ascending."""
    return next((first for first, last in zip(positions_q11, positions_q11[MOST_PER_FRAME:])
                 if last - first < ONE_Q11), None)


def _marks(events: Sequence[ClipEvent], kinds: Mapping[tuple[str, int], int]) -> list[int]:
    """Returns the marks of one clip. At the same position, ends of spans come first, then begins, then other events in
    their order."""
    marks = []
    for order, event in enumerate(events):
        if event.end_q11 is None:
            marks.append((event.position_q11, 2, order, ONCE))
        else:
            marks += [(event.position_q11, 1, order, BEGIN), (event.end_q11, 0, order, END)]
    marks.sort()
    index = {(order, phase): at for at, (_, _, order, phase) in enumerate(marks)}
    words = []
    for position, _, order, phase in marks:
        other = 0 if phase == ONCE else index[order, BEGIN + END - phase]
        kind = kinds[events[order].name, events[order].value]
        words += [position, kind | phase << _PHASE_SHIFT | other << _OTHER_SHIFT]
    return words


def pack_events(clips: Mapping[int, Sequence[ClipEvent]]) -> bytes:
    """Returns the content of the section. clips: events by the number of their clip. Raises BankProblem if there are
    too many."""
    listed = [event for events in clips.values() for event in events]
    names = sorted({event.name for event in listed})
    kinds = {pair: kind for kind, pair in enumerate(sorted({(event.name, event.value) for event in listed}))}
    if len(kinds) > MOST_KINDS or len(listed) + sum(event.end_q11 is not None for event in listed) > MOST_MARKS:
        raise BankProblem(f"{len(listed):,} events of {len(kinds):,} kinds, but a bank has room for {MOST_MARKS:,}, "
                          f"counting spans twice, of {MOST_KINDS:,} kinds (names with their values)")
    directory, marks = [], []
    for clip in sorted(clips):
        marks += _marks(clips[clip], kinds)
        directory.append(clip << _CLIP_SHIFT | len(marks) // 2)
    words = [len(names) | len(kinds) << 16, len(directory) | len(marks) // 2 << 16, *map(name_hash, names)]
    for name, value in kinds:
        words += [names.index(name), value & 0xFFFFFFFF]
    body = words_bytes([*words, *directory, *marks]) + pack_names(names)
    return body + bytes(-len(body) % 4)


def parse_events(section: Section | None, words: tuple[int, ...], clips: Sequence[Clip]) -> Events:
    """Reads and checks the section. Raises BankProblem."""
    if section is None:
        return Events()
    cut = section.cut(words)
    if len(cut) < _HEADER:
        raise _problem("is empty")
    names, kinds, listed, marks = cut[0] & 0xFFFF, cut[0] >> 16, cut[1] & 0xFFFF, cut[1] >> 16
    at_kinds = _HEADER + names
    at_clips = at_kinds + 2 * kinds
    at_marks = at_clips + listed
    at_names = at_marks + 2 * marks
    if at_names > len(cut):
        raise _problem(f"has {len(cut)} words, but its counts need {at_names}")
    data = words_bytes(cut)
    texts, end = read_names(data, 4 * at_names, names, "events", lambda name: f"event {name}")
    check_end(data, end, names, "events")
    if [*cut[_HEADER:at_kinds]] != [name_hash(text) for text in texts]:
        raise _problem("has hashes that do not match its names")
    table = list(zip(cut[at_kinds:at_clips:2], cut[at_kinds + 1:at_clips:2]))
    if any(name >= names for name, _ in table):
        raise _problem("has a kind without a name")
    found: dict[int, tuple[ClipEvent, ...]] = {}
    first, least = 0, 0
    for entry in cut[at_clips:at_marks]:
        clip, end = entry >> _CLIP_SHIFT, entry & 0xFFFF
        if not least <= clip < len(clips) or not first <= end <= marks:
            raise _problem("lists clips that do not exist or are out of order")
        part = cut[at_marks + 2 * first:at_marks + 2 * end]
        found[clip] = _clip_events(list(zip(part[::2], part[1::2])), table, texts,
                                   (clips[clip].frame_count - 1) * ONE_Q11)
        first, least = end, clip + 1
    if first != marks:
        raise _problem("has events that belong to no clip")
    return Events(tuple(texts), found)


def _clip_events(marks: Sequence[tuple[int, int]], kinds: Sequence[tuple[int, int]], names: Sequence[str],
                 end_q11: int) -> tuple[ClipEvent, ...]:
    events = []
    before = 0
    for at, (position, mark) in enumerate(marks):
        kind, phase, other = mark & _KIND_MASK, mark >> _PHASE_SHIFT & _PHASE_MASK, mark >> _OTHER_SHIFT
        if not before <= position <= end_q11 or kind >= len(kinds):
            raise _problem("has an event outside its clip, out of order or of an unknown kind")
        if phase != ONCE:
            partner = marks[other][1] if other < len(marks) else 0
            mate = at << _OTHER_SHIFT | (BEGIN + END - phase) << _PHASE_SHIFT | kind
            if phase > END or partner != mate:
                raise _problem("has a span without an end")
        elif other:
            raise _problem("has an end for an event without length")
        if phase != END:
            name, value = kinds[kind]
            events.append(ClipEvent(names[name], position, value - (value >> 31 << 32),
                                    marks[other][0] if phase == BEGIN else None))
        before = position
    if crowded_from([position for position, _ in marks]) is not None:
        raise _problem(f"has more than {MOST_PER_FRAME} events in a frame of a clip")
    return tuple(events)


def _problem(problem: str) -> BankProblem:
    return BankProblem(f"the section {TAG} {problem}; encode the bank again")
