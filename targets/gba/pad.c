/* SPDX-License-Identifier: MIT */
/* The part of screen.h that Game Boy Advance and Nintendo DS have in common. */
#include "pad.h"
#include "registers.h"
#include "screen.h"

#define KEYS 0x3ffu
enum { KEY_A = 1, KEY_B = 2, KEY_SELECT = 4, KEY_START = 8, KEY_R = 256, KEY_L = 512 };
enum { KEY_RIGHT = 16, KEY_LEFT = 32, KEY_UP = 64, KEY_DOWN = 128 };

static uint32_t held, last_count;

void pad_open(void)
{
    TIMER_CONTROL(1) = TIMER_ON | TIMER_CASCADE;
    TIMER_CONTROL(0) = TIMER_ON | TIMER_OF_64;
}

uint32_t screen_buttons(void)
{
    static const struct {
        uint16_t keys, means;
        bool repeats;
    } buttons[] = {
        {KEY_START | KEY_A, SCREEN_NEXT, false}, {KEY_SELECT | KEY_B, SCREEN_PREVIOUS, false},
        {KEY_UP, SCREEN_FASTER, false},          {KEY_DOWN, SCREEN_SLOWER, false},
        {KEY_LEFT | KEY_L, SCREEN_LEFT, true},   {KEY_RIGHT | KEY_R, SCREEN_RIGHT, true},
    };
    uint32_t now = ~(uint32_t)KEYINPUT & KEYS, pressed = 0;
    for (uint32_t i = 0; i < sizeof buttons / sizeof *buttons; i++)
        if ((now & (buttons[i].repeats ? KEYS : ~held) & buttons[i].keys) != 0u)
            pressed |= buttons[i].means;
    held = now;
    return pressed;
}

uint32_t screen_pad(void)
{
    static const uint16_t keys[] = {
        /* by the bits of SCREEN_PAD_UP to SCREEN_PAD_OTHER */
        KEY_UP, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_B, KEY_A, KEY_L | KEY_R | KEY_SELECT};
    uint32_t now = ~(uint32_t)KEYINPUT & KEYS, pad = 0;
    for (uint32_t i = 0; i < sizeof keys / sizeof *keys; i++)
        pad |= (now & keys[i]) != 0u ? 1u << i : 0u;
    return pad;
}

uint32_t screen_elapsed_us(void)
{
    uint32_t high, low;
    do {
        high = TIMER_COUNT(1);
        low = TIMER_COUNT(0);
    } while (high != TIMER_COUNT(1));
    uint32_t count = high << 16 | low, passed = count - last_count;
    last_count = count;
    /* in parts, for a product would be too large after a minute */
    return (passed >> 8) * pad_tick_us_q8 + (((passed & 255u) * pad_tick_us_q8) >> 8);
}
