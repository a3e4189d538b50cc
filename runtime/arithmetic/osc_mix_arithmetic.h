/* The arithmetic of mixing poses: the port contract, as in osc_port.h, and its definition in plain
 * C with 32-bit products. SPEC.md 16 states it as formulas.
 *
 * A platform that replaces operations names the header that has them in osc_port_config.h:
 *
 *   OSC_PORT_MIX    osc_mix_rotation, osc_unit_rotation, osc_mix_unit_rotation, osc_add_rotation
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

/* ---- four rotations that follow each other in a pose; weights_q15: one each ---- */

static inline void osc_unit_4_rotations(osc_quaternion *rotations);
static inline void osc_mix_unit_4_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                            const int32_t *weights_q15);
static inline void osc_add_4_rotations(osc_quaternion *rotations, const osc_quaternion *deltas,
                                       const int32_t *weights_q15);

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

#define OSC_UNIT_Q31 (1u << 31)
#define OSC_UNIT_BAND_Q31 (1u << 17) /* squared lengths this near to one are left */
#define OSC_UNIT_LEAST_Q31 (1u << 29)
#define OSC_UNIT_MOST_Q31 (OSC_UNIT_Q31 + (1u << 26))

/* 1 / sqrt(n) is a cubic of n in Q13, right to 0.8 %, of which 7 bits are kept. The last constant
 * has the half for rounding, and is tuned with what follows. */
#define OSC_UNIT_C0 25328
#define OSC_UNIT_C1 47210
#define OSC_UNIT_C2 48711
#define OSC_UNIT_C3 18619

/* A component's part of the squared length in Q31: with h = q >> 8 and q = h * 2^8 + r it is
 * h^2 * 2^7 + h * r; what is missing, r^2 / 2^9, is below 2^-24. */
static inline uint32_t osc_square_q31(int32_t q)
{
    int32_t high = q >> 8;
    return (uint32_t)osc_mul(high, osc_sub(q, osc_shl(high, 7)));
}

static inline uint32_t osc_squared_length_q31(const osc_quaternion *q)
{
    return osc_square_q31(q->x) + osc_square_q31(q->y) + osc_square_q31(q->z) +
           osc_square_q31(q->w);
}

static inline bool osc_is_unit_q31(uint32_t n)
{
    return n - (OSC_UNIT_Q31 - OSC_UNIT_BAND_Q31) <= 2u * OSC_UNIT_BAND_Q31;
}

/* Whether osc_stretch_q16 can take the squared length. */
static inline bool osc_is_near_unit_q31(uint32_t n)
{
    return n - OSC_UNIT_LEAST_Q31 < OSC_UNIT_MOST_Q31 - OSC_UNIT_LEAST_Q31;
}

/* 1 / sqrt(n) - 1 in Q16, for n from OSC_UNIT_LEAST_Q31 to OSC_UNIT_MOST_Q31. The estimate y has
 * so few bits that e = 1 - n * y^2 keeps its own where the product wraps: |e| < 2^-5. Two terms of
 * the series do the rest: y * (1 + e / 2 + 3 / 8 e^2). */
static inline int32_t osc_stretch_q16(uint32_t n)
{
    uint32_t k = n >> 16; /* Q15 */
    uint32_t y = OSC_UNIT_C2 - ((OSC_UNIT_C3 * k) >> 15);
    y = OSC_UNIT_C1 - ((y * k) >> 15);
    y = (OSC_UNIT_C0 - ((y * k) >> 15)) >> 6;            /* Q7 */
    int32_t e = (int32_t)(0u - y * y * (n >> 13)) >> 12; /* Q20 of Q32 */
    int32_t twice = osc_add(e, osc_mul(osc_mul(e, e), 3) >> 22);
    int32_t more = osc_add(osc_mul((int32_t)y, twice), 2048) >> 12; /* Q16 of Q28 */
    return osc_add(osc_shl((int32_t)y - 128, 9), more);
}

static inline int32_t osc_stretched(int32_t q, int32_t stretch_q16)
{
    int32_t more = osc_mul(osc_half_up(q, 5), stretch_q16);
    return osc_add(q, osc_half_up(more, 11));
}

/* Makes any four numbers a quaternion that osc_stretch_q16 can take, with shifts, and 0 0 0 1 of
 * zeros. Returns its squared length in Q31. Out of line: mixing calls it for swings beyond 120
 * degrees, and for rotations that nobody normalised. */
uint32_t osc_near_unit_q31(osc_quaternion *rotation);

#ifdef OSC_PORT_MIX
#include OSC_PORT_MIX
#else

static inline void osc_mix_rotation(osc_quaternion *rotation, const osc_quaternion *with,
                                    int32_t weight_q15)
{
    int32_t ax = rotation->x, ay = rotation->y, az = rotation->z, aw = rotation->w;
    int32_t bx = with->x, by = with->y, bz = with->z, bw = with->w;
    int32_t dot = osc_add(osc_mul(ax >> 5, bx >> 5), osc_mul(ay >> 5, by >> 5));
    dot = osc_add(dot, osc_add(osc_mul(az >> 5, bz >> 5), osc_mul(aw >> 5, bw >> 5)));
    if (dot < 0) {
        bx = osc_sub(0, bx);
        by = osc_sub(0, by);
        bz = osc_sub(0, bz);
        bw = osc_sub(0, bw);
    }
    rotation->x = osc_add(ax, osc_mul(osc_sub(bx >> 5, ax >> 5), weight_q15) >> 10);
    rotation->y = osc_add(ay, osc_mul(osc_sub(by >> 5, ay >> 5), weight_q15) >> 10);
    rotation->z = osc_add(az, osc_mul(osc_sub(bz >> 5, az >> 5), weight_q15) >> 10);
    rotation->w = osc_add(aw, osc_mul(osc_sub(bw >> 5, aw >> 5), weight_q15) >> 10);
}

static inline void osc_unit_rotation(osc_quaternion *rotation)
{
    osc_quaternion q = *rotation;
    uint32_t n = osc_squared_length_q31(&q);
    if (osc_is_unit_q31(n))
        return;
    if (OSC_UNLIKELY(!osc_is_near_unit_q31(n))) {
        n = osc_near_unit_q31(rotation);
        q = *rotation;
    }
    int32_t stretch = osc_stretch_q16(n);
    rotation->x = osc_stretched(q.x, stretch);
    rotation->y = osc_stretched(q.y, stretch);
    rotation->z = osc_stretched(q.z, stretch);
    rotation->w = osc_stretched(q.w, stretch);
}

static inline void osc_mix_unit_rotation(osc_quaternion *rotation, const osc_quaternion *with,
                                         int32_t weight_q15)
{
    osc_mix_rotation(rotation, with, weight_q15);
    osc_unit_rotation(rotation);
}

/* base + base * (d - 1), which leaves the base as it is where d is 1. The difference d - 1 is in
 * Q15; so are the factors, and their sum is below 2^31 for a base that is at most unit. */
static inline void osc_add_rotation(osc_quaternion *rotation, const osc_quaternion *delta,
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
    osc_unit_rotation(rotation);
}

#endif
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
                                            const int32_t *weights_q15)
{
    for (uint32_t i = 0; i < 4u; i++)
        osc_mix_unit_rotation(rotations + i, with + i, weights_q15[i]);
}

static inline void osc_add_4_rotations(osc_quaternion *rotations, const osc_quaternion *deltas,
                                       const int32_t *weights_q15)
{
    for (uint32_t i = 0; i < 4u; i++)
        osc_add_rotation(rotations + i, deltas + i, weights_q15[i]);
}

#endif
#endif
