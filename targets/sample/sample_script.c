/* SPDX-License-Identifier: MIT */
#include "sample_script.h"

#include "sample.h"

#define LEAST_TICKS 16u

/* `bits` random bits: the upper ones, which repeat last. */
static uint32_t draw(sample_script *script, uint32_t bits)
{
    script->random = script->random * 1664525u + 1013904223u;
    return script->random >> (32u - bits);
}

uint32_t sample_script_next(sample_script *script)
{
    if (script->ticks_left != 0u) {
        script->ticks_left--;
        return script->held;
    }
    script->ticks_left = LEAST_TICKS + draw(script, 7);
    script->held = draw(script, 4); /* a direction, or none, of SAMPLE_UP to SAMPLE_RIGHT */
    script->held |= draw(script, 1) != 0u ? SAMPLE_RUN : 0u;
    uint32_t pressed = draw(script, 2) == 0u ? SAMPLE_JUMP : 0u;
    pressed |= draw(script, 2) == 0u ? SAMPLE_WAVE : 0u;
    return script->held | pressed;
}
