/* SPDX-License-Identifier: MIT */
/* The input of a player: the pad, and the time that a picture has taken. */
#include "game_input.h"
#include "screen.h"

#define ONCE ((uint32_t)(SAMPLE_JUMP | SAMPLE_WAVE)) /* they count when they are pressed */
#define MOST_TICKS 15u /* of a step; a slower game does not catch up */

uint32_t game_show(const sample *game, uint32_t *ticks)
{
    static uint32_t held, rest_us;
    (void)game;
    screen_show();
    const uint32_t pad = screen_pad(), pressed = pad & ~held; /* the bits of SAMPLE_UP .. */
    const uint32_t us = screen_elapsed_us() + rest_us;
    held = pad;
    *ticks = us / SAMPLE_TICK_US;
    rest_us = us % SAMPLE_TICK_US;
    if (*ticks > MOST_TICKS)
        *ticks = MOST_TICKS;
    return (pad & ~ONCE) | (pressed & ONCE);
}
