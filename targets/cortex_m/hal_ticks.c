/* Instructions from SysTick: under `qemu -icount` virtual time advances by a fixed amount per
 * instruction, so ticks are instructions times a constant that a loop of known length reveals. */
#include <stdbool.h>

#include "hal.h"

#define SYSTICK ((volatile uint32_t *)0xe000e010u)
enum { SYSTICK_CONTROL, SYSTICK_RELOAD, SYSTICK_VALUE };
#define SYSTICK_RUN 5u /* processor clock, no interrupt */
#define SYSTICK_WRAPPED 0x10000u
#define SYSTICK_RANGE 0xffffffu

#define LOOP_TURNS 500000u
#define LOOP_INSTRUCTIONS (2u * LOOP_TURNS) /* subs and bne */

/* Called as it stands, never inlined or specialised: what the two functions cost between their
 * readings is then the same for calibration, which takes it off, and for everybody else. */
#define PLAIN_CALL __attribute__((noipa))

static uint32_t begin_ticks;
static uint32_t empty_ticks, loop_ticks;
static bool calibrating;

const char hal_unit[] = "instructions";

PLAIN_CALL void hal_ticks_start(void)
{
    SYSTICK[SYSTICK_CONTROL] = 0;
    SYSTICK[SYSTICK_RELOAD] = SYSTICK_RANGE;
    SYSTICK[SYSTICK_VALUE] = 0;
    SYSTICK[SYSTICK_CONTROL] = SYSTICK_RUN;
    while (SYSTICK[SYSTICK_VALUE] == 0u) /* it reloads at the first tick */
        continue;
    (void)SYSTICK[SYSTICK_CONTROL]; /* reading clears the wrapped flag */
    begin_ticks = SYSTICK[SYSTICK_VALUE];
}

static void calibrate(void)
{
    uint32_t turns = LOOP_TURNS;
    calibrating = true;
    hal_ticks_start();
    empty_ticks = hal_instructions();
    hal_ticks_start();
    __asm__ volatile(".syntax unified\n"
                     "1: subs %0, %0, #1\n"
                     "   bne 1b\n"
                     : "+l"(turns)
                     :
                     : "cc");
    loop_ticks = hal_instructions() - empty_ticks;
    calibrating = false;
}

PLAIN_CALL uint32_t hal_instructions(void)
{
    uint32_t now = SYSTICK[SYSTICK_VALUE], ticks = begin_ticks - now; /* it counts down */
    bool wrapped = (SYSTICK[SYSTICK_CONTROL] & SYSTICK_WRAPPED) != 0u;
    if (calibrating)
        return ticks;
    if (loop_ticks == 0u)
        calibrate();
    if (wrapped)
        return HAL_UNKNOWN;
    uint64_t scaled = (uint64_t)(ticks - empty_ticks) * LOOP_INSTRUCTIONS;
    return (uint32_t)((scaled + loop_ticks / 2u) / loop_ticks);
}
