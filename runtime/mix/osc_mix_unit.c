/* SPDX-License-Identifier: MIT */
/* Rotations of any length. */
#include "arithmetic/osc_mix_arithmetic.h"
#include "arithmetic/osc_unit.h"

static int32_t shifted(int32_t x, uint32_t size)
{
    return size > 18u ? x >> (size - 18u) : osc_shl(x, 18u - size);
}

/* Makes a rotation longer. Returns its squared length. */
static uint32_t grow(osc_quaternion *q, int32_t factor_q6)
{
    q->x = osc_mul(q->x, factor_q6) >> 6;
    q->y = osc_mul(q->y, factor_q6) >> 6;
    q->z = osc_mul(q->z, factor_q6) >> 6;
    q->w = osc_mul(q->w, factor_q6) >> 6;
    return osc_squared_length_q31(q);
}

uint32_t osc_near_unit_q31(osc_quaternion *q)
{
    uint32_t sizes = osc_size_of(q->x) | osc_size_of(q->y) | osc_size_of(q->z) | osc_size_of(q->w);
    if (sizes == 0u) {
        q->w = OSC_ONE_Q20;
        return OSC_UNIT_Q31;
    }
    /* The largest component gets a size from 2^18 to 2^19, and the square is from 1/16 to 1. */
    uint32_t size = osc_log2(sizes);
    q->x = shifted(q->x, size);
    q->y = shifted(q->y, size);
    q->z = shifted(q->z, size);
    q->w = shifted(q->w, size);
    uint32_t n = osc_squared_length_q31(q);
    if (n < OSC_STRETCH_LEAST_Q31 / 2u)
        n = grow(q, 128);
    if (n < OSC_STRETCH_LEAST_Q31)
        n = grow(q, 91); /* squared: 2.02 */
    return n;
}

void osc_unit_each_rotation(osc_quaternion *rotations, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        osc_unit_rotation(rotations + i);
}
