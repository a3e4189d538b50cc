/* SPDX-License-Identifier: MIT */
/* Normalised rotations and quotients, for the codecs that mix keys. SPEC.md 10.4 (packing four),
 * 12.1 and 13.3. */
#ifndef OSC_UNIT_H
#define OSC_UNIT_H

#include "arithmetic/osc_count.h"
#include "arithmetic/osc_fixed.h"

static inline uint32_t osc_size_of(int32_t x)
{
    return x < 0 ? 0u - (uint32_t)x : (uint32_t)x;
}

/* floor(log2(value)), 0 for 0. */
static inline uint32_t osc_log2(uint32_t value)
{
    return 31u - osc_leading_zeros(value | 1u);
}

/* b / a in Q20, rounded down, with at least 15 significant bits: 0 for b = 0; 64 for larger
 * quotients and for a = 0. Cost: one 32-bit division. */
static inline int32_t osc_ratio(uint32_t b, uint32_t a)
{
    if (b == 0u)
        return 0;
    if (b >> 6 >= a)
        return 1 << 26;
    uint32_t k = osc_leading_zeros(b), size = osc_log2(a), less = size > 15u ? size - 15u : 0u;
    uint32_t quotient = (b << k) / (a >> less);
    k += less;
    return (int32_t)(k >= 20u ? quotient >> (k - 20u) : quotient << (20u - k));
}

/* Normalises a quaternion of nearly unit length. */
void osc_near_unit(int32_t q[4]);

/* Normalises any four numbers to a unit quaternion; zeros become 0 0 0 1. Cost: a root, a 32-bit
 * division. */
void osc_unit(int32_t q[4]);

#endif
