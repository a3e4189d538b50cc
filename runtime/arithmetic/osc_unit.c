/* SPDX-License-Identifier: MIT */
/* Normalises four numbers to a rotation. */
#include "arithmetic/osc_unit.h"

/* The evaluator's series on e = 1 - |q|^2, with two more bits. */
OSC_HOT void osc_near_unit(int32_t q[4])
{
    uint32_t high = 0, low = 0;
    for (uint32_t i = 0; i < 4u; i++) {
        uint32_t h = (uint32_t)(q[i] >> 10), l = (uint32_t)q[i] & 1023u;
        high += h * h;
        low += h * l + ((l * l) >> 11);
    }
    /* q = h * 2^10 + l, and q^2 / 2^18 in Q22: h^2 * 4 + (h*l + l^2 / 2^11) / 2^7 */
    int32_t e = osc_sub((int32_t)((1u << 22) - (high << 2)), (int32_t)low >> 7);
    int32_t f = osc_add(e, 64) >> 7; /* Q15 */
    int32_t f2 = osc_add(osc_mul(f, f), 16384) >> 15, f3 = osc_add(osc_mul(f2, f), 16384) >> 15;
    /* 1 / sqrt(1 - e) - 1 = e/2 + 3/8 e^2 + 5/16 e^3, Q20 */
    int32_t more = osc_add(osc_add(e, 4) >> 3, osc_add(osc_mul(f2, 12), osc_mul(f3, 10)));
    for (uint32_t i = 0; i < 4u; i++)
        q[i] = osc_add(q[i], osc_add(osc_mul(q[i] >> 6, more), 8192) >> 14);
}

OSC_HOT void osc_unit(int32_t q[4])
{
    uint32_t sizes = 0, squares = 0; /* the largest size has the highest bit of all of them */
    for (uint32_t i = 0; i < 4u; i++)
        sizes |= osc_size_of(q[i]);
    if (sizes == 0u) {
        q[3] = 1 << 20;
        return;
    }
    uint32_t size = osc_log2(sizes);
    for (uint32_t i = 0; i < 4u; i++) {
        q[i] = size > 19u ? q[i] >> (size - 19u) : osc_shl(q[i], 19u - size);
        int32_t part = q[i] >> 6;
        squares += (uint32_t)(part * part);
    }
    /* The length in Q19 and its inverse, exact to 12 bits; the series does the rest. */
    int32_t inverse = (int32_t)((0xffffffffu / osc_root_q20(squares >> 2)) << 7);
    for (uint32_t i = 0; i < 4u; i++)
        q[i] = osc_mul_q20(q[i], inverse);
    osc_near_unit(q);
}
