/* Making a rotation of four numbers, and quotients: what the codecs share that mix keys. SPEC.md
 * 10.4 (packing four), 12.1 and 13.3. */
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

/* b / a in Q20, rounded down, with 15 significant bits at least: 0 for b = 0, and 64 where it would
 * be more or a is 0. Cost: one 32-bit division. */
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

/* Makes up for the length of a quaternion that is nearly unit. */
void osc_near_unit(int32_t q[4]);

/* Makes a unit quaternion of any four numbers, and 0 0 0 1 of zeros. Cost: a root, a 32-bit
 * division. */
void osc_unit(int32_t q[4]);

#endif
