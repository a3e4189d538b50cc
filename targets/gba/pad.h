/* SPDX-License-Identifier: MIT */
/* Buttons and time, which the Game Boy Advance and the Nintendo DS have at the same addresses. */
#ifndef PAD_H
#define PAD_H

#include <stdint.h>

/* Microseconds that 64 cycles of the machine's timers take, with eight bits of fraction. */
extern const uint32_t pad_tick_us_q8;

/* Starts the timers of screen_elapsed_us. */
void pad_open(void);

#endif
