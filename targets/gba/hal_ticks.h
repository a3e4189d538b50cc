/* Cycles by two timers, for the hal.c of Game Boy Advance and Nintendo DS, which have the same
 * ones. HAL_TICK_CYCLES: cycles of the processor in a tick of the timers. HAL_TICKS_CODE,
 * HAL_TICKS_DATA: where the functions and their data lie. */
#ifndef HAL_TICKS_H
#define HAL_TICKS_H

#include <stdbool.h>

#include "hal.h"

/* Timer 3 counts how often timer 2 overflows. */
#define TIMER_2 ((volatile uint16_t *)0x04000108u)
#define TIMER_3 ((volatile uint16_t *)0x0400010cu)
enum { TIMER_COUNT, TIMER_CONTROL };
#define TIMER_START 0x80u
#define TIMER_CASCADE 4u

/* Called as it stands, never inlined or specialised: what the two functions cost between their
 * readings is then the same for calibration, which takes it off, and for everybody else. */
#define PLAIN_CALL __attribute__((noipa)) HAL_TICKS_CODE

const char hal_unit[] = "cycles";

HAL_TICKS_DATA static uint32_t empty_ticks = 0;
HAL_TICKS_DATA static bool calibrated = false;

PLAIN_CALL void hal_ticks_start(void)
{
    TIMER_2[TIMER_CONTROL] = TIMER_3[TIMER_CONTROL] = 0;
    TIMER_2[TIMER_COUNT] = TIMER_3[TIMER_COUNT] = 0;
    TIMER_3[TIMER_CONTROL] = TIMER_START | TIMER_CASCADE;
    TIMER_2[TIMER_CONTROL] = TIMER_START;
}

PLAIN_CALL uint32_t hal_instructions(void)
{
    TIMER_2[TIMER_CONTROL] = 0;
    uint32_t ticks = (uint32_t)TIMER_3[TIMER_COUNT] << 16 | TIMER_2[TIMER_COUNT];
    if (!calibrated) {
        calibrated = true;
        hal_ticks_start();
        empty_ticks = hal_instructions() / HAL_TICK_CYCLES;
    }
    return (ticks - empty_ticks) * HAL_TICK_CYCLES;
}

#endif
