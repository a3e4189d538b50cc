/* SPDX-License-Identifier: MIT */
/* Clips that keep step: marks, and the phase between them. */
#include "osc_motion.h"

#include "arithmetic/osc_unit.h"
#include "bank/osc_section.h"

#define FRACTION_ONE (1u << 20)
#define LENGTH_MOST_Q11 0x003fffffu /* between two marks, 2047 frames */
#define FRAME_MOST_US 0x001fffffu   /* 2 seconds */

static uint32_t at_most(uint32_t value, uint32_t most)
{
    return value < most ? value : most;
}

/* floor(value * part / 2^20), value below 2^28, part at most 2^20. */
static uint32_t share_of(uint32_t value, uint32_t part_q20)
{
    return osc_mulhi_u32(value << 4, part_q20 << 8);
}

/* ---- marks ---- */

/* The distance from a mark to the next, or round the whole clip. */
static uint32_t length_q11(const osc_sync_clip *sync, uint32_t mark)
{
    uint32_t next = mark + 1u < sync->count ? mark + 1u : 0u;
    uint32_t from = sync->marks_q11[mark], to = sync->marks_q11[next];
    return at_most(to > from ? to - from : to + sync->end_q11 - from, LENGTH_MOST_Q11);
}

/* The index of an event's name, or `count` for none. */
static uint32_t name_of(const osc_event *event, const uint32_t *names, uint32_t count)
{
    uint32_t number = 0;
    while (number < count && names[number] != event->name)
        number++;
    return number;
}

/* Collects the marks of one loop in the order of positions. kinds: the name of each. */
static int32_t collect(osc_sync_clip *sync, const osc_events *events, uint32_t clip,
                       const uint32_t *names, uint32_t name_count, uint32_t *kinds)
{
    const osc_step loop = {0, sync->end_q11, 0, false};
    osc_event_walk walk = osc_events_passed(events, clip, &loop);
    for (osc_event event; osc_event_next(&walk, &event);) {
        uint32_t kind = name_of(&event, names, name_count);
        if (kind == name_count || event.phase == OSC_EVENT_END)
            continue;
        if (sync->count == OSC_SYNC_MARKS)
            return OSC_ERROR_MEMORY;
        sync->marks_q11[sync->count] = event.position_q11;
        kinds[sync->count] = kind;
        sync->count++;
    }
    return sync->count >= name_count ? OSC_OK : OSC_ERROR_NOT_FOUND;
}

/* Rotates the marks so that the first has the first name. */
static void turn_marks(osc_sync_clip *sync, const uint32_t *kinds)
{
    uint32_t turned[OSC_SYNC_MARKS], first = 0;
    while (kinds[first] != 0u) /* in_order has seen all names */
        first++;
    for (uint32_t i = 0; i < sync->count; i++)
        turned[i] = sync->marks_q11[(first + i) % sync->count];
    osc_copy(sync->marks_q11, turned, sync->count * sizeof *turned);
}

/* The time from a mark to the next one. */
static uint32_t time_us(const osc_sync_clip *sync, uint32_t mark)
{
    uint32_t us =
        osc_mulhi_u32(length_q11(sync, mark % sync->count) << 10, sync->us_per_frame << 11);
    return at_most(us, OSC_SYNC_MOST_US);
}

/* Returns whether marks follow each other in the order of the names, at least OSC_SYNC_LEAST_US
 * apart. */
static bool in_order(const osc_sync_clip *sync, const uint32_t *kinds, uint32_t name_count)
{
    for (uint32_t i = 0; i < sync->count; i++) {
        uint32_t next = i + 1u < sync->count ? i + 1u : 0u;
        if (kinds[next] != (kinds[i] + 1u) % name_count ||
            (sync->count > 1u && sync->marks_q11[next] == sync->marks_q11[i]) ||
            time_us(sync, i) < OSC_SYNC_LEAST_US)
            return false;
    }
    return true;
}

int32_t osc_sync_open(osc_sync_clip *sync, const osc_events *events, uint32_t clip,
                      const uint32_t *names, uint32_t name_count)
{
    OSC_ASSERT(sync != 0 && events != 0 && names != 0 && name_count != 0u);
    uint32_t kinds[OSC_SYNC_MARKS];
    if (clip >= events->bank->clip_count || osc_clip_end_q11(events->bank, clip) == 0u)
        return OSC_ERROR_NOT_FOUND;
    osc_clip_info info;
    (void)osc_clip_describe(events->bank, clip, &info);
    sync->end_q11 = osc_clip_end_q11(events->bank, clip);
    sync->us_per_frame = at_most(osc_frame_us(info.rate_q16), FRAME_MOST_US);
    sync->count = 0;
    int32_t status = collect(sync, events, clip, names, name_count, kinds);
    if (status == OSC_OK && !in_order(sync, kinds, name_count))
        status = OSC_ERROR_CLIP;
    if (status == OSC_OK)
        turn_marks(sync, kinds);
    return status;
}

/* ---- phases ---- */

osc_phase osc_sync_phase(const osc_sync_clip *sync, uint32_t position_q11)
{
    OSC_ASSERT(sync != 0 && sync->count != 0u);
    osc_phase phase = {0, 0};
    uint32_t nearest = ~0u; /* distance from the mark to the position */
    for (uint32_t i = 0; i < sync->count; i++) {
        uint32_t mark = sync->marks_q11[i];
        uint32_t distance =
            position_q11 >= mark ? position_q11 - mark : position_q11 + sync->end_q11 - mark;
        if (distance < nearest) {
            nearest = distance;
            phase.mark = i;
        }
    }
    uint32_t length = length_q11(sync, phase.mark);
    phase.fraction_q20 = FRACTION_ONE - 1u;
    if (nearest < length)
        phase.fraction_q20 = at_most((uint32_t)osc_ratio(nearest, length), FRACTION_ONE - 1u);
    return phase;
}

int32_t osc_sync_position_q11(const osc_sync_clip *sync, const osc_phase *phase)
{
    OSC_ASSERT(sync != 0 && sync->count != 0u && phase != 0);
    uint32_t mark = phase->mark % sync->count;
    uint32_t fraction = at_most(phase->fraction_q20, FRACTION_ONE);
    uint32_t position = sync->marks_q11[mark] + share_of(length_q11(sync, mark), fraction);
    return (int32_t)(position >= sync->end_q11 ? position - sync->end_q11 : position);
}

/* ---- time ---- */

static uint32_t at_least(uint32_t value, uint32_t least)
{
    return value > least ? value : least;
}

/* The weighted mean of all clips' times from a mark to the next. Its lower bound limits the number
 * of marks that a tick can pass. */
static uint32_t common_time_us(const osc_sync_clip *clips, const uint16_t *weights_q15,
                               uint32_t count, uint32_t mark)
{
    uint32_t total = 0, us = 0;
    for (uint32_t i = 0; i < count; i++)
        total += weights_q15[i];
    if (total == 0u)
        return at_least(time_us(clips, mark), OSC_SYNC_LEAST_US);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t share_q15 = ((uint32_t)weights_q15[i] << 15) / total;
        us += osc_mulhi_u32(time_us(&clips[i], mark) << 1, share_q15 << 16);
    }
    return at_least(us, OSC_SYNC_LEAST_US);
}

uint32_t osc_sync_time_to_mark(const osc_phase *phase, const osc_sync_clip *clips,
                               const uint16_t *weights_q15, uint32_t count)
{
    OSC_ASSERT(phase != 0 && clips != 0 && weights_q15 != 0 && count != 0u);
    uint32_t rest = FRACTION_ONE - at_most(phase->fraction_q20, FRACTION_ONE);
    return share_of(common_time_us(clips, weights_q15, count, phase->mark), rest);
}

void osc_sync_advance(osc_phase *phase, const osc_sync_clip *clips, const uint16_t *weights_q15,
                      uint32_t count, uint32_t elapsed_us)
{
    OSC_ASSERT(phase != 0 && clips != 0 && weights_q15 != 0 && count != 0u);
    uint32_t fraction = at_most(phase->fraction_q20, FRACTION_ONE);
    elapsed_us = at_most(elapsed_us, OSC_SYNC_MOST_US);
    uint32_t us = common_time_us(clips, weights_q15, count, phase->mark);
    for (uint32_t left; elapsed_us >= (left = share_of(us, FRACTION_ONE - fraction));) {
        elapsed_us -= left;
        fraction = 0;
        phase->mark++;
        us = common_time_us(clips, weights_q15, count, phase->mark);
    }
    phase->fraction_q20 =
        fraction + at_most((uint32_t)osc_ratio(elapsed_us, us), FRACTION_ONE - 1u - fraction);
}
