/* The arithmetic of mixing poses: the port contract, as in osc_port.h, and its definition in plain
 * C with 32-bit products. SPEC.md 16 states it as formulas.
 *
 * A platform that replaces operations names the header that has them in osc_port_config.h:
 *
 *   OSC_PORT_MIX    osc_mix_rotation, osc_unit_rotation
 *   OSC_PORT_MIX_4  osc_unit_4_rotations, osc_mix_unit_4_rotations, osc_add_4_rotations
 *
 * Everything above the place where a group's header is included is already declared. */
#ifndef OSC_MIX_ARITHMETIC_H
#define OSC_MIX_ARITHMETIC_H

#include "osc_port.h"

/* Weights are Q15, 0..OSC_ONE_Q15; larger ones give the same bits everywhere, but no pose that
 * anybody wants. Rotations of a pose may be shorter than one where the comment of a function does
 * not ask for unit ones, down to a length of 2^-12. In and out may not overlap. */

/* The weight of a joint: weight * mask, rounded half up. */
static inline int32_t osc_masked_weight(uint32_t weight_q15, uint32_t mask_q15)
{
    return (int32_t)((weight_q15 * mask_q15 + 0x4000u) >> 15);
}

/* floor((x * weight + 2^14) / 2^15) modulo 2^32: x in two parts, so that products have 32 bits. */
static inline int32_t osc_weighted(int32_t x, int32_t weight_q15)
{
    int32_t high = osc_mul(x >> 15, weight_q15);
    uint32_t low = ((uint32_t)x & 0x7fffu) * (uint32_t)weight_q15 + 0x4000u;
    return osc_add(high, (int32_t)(low >> 15));
}

/* ---- one rotation, translation or scale ---- */

/* A step towards a unit rotation, on the shorter way. The result is not normalised. Equal
 * rotations, and any with weight 0, stay as they are. */
static inline void osc_mix_rotation(osc_quaternion *rotation, const osc_quaternion *with,
                                    int32_t weight_q15);

/* Makes a rotation unit. Those within 2^-15 of it stay as they are. */
static inline void osc_unit_rotation(osc_quaternion *rotation);

/* Both. */
static inline void osc_mix_unit_rotation(osc_quaternion *rotation, const osc_quaternion *with,
                                         int32_t weight_q15);

/* rotation * nlerp(identity, delta, weight), normalised. */
static inline void osc_add_rotation(osc_quaternion *rotation, const osc_quaternion *delta,
                                    int32_t weight_q15);

/* ---- four rotations that follow each other in a pose, with one weight ---- */

static inline void osc_unit_4_rotations(osc_quaternion *rotations);
static inline void osc_mix_unit_4_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                            int32_t weight_q15);
static inline void osc_add_4_rotations(osc_quaternion *rotations, const osc_quaternion *deltas,
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

/* x + x * (factor - 1) * weight */
static inline int32_t osc_scaled(int32_t x, int32_t factor, int32_t weight_q15)
{
    int32_t more = osc_weighted(osc_sub(factor, OSC_ONE_Q20), weight_q15);
    return osc_add(x, osc_mul_q20(x, more));
}

/* scale * lerp(1, delta, weight) */
static inline void osc_add_scale(osc_vector *scale, const osc_vector *delta, int32_t weight_q15)
{
    scale->x = osc_scaled(scale->x, delta->x, weight_q15);
    scale->y = osc_scaled(scale->y, delta->y, weight_q15);
    scale->z = osc_scaled(scale->z, delta->z, weight_q15);
}

/* ---- normalising ---- */

/* What was read before is read again: processors with few registers would store it in between. */
#if defined(__GNUC__) && defined(__thumb__) && !defined(__thumb2__)
#define OSC_READ_AGAIN() __asm__ volatile("" ::: "memory")
#else
#define OSC_READ_AGAIN() ((void)0)
#endif

#define OSC_UNIT_Q31 (1u << 31)
#define OSC_UNIT_BAND_Q31 (1u << 17) /* squared lengths this near to one are left */

/* What osc_stretch_q16 takes: squared lengths from 0.453 to 1.031. */
#define OSC_STRETCH_LEAST_Q31 0x3a000000u
#define OSC_STRETCH_END_Q31 (OSC_UNIT_Q31 + (1u << 26))

/* 1 / sqrt(n) is nearly a cubic of n in Q13. The last constant has the half for rounding to Q9. */
#define OSC_STRETCH_C0 21726
#define OSC_STRETCH_C1 31227
#define OSC_STRETCH_C2 26193
#define OSC_STRETCH_C3 8492

/* A component's part of the squared length in Q31: with h = q >> 8 and q = h * 2^8 + r it is
 * h^2 * 2^7 + h * r; what is missing, r^2 / 2^9, is below 2^-24. */
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

/* 1 / sqrt(n) - 1 in Q16, between -2^10 and 2^15. The cubic gives y to within 0.2 %, in Q9, and one
 * Newton step y * (1 - e / 2) with e = n * y^2 - 1 does the rest. The product for e is in Q37: it
 * wraps by itself to |e| < 2^-6. The last rounding makes up for what the step falls short. */
static inline int32_t osc_stretch_q16(uint32_t n)
{
    uint32_t k = n >> 16; /* Q15 */
    uint32_t y = OSC_STRETCH_C2 - ((OSC_STRETCH_C3 * k) >> 15);
    y = OSC_STRETCH_C1 - ((y * k) >> 15);
    y = (OSC_STRETCH_C0 - ((y * k) >> 15)) >> 4;
    int32_t e = (int32_t)(y * y * (n >> 12)) >> 16; /* Q21 */
    int32_t less = osc_add(osc_mul((int32_t)y, e), 0x3000) >> 15;
    return osc_sub(osc_shl((int32_t)y - 512, 7), less);
}

/* q + floor(q * stretch / 2^16) */
static inline int32_t osc_stretched(int32_t q, int32_t stretch_q16)
{
    int32_t low = osc_mul(q & 0xffff, stretch_q16) >> 16;
    return osc_add(q, osc_add(osc_mul(q >> 16, stretch_q16), low));
}

/* Makes any four numbers a quaternion that osc_stretch_q16 can take, with shifts, and 0 0 0 1 of
 * zeros. Returns its squared length in Q31. Out of line: it is for rotations that nobody
 * normalised, and for sums of three and more that cancel each other. */
uint32_t osc_near_unit_q31(osc_quaternion *rotation);

/* ---- additive layers ----
 *
 * base + base * (d - 1), which leaves the base as it is where d is 1. The difference d - 1 is in
 * Q15; so are the factors, and their sum is below 2^31 for a base that is at most unit. */
static inline void osc_sum_rotation(osc_quaternion *rotation, const osc_quaternion *delta,
                                    int32_t weight_q15)
{
    int32_t ex = osc_half_up(delta->x, 5), ey = osc_half_up(delta->y, 5);
    int32_t ez = osc_half_up(delta->z, 5), ew = osc_half_up(delta->w, 5);
    if (ew < 0) {
        ex = osc_sub(0, ex);
        ey = osc_sub(0, ey);
        ez = osc_sub(0, ez);
        ew = osc_sub(0, ew);
    }
    ex = osc_half_up(osc_mul(ex, weight_q15), 15);
    ey = osc_half_up(osc_mul(ey, weight_q15), 15);
    ez = osc_half_up(osc_mul(ez, weight_q15), 15);
    ew = osc_half_up(osc_mul(osc_sub(ew, OSC_ONE_Q15), weight_q15), 15);
    int32_t x = osc_half_up(rotation->x, 5), y = osc_half_up(rotation->y, 5);
    int32_t z = osc_half_up(rotation->z, 5), w = osc_half_up(rotation->w, 5);
    int32_t dx = osc_sub(osc_add(osc_mul(w, ex), osc_mul(x, ew)), osc_mul(z, ey));
    int32_t dy = osc_sub(osc_add(osc_mul(w, ey), osc_mul(y, ew)), osc_mul(x, ez));
    int32_t dz = osc_sub(osc_add(osc_mul(w, ez), osc_mul(z, ew)), osc_mul(y, ex));
    int32_t dw = osc_sub(osc_sub(osc_mul(w, ew), osc_mul(x, ex)), osc_mul(y, ey));
    rotation->x = osc_add(rotation->x, osc_half_up(osc_add(dx, osc_mul(y, ez)), 10));
    rotation->y = osc_add(rotation->y, osc_half_up(osc_add(dy, osc_mul(z, ex)), 10));
    rotation->z = osc_add(rotation->z, osc_half_up(osc_add(dz, osc_mul(x, ey)), 10));
    rotation->w = osc_add(rotation->w, osc_half_up(osc_sub(dw, osc_mul(z, ez)), 10));
}

/* osc_unit_rotation of each, out of line. */
void osc_unit_rotations(osc_quaternion *rotations, uint32_t count);

#ifdef OSC_PORT_MIX
#include OSC_PORT_MIX
#else

/* One component's step, where the two rotations are in one hemisphere. */
static inline int32_t osc_toward(int32_t from, int32_t to, int32_t weight_q15)
{
    return osc_add(from, osc_mul(osc_sub(to >> 5, from >> 5), weight_q15) >> 10);
}

static inline void osc_mix_rotation(osc_quaternion *rotation, const osc_quaternion *with,
                                    int32_t weight_q15)
{
    osc_quaternion *a = rotation;
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

OSC_HOT static inline void osc_unit_rotation(osc_quaternion *rotation)
{
    uint32_t n = osc_squared_length_q31(rotation);
    if (osc_is_unit_q31(n))
        return;
    if (OSC_UNLIKELY(!osc_is_near_unit_q31(n)))
        n = osc_near_unit_q31(rotation);
    int32_t stretch = osc_stretch_q16(n);
    OSC_READ_AGAIN();
    rotation->x = osc_stretched(rotation->x, stretch);
    rotation->y = osc_stretched(rotation->y, stretch);
    rotation->z = osc_stretched(rotation->z, stretch);
    rotation->w = osc_stretched(rotation->w, stretch);
}

#endif

static inline void osc_mix_unit_rotation(osc_quaternion *rotation, const osc_quaternion *with,
                                         int32_t weight_q15)
{
    osc_mix_rotation(rotation, with, weight_q15);
    osc_unit_rotation(rotation);
}

static inline void osc_add_rotation(osc_quaternion *rotation, const osc_quaternion *delta,
                                    int32_t weight_q15)
{
    osc_sum_rotation(rotation, delta, weight_q15);
    osc_unit_rotation(rotation);
}

#ifdef OSC_PORT_MIX_4
#include OSC_PORT_MIX_4
#define OSC_MIXES_4 1 /* to call them is better than one rotation after another */
#else
#define OSC_MIXES_4 0

static inline void osc_unit_4_rotations(osc_quaternion *rotations)
{
    for (uint32_t i = 0; i < 4u; i++)
        osc_unit_rotation(rotations + i);
}

static inline void osc_mix_unit_4_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                            int32_t weight_q15)
{
    for (uint32_t i = 0; i < 4u; i++)
        osc_mix_unit_rotation(rotations + i, with + i, weight_q15);
}

static inline void osc_add_4_rotations(osc_quaternion *rotations, const osc_quaternion *deltas,
                                       int32_t weight_q15)
{
    for (uint32_t i = 0; i < 4u; i++)
        osc_add_rotation(rotations + i, deltas + i, weight_q15);
}

#endif
#endif
