/* SPDX-License-Identifier: MIT */
/* Division by a table: small machines have no instruction for it. */
#ifndef STAGE_DIVIDE_H
#define STAGE_DIVIDE_H

#include <stdint.h>

extern const uint16_t stage_reciprocals[257];

/* 1 / value is the result * 2^(*shift - 31), off by less than 1 in 2^13. value: 1..2^31 - 1 */
static inline uint32_t stage_reciprocal(uint32_t value, int32_t *shift)
{
    int32_t up = 0;
    while (value >= 1u << 17) {
        value >>= 1;
        up--;
    }
    if (value < 1u << 9) {
        value <<= 8;
        up += 8;
    }
    if (value < 1u << 13) {
        value <<= 4;
        up += 4;
    }
    while (value < 1u << 16) {
        value <<= 1;
        up++;
    }
    *shift = up;
    uint32_t low = stage_reciprocals[(value >> 8) - 256u],
             high = stage_reciprocals[(value >> 8) - 255u];
    return low - (((low - high) * (value & 255u)) >> 8);
}

#endif
