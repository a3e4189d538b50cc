/* SPDX-License-Identifier: MIT */
/* Mixing on vectors of four 32-bit integers: the steps of runtime/arithmetic/osc_mix_arithmetic.h.
 * Steps between two rotations take one vector each; values that follow from a squared length are
 * computed for four rotations together. In addition to the operations of osc_vector_rows.h a port
 * defines:
 *
 *   osc_v4_sum(v)               the sum of all lanes, in every lane
 *   osc_v4_any(mask)            whether a lane is not zero; lanes are all ones or zero
 *   osc_v4_any_negative(v)      whether a lane is negative
 *   osc_v4_flip(v, sign)        -v where the lane of `sign` is negative
 *   osc_v4_factor(g)            the factor for osc_v4_scale, for |g| < 2^15
 *   osc_v4_scale(v, factor)     floor(v * g / 2^16) */
#ifndef OSC_VECTOR_MIX_H
#define OSC_VECTOR_MIX_H

#include "port/osc_port.h"

#include OSC_PORT_VECTORS

/* v rounded half up. bits: a constant */
#define osc_v4_half_up(v, bits) osc_v4_sar(osc_v4_add(v, osc_v4_all(1u << ((bits)-1))), bits)

/* ---- squared lengths of four rotations, and their stretches ---- */

static inline osc_v4 osc_v4_squares_q31(osc_v4 q)
{
    osc_v4 high = osc_v4_sar(q, 8);
    return osc_v4_mul(high, osc_v4_sub(q, osc_v4_shl(high, 7)));
}

/* Returns whether osc_v4_stretch_q16 cannot take a squared length, and whether it is not that of a
 * unit rotation. Comparisons have signs: the bounds are shifted to where that makes no difference.
 */
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
static inline osc_v4 osc_v4_stretch_q16(osc_v4 u)
{
    osc_v4 y = osc_v4_sar(osc_v4_mul(osc_v4_all(OSC_STRETCH_C5_Q15), u), 15);
    y = osc_v4_add(y, osc_v4_all((uint32_t)OSC_STRETCH_C4));
    y = osc_v4_add(osc_v4_sar(osc_v4_mul(y, u), 16), osc_v4_all(OSC_STRETCH_C3));
    y = osc_v4_add(osc_v4_sar(osc_v4_mul(y, u), 16), osc_v4_all(OSC_STRETCH_C2));
    y = osc_v4_add(osc_v4_sar(osc_v4_mul(y, u), 16), osc_v4_all(OSC_STRETCH_C1));
    y = osc_v4_add(osc_v4_sar(osc_v4_mul(y, u), 16), osc_v4_all(OSC_STRETCH_C0));
    return osc_v4_half_up(osc_v4_mul(y, u), 16);
}

/* osc_stretch_q16 of one minus squared lengths; 0 for unit rotations. */
static inline osc_v4 osc_v4_stretch_of(osc_v4 n)
{
    osc_v4 u = osc_v4_sar(osc_v4_sub(osc_v4_all(OSC_UNIT_Q31 + (1u << 14)), n), 15);
    return osc_v4_and(osc_v4_stretch_q16(u), osc_v4_not_unit(n));
}

/* osc_mix_stretch_q16 of each lane. */
static inline osc_v4 osc_v4_mix_stretch_q16(osc_v4 apart, int32_t weight_q15)
{
    osc_v4 sag = osc_v4_all((uint32_t)osc_sag_q15(weight_q15));
    return osc_v4_stretch_q16(osc_v4_half_up(osc_v4_mul(apart, sag), 15));
}

/* osc_dot_stretch_q16 of each lane, for dot products that are not negative. */
static inline osc_v4 osc_v4_dot_stretch_q16(osc_v4 sizes, int32_t weight_q15)
{
    osc_v4 apart = osc_v4_sub(osc_v4_all(1u << 30), sizes);
    osc_v4 is_far = osc_v4_greater(apart, osc_v4_all(OSC_NEAR_Q30 - 1));
    return osc_v4_mix_stretch_q16(osc_v4_and(osc_v4_sar(apart, 14), is_far), weight_q15);
}

/* ---- any number of rotations ---- */

/* The terms whose sum gives the sign for osc_mix_rotations. */
static inline osc_v4 osc_v4_signs(osc_v4 from, osc_v4 to)
{
    return osc_v4_mul(osc_v4_sar(to, 10), from);
}

static inline osc_v4 osc_v4_step(osc_v4 from, osc_v4 to, osc_v4 weight_q15)
{
    osc_v4 step = osc_v4_mul(osc_v4_sar(osc_v4_sub(to, from), 5), weight_q15);
    return osc_v4_add(from, osc_v4_sar(step, 10));
}

/* Most rotations of two poses are in one hemisphere; the others cost more. */
static inline void osc_v4_steps(osc_quaternion *rotations, const osc_quaternion *with,
                                osc_v4 weight)
{
    osc_v4 a0 = osc_v4_load(&rotations[0].x), b0 = osc_v4_load(&with[0].x);
    osc_v4 a1 = osc_v4_load(&rotations[1].x), b1 = osc_v4_load(&with[1].x);
    osc_v4 a2 = osc_v4_load(&rotations[2].x), b2 = osc_v4_load(&with[2].x);
    osc_v4 a3 = osc_v4_load(&rotations[3].x), b3 = osc_v4_load(&with[3].x);
    osc_v4 signs = osc_v4_sums(osc_v4_signs(a0, b0), osc_v4_signs(a1, b1), osc_v4_signs(a2, b2),
                               osc_v4_signs(a3, b3));
    if (OSC_UNLIKELY(osc_v4_any_negative(signs))) {
        b0 = osc_v4_flip(b0, osc_v4_lane(signs, 0));
        b1 = osc_v4_flip(b1, osc_v4_lane(signs, 1));
        b2 = osc_v4_flip(b2, osc_v4_lane(signs, 2));
        b3 = osc_v4_flip(b3, osc_v4_lane(signs, 3));
    }
    osc_v4_store(&rotations[0].x, osc_v4_step(a0, b0, weight));
    osc_v4_store(&rotations[1].x, osc_v4_step(a1, b1, weight));
    osc_v4_store(&rotations[2].x, osc_v4_step(a2, b2, weight));
    osc_v4_store(&rotations[3].x, osc_v4_step(a3, b3, weight));
}

static inline void osc_mix_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                     uint32_t count, int32_t weight_q15)
{
    osc_v4 weight = osc_v4_all((uint32_t)weight_q15);
    for (; count >= 4u; count -= 4u, rotations += 4, with += 4)
        osc_v4_steps(rotations, with, weight);
    for (; count != 0u; count--, rotations++, with++) {
        osc_v4 from = osc_v4_load(&rotations->x), to = osc_v4_load(&with->x);
        to = osc_v4_flip(to, osc_v4_sum(osc_v4_signs(from, to)));
        osc_v4_store(&rotations->x, osc_v4_step(from, to, weight));
    }
}

/* Unit mixes take the second rotation with the half for rounding to Q15, once for all. */
static inline osc_v4 osc_v4_with_half(osc_v4 with)
{
    return osc_v4_add(with, osc_v4_all(16u));
}

static inline osc_v4 osc_v4_products(osc_v4 from, osc_v4 to_half)
{
    return osc_v4_mul(osc_v4_sar(to_half, 5), osc_v4_sar(from, 5));
}

static inline osc_v4 osc_v4_mixed(osc_v4 from, osc_v4 to_half, osc_v4 weight_q15,
                                  osc_v4 stretch_q16)
{
    osc_v4 step = osc_v4_mul(osc_v4_sar(osc_v4_sub(to_half, from), 5), weight_q15);
    osc_v4 mixed = osc_v4_add(osc_v4_sar(step, 10), from);
    return osc_v4_add(osc_v4_sar(osc_v4_mul(osc_v4_sar(mixed, 4), stretch_q16), 12), mixed);
}

/* Returns the same for the opposite rotation where a dot product is negative. */
static inline osc_v4 osc_v4_turned(osc_v4 to_half, osc_v4 dot)
{
    osc_v4 both_halves = osc_v4_and(osc_v4_sar(dot, 31), osc_v4_all(32u));
    return osc_v4_add(osc_v4_flip(to_half, dot), both_halves);
}

static inline void osc_mix_unit_rotation(osc_quaternion *rotation, const osc_quaternion *with,
                                         int32_t weight_q15)
{
    osc_v4 a = osc_v4_load(&rotation->x), b = osc_v4_with_half(osc_v4_load(&with->x));
    osc_v4 dot = osc_v4_sum(osc_v4_products(a, b)), weight = osc_v4_all((uint32_t)weight_q15);
    osc_v4 stretch = osc_v4_dot_stretch_q16(osc_v4_flip(dot, dot), weight_q15);
    osc_v4_store(&rotation->x, osc_v4_mixed(a, osc_v4_turned(b, dot), weight, stretch));
}

static inline void osc_unit_rotation(osc_quaternion *rotation)
{
    osc_v4 q = osc_v4_load(&rotation->x), n = osc_v4_sum(osc_v4_squares_q31(q)), stretch;
    if (OSC_UNLIKELY(osc_v4_any(osc_v4_is_far(n)))) {
        /* a far rotation is stretched even if it is now as near as those that do not change */
        int32_t missing_q16 = osc_missing_q16(osc_near_unit_q31(rotation));
        stretch = osc_v4_all((uint32_t)osc_stretch_q16(missing_q16));
        q = osc_v4_load(&rotation->x);
    } else {
        stretch = osc_v4_stretch_of(n);
    }
    osc_v4 factor = osc_v4_factor(stretch);
    osc_v4_store(&rotation->x, osc_v4_add(q, osc_v4_scale(q, factor)));
}

/* ---- four rotations ---- */

static inline void osc_unit_4_rotations(osc_quaternion *rotations)
{
    osc_v4 q0 = osc_v4_load(&rotations[0].x), q1 = osc_v4_load(&rotations[1].x);
    osc_v4 q2 = osc_v4_load(&rotations[2].x), q3 = osc_v4_load(&rotations[3].x);
    osc_v4 n = osc_v4_sums(osc_v4_squares_q31(q0), osc_v4_squares_q31(q1), osc_v4_squares_q31(q2),
                           osc_v4_squares_q31(q3));
    if (OSC_UNLIKELY(osc_v4_any(osc_v4_is_far(n)))) {
        osc_unit_rotations(rotations, 4u);
        return;
    }
    osc_v4 factors = osc_v4_factor(osc_v4_stretch_of(n));
    osc_v4_store(&rotations[0].x, osc_v4_add(q0, osc_v4_scale(q0, osc_v4_lane(factors, 0))));
    osc_v4_store(&rotations[1].x, osc_v4_add(q1, osc_v4_scale(q1, osc_v4_lane(factors, 1))));
    osc_v4_store(&rotations[2].x, osc_v4_add(q2, osc_v4_scale(q2, osc_v4_lane(factors, 2))));
    osc_v4_store(&rotations[3].x, osc_v4_add(q3, osc_v4_scale(q3, osc_v4_lane(factors, 3))));
}

static inline void osc_mix_unit_4_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                            int32_t weight_q15)
{
    osc_v4 weight = osc_v4_all((uint32_t)weight_q15);
    osc_v4 a0 = osc_v4_load(&rotations[0].x), b0 = osc_v4_with_half(osc_v4_load(&with[0].x));
    osc_v4 a1 = osc_v4_load(&rotations[1].x), b1 = osc_v4_with_half(osc_v4_load(&with[1].x));
    osc_v4 a2 = osc_v4_load(&rotations[2].x), b2 = osc_v4_with_half(osc_v4_load(&with[2].x));
    osc_v4 a3 = osc_v4_load(&rotations[3].x), b3 = osc_v4_with_half(osc_v4_load(&with[3].x));
    osc_v4 dots = osc_v4_sums(osc_v4_products(a0, b0), osc_v4_products(a1, b1),
                              osc_v4_products(a2, b2), osc_v4_products(a3, b3));
    if (OSC_UNLIKELY(osc_v4_any_negative(dots))) {
        b0 = osc_v4_turned(b0, osc_v4_lane(dots, 0));
        b1 = osc_v4_turned(b1, osc_v4_lane(dots, 1));
        b2 = osc_v4_turned(b2, osc_v4_lane(dots, 2));
        b3 = osc_v4_turned(b3, osc_v4_lane(dots, 3));
        dots = osc_v4_flip(dots, dots);
    }
    osc_v4 stretch = osc_v4_dot_stretch_q16(dots, weight_q15);
    osc_v4_store(&rotations[0].x, osc_v4_mixed(a0, b0, weight, osc_v4_lane(stretch, 0)));
    osc_v4_store(&rotations[1].x, osc_v4_mixed(a1, b1, weight, osc_v4_lane(stretch, 1)));
    osc_v4_store(&rotations[2].x, osc_v4_mixed(a2, b2, weight, osc_v4_lane(stretch, 2)));
    osc_v4_store(&rotations[3].x, osc_v4_mixed(a3, b3, weight, osc_v4_lane(stretch, 3)));
}

static inline osc_v4 osc_v4_part(osc_v4 x, osc_v4 part)
{
    return osc_v4_half_up(osc_v4_mul(osc_v4_half_up(x, 5), part), 15);
}

/* The sums of osc_add_rotation with a vector for each component. */
static inline void osc_add_4_rotations(osc_quaternion *rotations, const osc_quaternion *deltas,
                                       int32_t weight_q15)
{
    osc_v4 e[4] = {osc_v4_load(&deltas[0].x), osc_v4_load(&deltas[1].x), osc_v4_load(&deltas[2].x),
                   osc_v4_load(&deltas[3].x)};
    osc_v4_transpose(e);
    osc_v4 apart = osc_v4_sub(osc_v4_all((uint32_t)OSC_ONE_Q20), osc_v4_flip(e[3], e[3]));
    osc_v4 weight = osc_v4_all((uint32_t)weight_q15);
    osc_v4 stretch = osc_v4_mix_stretch_q16(osc_v4_sar(apart, 4), weight_q15);
    osc_v4 part = osc_v4_add(osc_v4_half_up(osc_v4_mul(stretch, weight), 16), weight);
    osc_v4 less = osc_v4_sub(osc_v4_half_up(stretch, 1), part);
    part = osc_v4_flip(part, e[3]);
    e[0] = osc_v4_part(e[0], part);
    e[1] = osc_v4_part(e[1], part);
    e[2] = osc_v4_part(e[2], part);
    e[3] = osc_v4_add(osc_v4_part(e[3], part), less);
    osc_v4 q[4] = {osc_v4_load(&rotations[0].x), osc_v4_load(&rotations[1].x),
                   osc_v4_load(&rotations[2].x), osc_v4_load(&rotations[3].x)},
           d[4];
    osc_v4_transpose(q);
    osc_v4 x = osc_v4_half_up(q[0], 5), y = osc_v4_half_up(q[1], 5);
    osc_v4 z = osc_v4_half_up(q[2], 5), w = osc_v4_half_up(q[3], 5);
    d[0] = osc_v4_add(osc_v4_mul(w, e[0]), osc_v4_mul(x, e[3]));
    d[0] = osc_v4_add(d[0], osc_v4_sub(osc_v4_mul(y, e[2]), osc_v4_mul(z, e[1])));
    d[1] = osc_v4_add(osc_v4_mul(w, e[1]), osc_v4_mul(y, e[3]));
    d[1] = osc_v4_add(d[1], osc_v4_sub(osc_v4_mul(z, e[0]), osc_v4_mul(x, e[2])));
    d[2] = osc_v4_add(osc_v4_mul(w, e[2]), osc_v4_mul(z, e[3]));
    d[2] = osc_v4_add(d[2], osc_v4_sub(osc_v4_mul(x, e[1]), osc_v4_mul(y, e[0])));
    d[3] = osc_v4_sub(osc_v4_mul(w, e[3]), osc_v4_mul(x, e[0]));
    d[3] = osc_v4_sub(d[3], osc_v4_add(osc_v4_mul(y, e[1]), osc_v4_mul(z, e[2])));
    q[0] = osc_v4_add(q[0], osc_v4_sar(d[0], 10));
    q[1] = osc_v4_add(q[1], osc_v4_sar(d[1], 10));
    q[2] = osc_v4_add(q[2], osc_v4_sar(d[2], 10));
    q[3] = osc_v4_add(q[3], osc_v4_sar(d[3], 10));
    osc_v4_transpose(q);
    osc_v4_store(&rotations[0].x, q[0]);
    osc_v4_store(&rotations[1].x, q[1]);
    osc_v4_store(&rotations[2].x, q[2]);
    osc_v4_store(&rotations[3].x, q[3]);
}

#endif
