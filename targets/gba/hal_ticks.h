/* SPDX-License-Identifier: MIT */
/* Cycles by two timers, for the hal.c of Game Boy Advance and Nintendo DS, which have the same
 * ones. HAL_TICK_CYCLES: cycles of the processor in a tick of the timers. HAL_TICKS_CODE,
 * HAL_TICKS_DATA: where the functions and their data lie. */
#ifndef HAL_TICKS_H
#define HAL_TICKS_H

#include <stdbool.h>

#include "hal.h"
#include "registers.h"

/* Called as it stands, never inlined or specialised: what the two functions cost between their
 * readings is then the same for calibration, which takes it off, and for everybody else. */
#define PLAIN_CALL __attribute__((noipa)) HAL_TICKS_CODE

const char hal_unit[] = "cycles";

HAL_TICKS_DATA static uint32_t empty_ticks = 0;
HAL_TICKS_DATA static bool calibrated = false;

PLAIN_CALL void hal_ticks_start(void)
{
    TIMER_CONTROL(2) = TIMER_CONTROL(3) = 0;
    TIMER_COUNT(2) = TIMER_COUNT(3) = 0;
    TIMER_CONTROL(3) = TIMER_ON | TIMER_CASCADE;
    TIMER_CONTROL(2) = TIMER_ON;
}

PLAIN_CALL uint32_t hal_instructions(void)
{
    TIMER_CONTROL(2) = 0;
    uint32_t ticks = (uint32_t)TIMER_COUNT(3) << 16 | TIMER_COUNT(2);
    if (!calibrated) {
        calibrated = true;
        hal_ticks_start();
        empty_ticks = hal_instructions() / HAL_TICK_CYCLES;
    }
    return (ticks - empty_ticks) * HAL_TICK_CYCLES;
}

#endif
