/* SPDX-License-Identifier: MIT */
/* The time until a clock reaches a position: osc_playback_advance, solved for the time. */
#include "bank/osc_internal.h"

/* Divides high * 2^32 + low and rounds down; at least 2^31 if high >= divisor, also for 0. A bit at
 * a time, because the smallest machines have no 64-bit division, and this result is needed rarely.
 */
OSC_NOINLINE uint32_t wide_quotient(uint32_t high, uint32_t low, uint32_t divisor)
{
    for (uint32_t bit = 0; bit < 32u; bit++) {
        bool carry = high >> 31 != 0u;
        high = high << 1 | low >> 31;
        low <<= 1;
        if (carry || high >= divisor) {
            high -= divisor;
            low |= 1u;
        }
    }
    return low;
}

/* Computes the time of the clip until the clock reaches a position: 0 if any step finishes the
 * clock there. Returns false if no loop that is left reaches the position, or only after more than
 * OSC_MAX_STEP_US. */
static bool clip_time_to(const osc_playback *playback, uint32_t position_q11, uint32_t *clip_us)
{
    uint32_t end = playback->end_q11, loops_left = playback->loops_left;
    uint32_t here = playback->position_q11, target = position_q11, low = ~playback->fraction_q32;
    bool backward = playback->speed_q16 < 0;
    if (backward) { /* counted from where a loop begins, too */
        here = end - here;
        target = end - target;
        low = playback->fraction_q32;
    }
    bool ends = target == end;
    *clip_us = 0;
    if (ends || target == 0u) {
        target = end;
        /* backward, a clock comes to a position with its fraction, but wraps after that of 0 */
        if (backward && low-- != 0u)
            here--;
        if (here == end && (loops_left == 1u || end == 0u))
            return ends;
        loops_left -= ends ? 0u : 1u; /* the last loop ends, but does not begin again */
    }
    bool ahead = (int32_t)here < (int32_t)target;
    if (loops_left < (ahead ? 1u : 2u))
        return false;
    /* the least time whose product with the rate exceeds high * 2^32 + low */
    uint32_t high = target - here - 1u + (ahead ? 0u : end);
    *clip_us = wide_quotient(high, low, playback->position_per_us_q32) + 1u;
    return *clip_us - 1u < OSC_MAX_STEP_US;
}

bool osc_playback_time_to(const osc_playback *playback, uint32_t position_q11, uint32_t *time_us)
{
    OSC_ASSERT(playback != 0 && time_us != 0);
    bool backward = playback->speed_q16 < 0, forever = playback->loops_left == OSC_LOOPS_FOREVER;
    uint32_t size_q16 = (uint32_t)playback->speed_q16, clip_us = 0, quotient = 0xffffffffu;
    size_q16 = backward ? 0u - size_q16 : size_q16;
    if (playback->paused || size_q16 == 0u || playback->loops_left == 0u ||
        position_q11 > playback->end_q11 || (forever && playback->end_q11 == 0u) ||
        !clip_time_to(playback, position_q11, &clip_us))
        return false;
    if (clip_us != 0u) {
        /* the least time whose product with the speed exceeds high * 2^32 + low */
        uint32_t before = clip_us - 1u, kept = playback->time_fraction_q16;
        uint32_t high = before >> 16, low = before << 16 | (backward ? kept : 0xffffu - kept);
        if (high < size_q16)
            quotient = wide_quotient(high, low, size_q16);
        if (quotient == 0xffffffffu)
            return false;
    }
    *time_us = quotient + 1u;
    return true;
}
