/* SPDX-License-Identifier: MIT */
/* Instructions from the generic timer: under `qemu -icount shift=4` every instruction takes 16 ns,
 * and the timer of the board `virt` ticks every 16 ns. */
#include <stdbool.h>

#include "hal.h"

#define TICKS_PER_SECOND 62500000u

/* Called as it stands, never inlined or specialised: what the two functions cost between their
 * readings is then the same for calibration, which takes it off, and for everybody else. */
#define PLAIN_CALL __attribute__((noipa))

static uint64_t begin_ticks, empty_ticks;
static bool calibrated;

static inline uint64_t read_ticks(void)
{
    uint64_t ticks;
#if defined(__aarch64__)
    __asm__ volatile("isb\n mrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
#else
    __asm__ volatile("isb\n mrrc p15, 1, %Q0, %R0, c14" : "=r"(ticks) : : "memory");
#endif
    return ticks;
}

static inline bool counts_instructions(void)
{
#if defined(__aarch64__)
    uint64_t frequency;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
#else
    uint32_t frequency;
    __asm__ volatile("mrc p15, 0, %0, c14, c0, 0" : "=r"(frequency));
#endif
    return frequency == TICKS_PER_SECOND;
}

const char hal_unit[] = "instructions";

PLAIN_CALL void hal_ticks_start(void)
{
    begin_ticks = read_ticks();
}

PLAIN_CALL uint32_t hal_instructions(void)
{
    uint64_t ticks = read_ticks() - begin_ticks;
    if (!calibrated) {
        calibrated = true;
        hal_ticks_start();
        empty_ticks = hal_instructions();
    }
    ticks -= empty_ticks;
    return ticks < HAL_UNKNOWN && counts_instructions() ? (uint32_t)ticks : HAL_UNKNOWN;
}
