/* SPDX-License-Identifier: MIT */
/* The events of clips: the marks that a step passes. */
#include "osc_motion.h"

#include "bank/osc_section.h"

static const uint32_t *mark_at(const uint32_t *marks, uint32_t number)
{
    return marks + number * OSC_EVENT_WORDS;
}

static uint32_t position_of(const uint32_t *mark)
{
    return osc_word(mark[OSC_EVENT_POSITION_Q11]);
}

static uint32_t phase_of(const uint32_t *mark)
{
    return (osc_word(mark[OSC_EVENT_WHAT]) >> OSC_EVENT_PHASE_SHIFT) & OSC_EVENT_PHASE_MASK;
}

static uint32_t other_of(const uint32_t *mark)
{
    return osc_word(mark[OSC_EVENT_WHAT]) >> OSC_EVENT_OTHER_SHIFT;
}

static uint32_t kind_of(const uint32_t *mark)
{
    return osc_word(mark[OSC_EVENT_WHAT]) & OSC_EVENT_KIND_MASK;
}

/* Returns whether the two marks of a span refer to each other. */
static bool is_paired(const uint32_t *marks, uint32_t count, uint32_t number)
{
    const uint32_t *mark = mark_at(marks, number);
    uint32_t phase = phase_of(mark), other = other_of(mark);
    if (phase == OSC_EVENT_ONCE)
        return other == 0u;
    if (phase > OSC_EVENT_END || other >= count)
        return false;
    const uint32_t *partner = mark_at(marks, other);
    return phase_of(partner) == (OSC_EVENT_BEGIN ^ OSC_EVENT_END ^ phase) &&
           other_of(partner) == number && kind_of(partner) == kind_of(mark);
}

/* Checks the marks of a clip: ascending positions in the clip, no more marks in a frame than
 * permitted, existing kinds. */
static bool check_marks(const osc_events *events, const uint32_t *marks, uint32_t count,
                        uint32_t end_q11)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *mark = mark_at(marks, i);
        uint32_t position = position_of(mark);
        if (position < before || position > end_q11 || kind_of(mark) >= events->kind_count ||
            !is_paired(marks, count, i))
            return false;
        if (i >= OSC_EVENTS_PER_FRAME &&
            position - position_of(mark_at(marks, i - OSC_EVENTS_PER_FRAME)) < OSC_ONE_Q11)
            return false;
        before = position;
    }
    return true;
}

static bool check_clips(const osc_events *events)
{
    uint32_t first = 0, least = 0;
    for (uint32_t i = 0; i < events->clip_count; i++) {
        uint32_t entry = osc_word(events->clips[i]), clip = entry >> OSC_EVENT_CLIP_SHIFT;
        uint32_t end = entry & 0xffffu;
        if (clip < least || clip >= events->bank->clip_count || end < first ||
            end > events->mark_count ||
            !check_marks(events, mark_at(events->marks, first), end - first,
                         osc_clip_end_q11(events->bank, clip)))
            return false;
        first = end;
        least = clip + 1u;
    }
    return first == events->mark_count;
}

static bool check_kinds(const osc_events *events)
{
    for (uint32_t i = 0; i < events->kind_count; i++)
        if (osc_word(events->kinds[i * OSC_EVENT_KIND_WORDS + OSC_EVENT_KIND_NAME]) >=
            events->name_count)
            return false;
    return true;
}

/* Finds the parts of the section. Returns false for one that is too small. */
static bool find_parts(osc_events *events, osc_words section)
{
    if (section.count < OSC_EVENTS_HEADER_WORDS)
        return false;
    uint32_t names = osc_word(section.words[OSC_EVENTS_NAMES]);
    uint32_t clips = osc_word(section.words[OSC_EVENTS_CLIPS]);
    events->name_count = (uint16_t)names;
    events->kind_count = (uint16_t)(names >> 16);
    events->clip_count = (uint16_t)clips;
    events->mark_count = (uint16_t)(clips >> 16);
    events->names = section.words + OSC_EVENTS_HEADER_WORDS;
    events->kinds = events->names + events->name_count;
    events->clips = events->kinds + events->kind_count * OSC_EVENT_KIND_WORDS;
    events->marks = events->clips + events->clip_count;
    uint32_t words = (names & 0xffffu) + (names >> 16) * OSC_EVENT_KIND_WORDS;
    words += (clips & 0xffffu) + (clips >> 16) * OSC_EVENT_WORDS;
    return words <= section.count - OSC_EVENTS_HEADER_WORDS;
}

int32_t osc_events_open(osc_events *events, const osc_bank *bank)
{
    OSC_ASSERT(events != 0 && bank != 0);
    osc_words section = osc_section_find(bank, OSC_TAG_EVENTS);
    events->bank = bank;
    if (section.words != 0 && find_parts(events, section) && check_kinds(events) &&
        check_clips(events))
        return OSC_OK;
    events->names = events->kinds = events->clips = events->marks = 0;
    events->name_count = events->kind_count = events->clip_count = events->mark_count = 0;
    return section.words == 0 ? OSC_ERROR_NOT_FOUND : OSC_ERROR_SECTION;
}

int32_t osc_event_find(const osc_events *events, uint32_t name_hash)
{
    for (uint32_t i = 0; i < events->name_count; i++)
        if (osc_word(events->names[i]) == name_hash)
            return (int32_t)i;
    return OSC_ERROR_NOT_FOUND;
}

/* Returns the marks of a clip and their number. */
static const uint32_t *marks_of(const osc_events *events, uint32_t clip, uint32_t *count)
{
    uint32_t low = 0, high = events->clip_count;
    while (low < high) {
        uint32_t middle = (low + high) >> 1;
        if (osc_word(events->clips[middle]) >> OSC_EVENT_CLIP_SHIFT < clip)
            low = middle + 1u;
        else
            high = middle;
    }
    *count = 0;
    if (low == events->clip_count || osc_word(events->clips[low]) >> OSC_EVENT_CLIP_SHIFT != clip)
        return events->marks;
    uint32_t first = low != 0u ? osc_word(events->clips[low - 1u]) & 0xffffu : 0u;
    *count = (osc_word(events->clips[low]) & 0xffffu) - first;
    return mark_at(events->marks, first);
}

/* The number of marks before a position or, with `at`, before or at it. */
static uint32_t marks_before(const uint32_t *marks, uint32_t count, uint32_t position_q11, bool at)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) >> 1, position = position_of(mark_at(marks, middle));
        if (position < position_q11 || (at && position == position_q11))
            low = middle + 1u;
        else
            high = middle;
    }
    return low;
}

osc_event_walk osc_events_passed(const osc_events *events, uint32_t clip, const osc_step *step)
{
    OSC_ASSERT(events != 0 && step != 0);
    bool backward = osc_step_is_backward(step);
    osc_event_walk walk = {events, 0, 0, 0, 0, 0, 0, backward};
    walk.marks = marks_of(events, clip, &walk.mark_count);
    if (walk.mark_count == 0u || osc_step_is_empty(step))
        return walk;
    uint32_t count = walk.mark_count, wraps = (uint32_t)step->wraps;
    walk.wraps_left = backward ? 0u - wraps : wraps;
    if (walk.wraps_left > OSC_STEP_MOST_LOOPS)
        walk.wraps_left = OSC_STEP_MOST_LOOPS;
    walk.next = marks_before(walk.marks, count, step->from_q11, backward);
    walk.last_stop = marks_before(walk.marks, count, step->to_q11, step->ended != backward);
    walk.stop = walk.last_stop;
    if (walk.wraps_left != 0u)
        walk.stop = backward ? 0u : count;
    return walk;
}

static void describe(const osc_events *events, const uint32_t *marks, uint32_t number,
                     bool backward, osc_event *event)
{
    const uint32_t *mark = mark_at(marks, number);
    const uint32_t *kind = events->kinds + kind_of(mark) * OSC_EVENT_KIND_WORDS;
    uint32_t phase = phase_of(mark), position = position_of(mark);
    event->name = osc_word(kind[OSC_EVENT_KIND_NAME]);
    event->value = (int32_t)osc_word(kind[OSC_EVENT_KIND_VALUE]);
    event->position_q11 = position;
    event->other_q11 = position;
    if (phase != OSC_EVENT_ONCE)
        event->other_q11 = position_of(mark_at(marks, other_of(mark)));
    event->phase = (osc_event_phase)phase;
    event->inside = phase == (backward ? OSC_EVENT_END : OSC_EVENT_BEGIN);
}

bool osc_event_next(osc_event_walk *walk, osc_event *event)
{
    OSC_ASSERT(walk != 0 && event != 0);
    while (walk->next == walk->stop) {
        if (walk->wraps_left == 0u)
            return false;
        bool last = --walk->wraps_left == 0u;
        walk->next = walk->backward ? walk->mark_count : 0u;
        walk->stop = walk->backward ? 0u : walk->mark_count;
        if (last)
            walk->stop = walk->last_stop;
    }
    uint32_t number = walk->backward ? --walk->next : walk->next++;
    describe(walk->events, walk->marks, number, walk->backward, event);
    return true;
}

osc_event_spans osc_events_around(const osc_events *events, uint32_t clip, uint32_t position_q11)
{
    OSC_ASSERT(events != 0);
    osc_event_spans spans = {events, 0, 0, 0, position_q11};
    spans.marks = marks_of(events, clip, &spans.mark_count);
    return spans;
}

bool osc_event_next_span(osc_event_spans *spans, osc_event *event)
{
    OSC_ASSERT(spans != 0 && event != 0);
    while (spans->next < spans->mark_count) {
        uint32_t number = spans->next++;
        const uint32_t *mark = mark_at(spans->marks, number);
        if (phase_of(mark) != OSC_EVENT_BEGIN)
            continue;
        uint32_t begin = position_of(mark), at = spans->position_q11;
        uint32_t end = position_of(mark_at(spans->marks, other_of(mark)));
        bool begun = begin <= at, ends = at < end;
        if (begin < end ? begun && ends : begun || ends) {
            describe(spans->events, spans->marks, number, false, event);
            return true;
        }
    }
    return false;
}

bool osc_event_is_inside(const osc_events *events, uint32_t clip, uint32_t position_q11,
                         uint32_t name)
{
    osc_event_spans spans = osc_events_around(events, clip, position_q11);
    osc_event event;
    while (osc_event_next_span(&spans, &event))
        if (event.name == name)
            return true;
    return false;
}
