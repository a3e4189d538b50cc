/* SPDX-License-Identifier: MIT */
/* Instructions from SysTick: under `qemu -icount` virtual time advances by a fixed amount per
 * instruction, so ticks are instructions times a constant that a loop of known length reveals. A
 * board counts cycles, which the loop's instructions stand for. The nRF51 of the micro:bit has no
 * SysTick, other than QEMU's. */
#include <stdbool.h>

#include "hal.h"
#include "systick.h"

#define LOOP_TURNS 500000u
#define LOOP_INSTRUCTIONS (SYSTICK_LOOP_INSTRUCTIONS * LOOP_TURNS)

/* Called as it stands, never inlined or specialised: what the two functions cost between their
 * readings is then the same for calibration, which takes it off, and for everybody else. */
#define PLAIN_CALL __attribute__((noipa))

static uint32_t begin_ticks;
static uint32_t empty_ticks, loop_ticks;
static bool calibrating, counting;

const char hal_unit[] = "instructions";

PLAIN_CALL void hal_ticks_start(void)
{
    SYSTICK_CONTROL = 0;
    SYSTICK_RELOAD = SYSTICK_RANGE;
    SYSTICK_VALUE = 0;
    counting = SYSTICK_RELOAD != 0u; /* it reads as zero on processors without the timer */
    if (!counting)
        return;
    SYSTICK_CONTROL = SYSTICK_RUN;
    while (SYSTICK_VALUE == 0u) /* it reloads at the first tick */
        continue;
    (void)SYSTICK_CONTROL; /* reading clears the wrapped flag */
    begin_ticks = SYSTICK_VALUE;
}

static void calibrate(void)
{
    uint32_t turns = LOOP_TURNS;
    calibrating = true;
    hal_ticks_start();
    empty_ticks = hal_instructions();
    hal_ticks_start();
    SYSTICK_LOOP(turns);
    loop_ticks = hal_instructions() - empty_ticks;
    calibrating = false;
}

PLAIN_CALL uint32_t hal_instructions(void)
{
    uint32_t now = SYSTICK_VALUE, ticks = begin_ticks - now; /* it counts down */
    bool wrapped = (SYSTICK_CONTROL & SYSTICK_WRAPPED) != 0u;
    if (!counting)
        return HAL_UNKNOWN;
    if (calibrating)
        return ticks;
    if (loop_ticks == 0u)
        calibrate();
    if (wrapped)
        return HAL_UNKNOWN;
    uint64_t scaled = (uint64_t)(ticks - empty_ticks) * LOOP_INSTRUCTIONS;
    return (uint32_t)((scaled + loop_ticks / 2u) / loop_ticks);
}
