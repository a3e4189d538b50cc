/* SPDX-License-Identifier: MIT */
/* Update rates: when the next pose is due, and the weight of each tick. */
#include "osc_crowd.h"

#include "arithmetic/osc_unit.h"

static uint32_t held_at(uint32_t value, uint32_t most)
{
    return value < most ? value : most;
}

/* part / whole, rounded half up. */
static uint32_t share_q15(uint32_t part, uint32_t whole)
{
    return held_at(((uint32_t)osc_ratio(part, whole) + 16u) >> 5, OSC_ONE_Q15);
}

void osc_update_rate_start(osc_update_rate *rate, uint32_t index, uint32_t tick_us)
{
    OSC_ASSERT(rate != 0);
    rate->count = index;
    rate->tick_us = held_at(tick_us, OSC_UPDATE_RATE_MOST_US);
    rate->left_us = 0;
    rate->ticks_left = 0;
    rate->advance_us = 0;
    rate->weight_q15 = OSC_ONE_Q15;
    rate->shown = false;
}

/* The ticks until the pose after this one: those up to the next multiple of the rate, at which the
 * characters before and behind this one are not due. */
static uint32_t ticks_ahead(const osc_update_rate *rate, uint32_t ticks)
{
    if (!rate->shown || ticks <= 1u)
        return 1;
    ticks = held_at(ticks, OSC_UPDATE_RATE_MOST_TICKS);
    return ticks - rate->count % ticks;
}

/* Moves the time of the next pose forward, to the last tick before the pose after it. It never
 * moves backward, so neither does the clock. */
static void move_on(osc_update_rate *rate, uint32_t elapsed_us, uint32_t ticks)
{
    rate->ticks_left = ticks_ahead(rate, ticks);
    uint32_t until_us = elapsed_us + (rate->ticks_left - 1u) * rate->tick_us;
    int32_t advance_us = (int32_t)until_us - rate->left_us;
    rate->advance_us = advance_us > 0 ? (uint32_t)advance_us : 0u;
    rate->left_us += (int32_t)rate->advance_us;
}

bool osc_update_rate_tick(osc_update_rate *rate, uint32_t elapsed_us, uint32_t ticks)
{
    OSC_ASSERT(rate != 0);
    elapsed_us = held_at(elapsed_us, OSC_UPDATE_RATE_MOST_US);
    bool due = rate->ticks_left == 0u;
    if (due)
        move_on(rate, elapsed_us, ticks);
    rate->weight_q15 = OSC_ONE_Q15;
    if (rate->shown && rate->left_us > (int32_t)elapsed_us)
        rate->weight_q15 = share_q15(elapsed_us, (uint32_t)rate->left_us);
    rate->left_us -= (int32_t)elapsed_us;
    rate->ticks_left--;
    rate->count++;
    rate->shown = true;
    return due;
}
