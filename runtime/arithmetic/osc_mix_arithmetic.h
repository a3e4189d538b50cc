/* SPDX-License-Identifier: MIT */
/* The arithmetic of mixing poses: the port contract, as in osc_port.h, and its definition in plain
 * C with 32-bit products. SPEC.md 16 states it as formulas.
 *
 * A platform that replaces operations names the header that has them in osc_port_config.h:
 *
 *   OSC_PORT_MIX       osc_mix_rotations, osc_mix_unit_rotation, osc_unit_rotation
 *   OSC_PORT_MIX_RUNS  osc_mix_unit_rotations, osc_unit_rotations, osc_add_rotations,
 *                      osc_mix_vectors, osc_add_vectors, osc_add_scales
 *
 * All declarations above the line that includes a group's header are available to it. */
#ifndef OSC_MIX_ARITHMETIC_H
#define OSC_MIX_ARITHMETIC_H

#include "port/osc_port.h"

/* Weights are Q15, 0..OSC_ONE_Q15; larger weights, up to 2^17, give the same bits everywhere, but
 * no useful pose. Inputs and outputs may not overlap. */

/* The weight of a joint: weight * mask, rounded half up. */
static inline int32_t osc_masked_weight(uint32_t weight_q15, uint32_t mask_q15)
{
    return (int32_t)((weight_q15 * mask_q15 + 0x4000u) >> 15);
}

/* floor((x * weight + 2^14) / 2^15) modulo 2^32: x in two parts, so that products fit 32 bits. */
static inline int32_t osc_weighted(int32_t x, int32_t weight_q15)
{
    int32_t high = osc_mul(x >> 15, weight_q15);
    uint32_t low = ((uint32_t)x & 0x7fffu) * (uint32_t)weight_q15 + 0x4000u;
    return osc_add(high, (int32_t)(low >> 15));
}

/* ---- one rotation, translation or scale ---- */

/* Moves rotations, of any length from 2^-12 to one, towards unit rotations, each by the shorter
 * arc. The results are not normalised. Equal rotations and those with weight 0 do not change.
 * count: at least 1 */
static inline void osc_mix_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                     uint32_t count, int32_t weight_q15);

/* Normalises a rotation. Lengths within 2^-15 of one do not change. */
static inline void osc_unit_rotation(osc_quaternion *rotation);

/* Both, for two unit rotations. Equal rotations and those with weight 0 do not change. */
static inline void osc_mix_unit_rotation(osc_quaternion *rotation, const osc_quaternion *with,
                                         int32_t weight_q15);

/* rotation * nlerp(identity, delta, weight), normalised, for two unit rotations. */
static inline void osc_add_rotation(osc_quaternion *rotation, const osc_quaternion *delta,
                                    int32_t weight_q15);

/* ---- runs: joints that follow each other in a pose, with one weight. count: at least 1 ---- */

static inline void osc_mix_unit_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                          uint32_t count, int32_t weight_q15);
static inline void osc_unit_rotations(osc_quaternion *rotations, uint32_t count);
static inline void osc_add_rotations(osc_quaternion *rotations, const osc_quaternion *deltas,
                                     uint32_t count, int32_t weight_q15);
static inline void osc_mix_vectors(osc_vector *vectors, const osc_vector *with, uint32_t count,
                                   int32_t weight_q15);
static inline void osc_add_vectors(osc_vector *translations, const osc_vector *deltas,
                                   uint32_t count, int32_t weight_q15);
static inline void osc_add_scales(osc_vector *scales, const osc_vector *deltas, uint32_t count,
                                  int32_t weight_q15);

/* ---- vectors ---- */

/* A step towards a translation or scale, rounded half up. */
static inline void osc_mix_vector(osc_vector *vector, const osc_vector *with, int32_t weight_q15)
{
    vector->x = osc_add(vector->x, osc_weighted(osc_sub(with->x, vector->x), weight_q15));
    vector->y = osc_add(vector->y, osc_weighted(osc_sub(with->y, vector->y), weight_q15));
    vector->z = osc_add(vector->z, osc_weighted(osc_sub(with->z, vector->z), weight_q15));
}

/* translation + delta * weight */
static inline void osc_add_vector(osc_vector *translation, const osc_vector *delta,
                                  int32_t weight_q15)
{
    translation->x = osc_add(translation->x, osc_weighted(delta->x, weight_q15));
    translation->y = osc_add(translation->y, osc_weighted(delta->y, weight_q15));
    translation->z = osc_add(translation->z, osc_weighted(delta->z, weight_q15));
}

/* A component of scale * lerp(1, delta, weight): x + x * (factor - 1) * weight */
static inline int32_t osc_scaled(int32_t x, int32_t factor, int32_t weight_q15)
{
    int32_t more = osc_weighted(osc_sub(factor, OSC_ONE_Q20), weight_q15);
    return osc_add(x, osc_mul_q20(x, more));
}

/* ---- normalising ---- */

/* Makes the compiler load operands again: with few registers, it would spill them in between. */
#if defined(__GNUC__) && defined(__thumb__) && !defined(__thumb2__)
#define OSC_READ_AGAIN() __asm__ volatile("" ::: "memory")
#else
#define OSC_READ_AGAIN() ((void)0)
#endif

/* 1 / sqrt(1 - u) - 1 is nearly u times a polynomial of degree five. */
#define OSC_STRETCH_C0 32764
#define OSC_STRETCH_C1 24884
#define OSC_STRETCH_C2 15730
#define OSC_STRETCH_C3 47040
#define OSC_STRETCH_C4 (-64498)
#define OSC_STRETCH_C5_Q15 52877 /* the others are Q16 */

/* The stretch that normalises a rotation of squared length 1 - u: Q16, to within 2^-16.3 for u from
 * -2^-6 to 1/2, and 0 for 0. */
static inline int32_t osc_stretch_q16(int32_t u_q16)
{
    int32_t y = osc_add(OSC_STRETCH_C4, osc_mul(OSC_STRETCH_C5_Q15, u_q16) >> 15);
    y = osc_add(OSC_STRETCH_C3, osc_mul(y, u_q16) >> 16);
    y = osc_add(OSC_STRETCH_C2, osc_mul(y, u_q16) >> 16);
    y = osc_add(OSC_STRETCH_C1, osc_mul(y, u_q16) >> 16);
    y = osc_add(OSC_STRETCH_C0, osc_mul(y, u_q16) >> 16);
    return osc_half_up(osc_mul(y, u_q16), 16);
}

/* ---- normalising by measured lengths ---- */

#define OSC_UNIT_Q31 (1u << 31)
#define OSC_UNIT_BAND_Q31 (1u << 17) /* squared lengths this near to one do not change */

/* The range of squared lengths for osc_stretch_q16. */
#define OSC_STRETCH_LEAST_Q31 (OSC_UNIT_Q31 >> 1)
#define OSC_STRETCH_END_Q31 (OSC_UNIT_Q31 + (1u << 25))

/* A component's part of the squared length in Q31: with h = q >> 8 and q = h * 2^8 + r it is
 * h^2 * 2^7 + h * r; the missing r^2 / 2^9 is below 2^-24. */
static inline uint32_t osc_square_q31(int32_t q)
{
    int32_t high = q >> 8;
    return (uint32_t)osc_mul(high, osc_sub(q, osc_shl(high, 7)));
}

static inline uint32_t osc_squared_length_q31(const osc_quaternion *q)
{
    uint32_t n = osc_square_q31(q->x);
    OSC_READ_AGAIN();
    n += osc_square_q31(q->y);
    OSC_READ_AGAIN();
    n += osc_square_q31(q->z);
    OSC_READ_AGAIN();
    return n + osc_square_q31(q->w);
}

static inline bool osc_is_unit_q31(uint32_t n)
{
    return n - (OSC_UNIT_Q31 - OSC_UNIT_BAND_Q31) < 2u * OSC_UNIT_BAND_Q31;
}

static inline bool osc_is_near_unit_q31(uint32_t n)
{
    return n - OSC_STRETCH_LEAST_Q31 < OSC_STRETCH_END_Q31 - OSC_STRETCH_LEAST_Q31;
}

/* 1 - n, rounded. */
static inline int32_t osc_missing_q16(uint32_t n)
{
    return (int32_t)(OSC_UNIT_Q31 + (1u << 14) - n) >> 15;
}

/* q + floor(q * stretch / 2^16) */
static inline int32_t osc_stretched(int32_t q, int32_t stretch_q16)
{
    int32_t low = osc_mul(q & 0xffff, stretch_q16) >> 16;
    return osc_add(q, osc_add(osc_mul(q >> 16, stretch_q16), low));
}

/* Shifts any four numbers so that osc_stretch_q16 can take their squared length; zeros become 0 0 0
 * 1. Returns that squared length in Q31. Out of line, because it is needed only for rotations that
 * were not normalised and for sums of three and more that cancel each other. */
uint32_t osc_near_unit_q31(osc_quaternion *rotation);

/* osc_unit_rotation of each, out of line. */
void osc_unit_each_rotation(osc_quaternion *rotations, uint32_t count);

/* ---- unit mixes of two unit rotations a and b ----
 *
 * For the mix m = a + (b - a) * w, |m|^2 is 1 - 2 w (1 - w) (1 - |a b|): the length follows from
 * the dot product. If a or b is not of unit length, the length of the mix is off by at most the
 * larger deviation. */

/* Dot products this near to one need no stretch. */
#define OSC_NEAR_Q30 (1 << 17)

/* 2 w (1 - w) */
static inline int32_t osc_sag_q15(int32_t weight_q15)
{
    return osc_half_up(osc_mul(weight_q15, osc_sub(OSC_ONE_Q15, weight_q15)), 14);
}

/* The factor that normalises a mix. apart: 1 - |a b| */
static inline int32_t osc_mix_stretch_q16(int32_t apart_q16, int32_t sag_q15)
{
    return osc_stretch_q16(osc_half_up(osc_mul(apart_q16, sag_q15), 15));
}

/* The same, from a dot product. */
static inline int32_t osc_dot_stretch_q16(int32_t dot_q30, int32_t sag_q15)
{
    int32_t apart = osc_sub(1 << 30, dot_q30 < 0 ? osc_sub(0, dot_q30) : dot_q30);
    return OSC_UNLIKELY(apart < OSC_NEAR_Q30) ? 0 : osc_mix_stretch_q16(apart >> 14, sag_q15);
}

#ifdef OSC_PORT_MIX
#include OSC_PORT_MIX
#else

/* A component's step, with both rotations in one hemisphere. */
static inline int32_t osc_toward(int32_t from, int32_t to, int32_t weight_q15)
{
    return osc_add(from, osc_mul(osc_sub(to, from) >> 5, weight_q15) >> 10);
}

static inline void osc_mix_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                     uint32_t count, int32_t weight_q15)
{
    for (osc_quaternion *a = rotations, *end = a + count; a != end; a++, with++) {
        const osc_quaternion *b = with;
        int32_t dot = osc_add(osc_mul(a->x, b->x >> 10), osc_mul(a->y, b->y >> 10));
        dot = osc_add(dot, osc_add(osc_mul(a->z, b->z >> 10), osc_mul(a->w, b->w >> 10)));
        OSC_READ_AGAIN();
        if (OSC_UNLIKELY(dot < 0)) {
            a->x = osc_toward(a->x, osc_sub(0, b->x), weight_q15);
            a->y = osc_toward(a->y, osc_sub(0, b->y), weight_q15);
            a->z = osc_toward(a->z, osc_sub(0, b->z), weight_q15);
            a->w = osc_toward(a->w, osc_sub(0, b->w), weight_q15);
        } else {
            a->x = osc_toward(a->x, b->x, weight_q15);
            a->y = osc_toward(a->y, b->y, weight_q15);
            a->z = osc_toward(a->z, b->z, weight_q15);
            a->w = osc_toward(a->w, b->w, weight_q15);
        }
        OSC_READ_AGAIN();
    }
}

/* A component's step and stretch, with both rotations in one hemisphere. */
static inline int32_t osc_mixed(int32_t from, int32_t to, int32_t weight_q15, int32_t stretch_q16)
{
    int32_t step = osc_half_up(osc_sub(to, from), 5);
    int32_t mixed = osc_add(from, osc_mul(step, weight_q15) >> 10);
    return osc_add(mixed, osc_mul(mixed >> 4, stretch_q16) >> 12);
}

static inline void osc_mix_unit_rotation(osc_quaternion *rotation, const osc_quaternion *with,
                                         int32_t weight_q15)
{
    osc_quaternion *a = rotation;
    const osc_quaternion *b = with;
    int32_t dot =
        osc_add(osc_mul(a->x >> 5, osc_half_up(b->x, 5)), osc_mul(a->y >> 5, osc_half_up(b->y, 5)));
    dot = osc_add(dot, osc_mul(a->z >> 5, osc_half_up(b->z, 5)));
    dot = osc_add(dot, osc_mul(a->w >> 5, osc_half_up(b->w, 5)));
    OSC_READ_AGAIN();
    int32_t stretch = osc_dot_stretch_q16(dot, osc_sag_q15(weight_q15));
    if (OSC_UNLIKELY(dot < 0)) {
        a->x = osc_mixed(a->x, osc_sub(0, b->x), weight_q15, stretch);
        a->y = osc_mixed(a->y, osc_sub(0, b->y), weight_q15, stretch);
        a->z = osc_mixed(a->z, osc_sub(0, b->z), weight_q15, stretch);
        a->w = osc_mixed(a->w, osc_sub(0, b->w), weight_q15, stretch);
    } else {
        a->x = osc_mixed(a->x, b->x, weight_q15, stretch);
        a->y = osc_mixed(a->y, b->y, weight_q15, stretch);
        a->z = osc_mixed(a->z, b->z, weight_q15, stretch);
        a->w = osc_mixed(a->w, b->w, weight_q15, stretch);
    }
    OSC_READ_AGAIN();
}

OSC_HOT static inline void osc_unit_rotation(osc_quaternion *rotation)
{
    uint32_t n = osc_squared_length_q31(rotation);
    if (osc_is_unit_q31(n))
        return;
    if (OSC_UNLIKELY(!osc_is_near_unit_q31(n)))
        n = osc_near_unit_q31(rotation);
    int32_t stretch = osc_stretch_q16(osc_missing_q16(n));
    OSC_READ_AGAIN();
    rotation->x = osc_stretched(rotation->x, stretch);
    rotation->y = osc_stretched(rotation->y, stretch);
    rotation->z = osc_stretched(rotation->z, stretch);
    rotation->w = osc_stretched(rotation->w, stretch);
}

#endif

/* ---- additive layers ----
 *
 * a + a * e, where 1 + e is the unit mix of the identity and the delta, so that an identity delta
 * does not change `a`. */

static inline int32_t osc_part_q15(int32_t x, int32_t part_q15)
{
    return osc_half_up(osc_mul(osc_half_up(x, 5), part_q15), 15);
}

static inline void osc_add_rotation(osc_quaternion *rotation, const osc_quaternion *delta,
                                    int32_t weight_q15)
{
    int32_t size = delta->w < 0 ? osc_sub(0, delta->w) : delta->w;
    int32_t apart = osc_sub(OSC_ONE_Q20, size) >> 4;
    int32_t stretch = osc_mix_stretch_q16(apart, osc_sag_q15(weight_q15));
    int32_t part = osc_add(weight_q15, osc_half_up(osc_mul(weight_q15, stretch), 16));
    int32_t less = osc_sub(osc_half_up(stretch, 1), part);
    part = delta->w < 0 ? osc_sub(0, part) : part;
    int32_t ex = osc_part_q15(delta->x, part), ey = osc_part_q15(delta->y, part);
    int32_t ez = osc_part_q15(delta->z, part), ew = osc_add(osc_part_q15(delta->w, part), less);
    int32_t x = osc_half_up(rotation->x, 5), y = osc_half_up(rotation->y, 5);
    int32_t z = osc_half_up(rotation->z, 5), w = osc_half_up(rotation->w, 5);
    int32_t dx = osc_sub(osc_add(osc_mul(w, ex), osc_mul(x, ew)), osc_mul(z, ey));
    int32_t dy = osc_sub(osc_add(osc_mul(w, ey), osc_mul(y, ew)), osc_mul(x, ez));
    int32_t dz = osc_sub(osc_add(osc_mul(w, ez), osc_mul(z, ew)), osc_mul(y, ex));
    int32_t dw = osc_sub(osc_sub(osc_mul(w, ew), osc_mul(x, ex)), osc_mul(y, ey));
    rotation->x = osc_add(rotation->x, osc_add(dx, osc_mul(y, ez)) >> 10);
    rotation->y = osc_add(rotation->y, osc_add(dy, osc_mul(z, ex)) >> 10);
    rotation->z = osc_add(rotation->z, osc_add(dz, osc_mul(x, ey)) >> 10);
    rotation->w = osc_add(rotation->w, osc_sub(dw, osc_mul(z, ez)) >> 10);
}

#ifdef OSC_PORT_MIX_RUNS
#include OSC_PORT_MIX_RUNS
#define OSC_MIXES_RUNS 1 /* faster than joint by joint */
#else
#define OSC_MIXES_RUNS 0

static inline void osc_mix_unit_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                          uint32_t count, int32_t weight_q15)
{
    for (; count != 0u; count--)
        osc_mix_unit_rotation(rotations++, with++, weight_q15);
}

static inline void osc_unit_rotations(osc_quaternion *rotations, uint32_t count)
{
    for (; count != 0u; count--)
        osc_unit_rotation(rotations++);
}

static inline void osc_add_rotations(osc_quaternion *rotations, const osc_quaternion *deltas,
                                     uint32_t count, int32_t weight_q15)
{
    for (; count != 0u; count--)
        osc_add_rotation(rotations++, deltas++, weight_q15);
}

static inline void osc_mix_vectors(osc_vector *vectors, const osc_vector *with, uint32_t count,
                                   int32_t weight_q15)
{
    for (; count != 0u; count--)
        osc_mix_vector(vectors++, with++, weight_q15);
}

static inline void osc_add_vectors(osc_vector *translations, const osc_vector *deltas,
                                   uint32_t count, int32_t weight_q15)
{
    for (; count != 0u; count--)
        osc_add_vector(translations++, deltas++, weight_q15);
}

static inline void osc_add_scales(osc_vector *scales, const osc_vector *deltas, uint32_t count,
                                  int32_t weight_q15)
{
    /* word by word, with one copy of the long product */
    int32_t *scale = &scales->x;
    const int32_t *delta = &deltas->x;
    for (uint32_t words = 3u * count; words != 0u; words--, scale++)
        *scale = osc_scaled(*scale, *delta++, weight_q15);
}

#endif
#endif
