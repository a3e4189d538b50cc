/* SPDX-License-Identifier: MIT */
/* Steps of a clock, from one position to the next. */
#include "osc_motion.h"

#include "arithmetic/osc_fixed.h"
#include "bank/osc_internal.h"

#define MOST_LOOPS 0xfffffffeu /* more than a step can play */

int32_t osc_playback_step(osc_playback *playback, uint32_t elapsed_us, osc_step *step)
{
    OSC_ASSERT(playback != 0 && step != 0);
    /* an endless clock does not count its loops: here it counts down from a large number */
    bool forever = playback->loops_left == OSC_LOOPS_FOREVER;
    bool counts = forever && playback->end_q11 != 0u;
    if (counts)
        playback->loops_left = MOST_LOOPS;
    uint32_t before = playback->loops_left;
    step->from_q11 = playback->position_q11;
    bool backward = playback->speed_q16 < 0;
    int32_t position = osc_playback_advance(playback, elapsed_us);
    uint32_t wraps = before - playback->loops_left;
    step->ended = before != 0u && playback->loops_left == 0u;
    wraps -= step->ended ? 1u : 0u; /* the last loop does not wrap */
    step->wraps = (int32_t)(backward ? 0u - wraps : wraps);
    step->to_q11 = playback->position_q11;
    if (counts)
        playback->loops_left = OSC_LOOPS_FOREVER;
    return position;
}

/* The loop that contains a position, and the position in it. */
static int32_t loop_of(int32_t position_q11, int32_t end_q11, uint32_t *place_q11)
{
    int32_t loops = position_q11 / end_q11, place = position_q11 % end_q11;
    if (place < 0) {
        place += end_q11;
        loops = osc_sub(loops, 1);
    }
    *place_q11 = (uint32_t)place;
    return loops;
}

static uint32_t held(int32_t position_q11, uint32_t end_q11)
{
    uint32_t position = position_q11 < 0 ? 0u : (uint32_t)position_q11;
    return position < end_q11 ? position : end_q11;
}

void osc_step_between(osc_step *step, int32_t from_q11, int32_t to_q11, uint32_t end_q11, bool loop)
{
    OSC_ASSERT(step != 0 && end_q11 <= 0x7fffffffu);
    step->wraps = 0;
    step->ended = false;
    if (loop && end_q11 != 0u) {
        int32_t end = (int32_t)end_q11, first = loop_of(from_q11, end, &step->from_q11);
        step->wraps = osc_sub(loop_of(to_q11, end, &step->to_q11), first);
        return;
    }
    step->from_q11 = held(from_q11, end_q11);
    step->to_q11 = held(to_q11, end_q11);
    if (step->from_q11 != step->to_q11)
        step->ended = step->to_q11 == (to_q11 < from_q11 ? 0u : end_q11);
}
