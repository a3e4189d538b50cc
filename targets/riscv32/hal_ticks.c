/* SPDX-License-Identifier: MIT */
/* Instructions from the counter of retired instructions, which is exact under `qemu -icount`. */
#include <stdbool.h>

#include "hal.h"

/* Called as it stands, never inlined or specialised: what the two functions cost between their
 * readings is then the same for calibration, which takes it off, and for everybody else. */
#define PLAIN_CALL __attribute__((noipa))

static uint32_t begin, empty;
static bool calibrated;

static inline uint32_t retired(void)
{
    uint32_t count;
    __asm__ volatile(".option arch, +zicsr\n csrr %0, minstret" : "=r"(count) : : "memory");
    return count;
}

const char hal_unit[] = "instructions";

PLAIN_CALL void hal_ticks_start(void)
{
    begin = retired();
}

PLAIN_CALL uint32_t hal_instructions(void)
{
    uint32_t passed = retired() - begin;
    if (!calibrated) {
        calibrated = true;
        hal_ticks_start();
        empty = hal_instructions();
    }
    return passed - empty;
}
