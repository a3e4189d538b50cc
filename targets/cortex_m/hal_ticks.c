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

static uint32_t begin_ticks, empty_ticks, loop_ticks;

static void start(void)
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

/* Ticks since start; it counts down. */
static uint32_t elapsed(bool *wrapped)
{
    uint32_t value = SYSTICK[SYSTICK_VALUE];
    *wrapped = (SYSTICK[SYSTICK_CONTROL] & SYSTICK_WRAPPED) != 0u;
    return begin_ticks - value;
}

static void calibrate(void)
{
    bool wrapped;
    uint32_t turns = LOOP_TURNS;
    start();
    empty_ticks = elapsed(&wrapped);
    start();
    __asm__ volatile(".syntax unified\n"
                     "1: subs %0, %0, #1\n"
                     "   bne 1b\n"
                     : "+l"(turns)
                     :
                     : "cc");
    loop_ticks = elapsed(&wrapped) - empty_ticks;
}

void hal_ticks_start(void)
{
    if (loop_ticks == 0u)
        calibrate();
    start();
}

uint32_t hal_instructions(void)
{
    bool wrapped;
    uint32_t ticks = elapsed(&wrapped);
    if (wrapped)
        return HAL_UNKNOWN;
    if (ticks < empty_ticks)
        return 0;
    uint64_t scaled = (uint64_t)(ticks - empty_ticks) * LOOP_INSTRUCTIONS;
    return (uint32_t)((scaled + loop_ticks / 2u) / loop_ticks);
}
