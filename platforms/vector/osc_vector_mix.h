/* Mixing on vectors of four 32-bit integers: the steps of runtime/arithmetic/osc_mix_arithmetic.h.
 * Steps between two rotations take one vector each; what follows from a squared length is computed
 * for four rotations at once. In addition to the operations of osc_vector_rows.h a port defines:
 *
 *   osc_v4_sum(v)               the sum of all lanes, in every lane
 *   osc_v4_any(mask)            whether a lane is not zero; lanes are all ones or zero
 *   osc_v4_flip(v, sign)        -v where the lane of the other one is negative
 *   osc_v4_factor(g)            what the next one takes, for |g| < 2^15
 *   osc_v4_scale(v, factor)     floor(v * g / 2^16) */
#ifndef OSC_VECTOR_MIX_H
#define OSC_VECTOR_MIX_H

#include "osc_port.h"

#include OSC_PORT_VECTORS

/* v rounded half up. bits: a constant */
#define osc_v4_half_up(v, bits) osc_v4_sar(osc_v4_add(v, osc_v4_all(1u << ((bits)-1))), bits)

/* ---- squared lengths of four rotations, and what makes up for them ---- */

static inline osc_v4 osc_v4_squares_q31(osc_v4 q)
{
    osc_v4 high = osc_v4_sar(q, 8);
    return osc_v4_mul(high, osc_v4_sub(q, osc_v4_shl(high, 7)));
}

/* Whether osc_v4_stretch_q16 cannot take a squared length, and whether it is not that of a unit
 * rotation. Comparisons have signs: the bounds are shifted to where that makes no difference. */
static inline osc_v4 osc_v4_is_far(osc_v4 n)
{
    const uint32_t last = OSC_STRETCH_END_Q31 - OSC_STRETCH_LEAST_Q31 - 1u;
    osc_v4 from_least = osc_v4_sub(n, osc_v4_all(OSC_STRETCH_LEAST_Q31 + 0x80000000u));
    return osc_v4_greater(from_least, osc_v4_all(last + 0x80000000u));
}

static inline osc_v4 osc_v4_not_unit(osc_v4 n)
{
    const uint32_t from = OSC_UNIT_Q31 - OSC_UNIT_BAND_Q31, last = 2u * OSC_UNIT_BAND_Q31 - 1u;
    return osc_v4_greater(osc_v4_sub(n, osc_v4_all(from + 0x80000000u)),
                          osc_v4_all(last + 0x80000000u));
}

/* osc_stretch_q16 of each lane. */
static inline osc_v4 osc_v4_stretch_q16(osc_v4 n)
{
    osc_v4 k = osc_v4_shr(n, 16);
    osc_v4 y = osc_v4_mul(osc_v4_all(OSC_STRETCH_C3), k);
    y = osc_v4_sub(osc_v4_all(OSC_STRETCH_C2), osc_v4_shr(y, 15));
    y = osc_v4_sub(osc_v4_all(OSC_STRETCH_C1), osc_v4_shr(osc_v4_mul(y, k), 15));
    y = osc_v4_sub(osc_v4_all(OSC_STRETCH_C0), osc_v4_shr(osc_v4_mul(y, k), 15));
    y = osc_v4_shr(y, 4);
    osc_v4 e = osc_v4_sar(osc_v4_mul(osc_v4_mul(y, y), osc_v4_shr(n, 12)), 16);
    osc_v4 less = osc_v4_sar(osc_v4_mul_add(osc_v4_all(0x3000u), y, e), 15);
    return osc_v4_sub(osc_v4_shl(osc_v4_sub(y, osc_v4_all(512u)), 7), less);
}

/* ---- one rotation ---- */

static inline osc_v4 osc_v4_mixed(osc_v4 from, osc_v4 to, osc_v4 weight_q15)
{
    osc_v4 dot = osc_v4_sum(osc_v4_mul(osc_v4_sar(to, 10), from));
    osc_v4 step = osc_v4_sub(osc_v4_sar(osc_v4_flip(to, dot), 5), osc_v4_sar(from, 5));
    return osc_v4_add(from, osc_v4_sar(osc_v4_mul(step, weight_q15), 10));
}

static inline void osc_mix_rotation(osc_quaternion *rotation, const osc_quaternion *with,
                                    int32_t weight_q15)
{
    osc_v4_store(&rotation->x, osc_v4_mixed(osc_v4_load(&rotation->x), osc_v4_load(&with->x),
                                            osc_v4_all((uint32_t)weight_q15)));
}

static inline void osc_unit_rotation(osc_quaternion *rotation)
{
    osc_v4 q = osc_v4_load(&rotation->x), n = osc_v4_sum(osc_v4_squares_q31(q));
    osc_v4 changed = osc_v4_not_unit(n);
    if (OSC_UNLIKELY(osc_v4_any(osc_v4_is_far(n)))) {
        n = osc_v4_all(osc_near_unit_q31(rotation));
        q = osc_v4_load(&rotation->x);
    }
    osc_v4 factor = osc_v4_factor(osc_v4_and(osc_v4_stretch_q16(n), changed));
    osc_v4_store(&rotation->x, osc_v4_add(q, osc_v4_scale(q, factor)));
}

/* ---- four rotations ---- */

/* Normalises four rotations and stores them. */
static inline void osc_v4_unit(osc_quaternion *rotations, osc_v4 q0, osc_v4 q1, osc_v4 q2,
                               osc_v4 q3)
{
    osc_v4 n = osc_v4_sums(osc_v4_squares_q31(q0), osc_v4_squares_q31(q1), osc_v4_squares_q31(q2),
                           osc_v4_squares_q31(q3));
    if (OSC_UNLIKELY(osc_v4_any(osc_v4_is_far(n)))) {
        osc_v4_store(&rotations[0].x, q0);
        osc_v4_store(&rotations[1].x, q1);
        osc_v4_store(&rotations[2].x, q2);
        osc_v4_store(&rotations[3].x, q3);
        osc_unit_rotations(rotations, 4u);
        return;
    }
    osc_v4 factors = osc_v4_factor(osc_v4_and(osc_v4_stretch_q16(n), osc_v4_not_unit(n)));
    osc_v4_store(&rotations[0].x, osc_v4_add(q0, osc_v4_scale(q0, osc_v4_lane(factors, 0))));
    osc_v4_store(&rotations[1].x, osc_v4_add(q1, osc_v4_scale(q1, osc_v4_lane(factors, 1))));
    osc_v4_store(&rotations[2].x, osc_v4_add(q2, osc_v4_scale(q2, osc_v4_lane(factors, 2))));
    osc_v4_store(&rotations[3].x, osc_v4_add(q3, osc_v4_scale(q3, osc_v4_lane(factors, 3))));
}

static inline void osc_unit_4_rotations(osc_quaternion *rotations)
{
    osc_v4_unit(rotations, osc_v4_load(&rotations[0].x), osc_v4_load(&rotations[1].x),
                osc_v4_load(&rotations[2].x), osc_v4_load(&rotations[3].x));
}

static inline void osc_mix_unit_4_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                            int32_t weight_q15)
{
    osc_v4 weight = osc_v4_all((uint32_t)weight_q15);
    osc_v4 q0 = osc_v4_mixed(osc_v4_load(&rotations[0].x), osc_v4_load(&with[0].x), weight);
    osc_v4 q1 = osc_v4_mixed(osc_v4_load(&rotations[1].x), osc_v4_load(&with[1].x), weight);
    osc_v4 q2 = osc_v4_mixed(osc_v4_load(&rotations[2].x), osc_v4_load(&with[2].x), weight);
    osc_v4 q3 = osc_v4_mixed(osc_v4_load(&rotations[3].x), osc_v4_load(&with[3].x), weight);
    osc_v4_unit(rotations, q0, q1, q2, q3);
}

/* A part of a rotation, in Q15 as the rotation itself. */
static inline osc_v4 osc_v4_part(osc_v4 v, osc_v4 weight_q15)
{
    return osc_v4_half_up(osc_v4_mul(v, weight_q15), 15);
}

/* The sums of osc_sum_rotation with a vector for each component. */
static inline void osc_add_4_rotations(osc_quaternion *rotations, const osc_quaternion *deltas,
                                       int32_t weight_q15)
{
    osc_v4 weight = osc_v4_all((uint32_t)weight_q15);
    osc_v4 e[4] = {osc_v4_load(&deltas[0].x), osc_v4_load(&deltas[1].x), osc_v4_load(&deltas[2].x),
                   osc_v4_load(&deltas[3].x)};
    osc_v4 b[4] = {osc_v4_load(&rotations[0].x), osc_v4_load(&rotations[1].x),
                   osc_v4_load(&rotations[2].x), osc_v4_load(&rotations[3].x)};
    osc_v4_transpose(e);
    osc_v4_transpose(b);
    osc_v4 last = osc_v4_half_up(e[3], 5), all = osc_v4_all((uint32_t)OSC_ONE_Q15);
    e[0] = osc_v4_part(osc_v4_flip(osc_v4_half_up(e[0], 5), last), weight);
    e[1] = osc_v4_part(osc_v4_flip(osc_v4_half_up(e[1], 5), last), weight);
    e[2] = osc_v4_part(osc_v4_flip(osc_v4_half_up(e[2], 5), last), weight);
    e[3] = osc_v4_part(osc_v4_sub(osc_v4_flip(last, last), all), weight);
    osc_v4 x = osc_v4_half_up(b[0], 5), y = osc_v4_half_up(b[1], 5);
    osc_v4 z = osc_v4_half_up(b[2], 5), w = osc_v4_half_up(b[3], 5), d[4];
    d[0] = osc_v4_add(osc_v4_mul(w, e[0]), osc_v4_mul(x, e[3]));
    d[0] = osc_v4_add(d[0], osc_v4_sub(osc_v4_mul(y, e[2]), osc_v4_mul(z, e[1])));
    d[1] = osc_v4_add(osc_v4_mul(w, e[1]), osc_v4_mul(y, e[3]));
    d[1] = osc_v4_add(d[1], osc_v4_sub(osc_v4_mul(z, e[0]), osc_v4_mul(x, e[2])));
    d[2] = osc_v4_add(osc_v4_mul(w, e[2]), osc_v4_mul(z, e[3]));
    d[2] = osc_v4_add(d[2], osc_v4_sub(osc_v4_mul(x, e[1]), osc_v4_mul(y, e[0])));
    d[3] = osc_v4_sub(osc_v4_mul(w, e[3]), osc_v4_mul(x, e[0]));
    d[3] = osc_v4_sub(d[3], osc_v4_add(osc_v4_mul(y, e[1]), osc_v4_mul(z, e[2])));
    d[0] = osc_v4_half_up(d[0], 10);
    d[1] = osc_v4_half_up(d[1], 10);
    d[2] = osc_v4_half_up(d[2], 10);
    d[3] = osc_v4_half_up(d[3], 10);
    osc_v4_transpose(d);
    osc_v4_unit(rotations, osc_v4_add(osc_v4_load(&rotations[0].x), d[0]),
                osc_v4_add(osc_v4_load(&rotations[1].x), d[1]),
                osc_v4_add(osc_v4_load(&rotations[2].x), d[2]),
                osc_v4_add(osc_v4_load(&rotations[3].x), d[3]));
}

#endif
