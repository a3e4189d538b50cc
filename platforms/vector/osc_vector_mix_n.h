/* SPDX-License-Identifier: MIT */
/* The steps of osc_vector_mix.h on vectors of OSC_LANES 32-bit integers, 4 or 8, which includes
 * this header for each width. OSC_V(x) is osc_v4_x or osc_v8_x, and OSC_VECTOR the type.
 *
 * A vector of eight lanes has two rotations; OSC_V(lane), OSC_V(sums) and OSC_V(transpose) then
 * operate on each half alone. So a group, OSC_LANES rotations in four vectors, gives the lanes of
 * its first, third, fifth and seventh rotation in lower halves, and the others in upper ones. */

/* Vector i of a group, of an array of rotations. */
#define OSC_LOAD(rotations, i) OSC_V(load)(&(rotations)[(i) * (OSC_LANES / 4)].x)
#define OSC_STORE(rotations, i, v) OSC_V(store)(&(rotations)[(i) * (OSC_LANES / 4)].x, v)

/* v rounded half up. bits: a constant */
#define OSC_HALF_UP(v, bits) OSC_V(sar)(OSC_V(add)(v, OSC_V(all)(1u << ((bits)-1))), bits)

/* ---- squared lengths of rotations, and their stretches ---- */

static inline OSC_VECTOR OSC_V(squares_q31)(OSC_VECTOR q)
{
    OSC_VECTOR high = OSC_V(sar)(q, 8);
    return OSC_V(mul)(high, OSC_V(sub)(q, OSC_V(shl)(high, 7)));
}

/* Returns whether osc_stretch_q16 cannot take a squared length, and whether it is not that of a
 * unit rotation. Comparisons have signs: the bounds are shifted to where that makes no difference.
 */
static inline OSC_VECTOR OSC_V(is_far)(OSC_VECTOR n)
{
    const uint32_t last = OSC_STRETCH_END_Q31 - OSC_STRETCH_LEAST_Q31 - 1u;
    OSC_VECTOR from_least = OSC_V(sub)(n, OSC_V(all)(OSC_STRETCH_LEAST_Q31 + 0x80000000u));
    return OSC_V(greater)(from_least, OSC_V(all)(last + 0x80000000u));
}

static inline OSC_VECTOR OSC_V(not_unit)(OSC_VECTOR n)
{
    const uint32_t from = OSC_UNIT_Q31 - OSC_UNIT_BAND_Q31, last = 2u * OSC_UNIT_BAND_Q31 - 1u;
    return OSC_V(greater)(OSC_V(sub)(n, OSC_V(all)(from + 0x80000000u)),
                          OSC_V(all)(last + 0x80000000u));
}

/* osc_stretch_q16 of each lane. */
static inline OSC_VECTOR OSC_V(stretch_q16)(OSC_VECTOR u)
{
    OSC_VECTOR y = OSC_V(sar)(OSC_V(mul)(OSC_V(all)(OSC_STRETCH_C5_Q15), u), 15);
    y = OSC_V(add)(y, OSC_V(all)((uint32_t)OSC_STRETCH_C4));
    y = OSC_V(add)(OSC_V(sar)(OSC_V(mul)(y, u), 16), OSC_V(all)(OSC_STRETCH_C3));
    y = OSC_V(add)(OSC_V(sar)(OSC_V(mul)(y, u), 16), OSC_V(all)(OSC_STRETCH_C2));
    y = OSC_V(add)(OSC_V(sar)(OSC_V(mul)(y, u), 16), OSC_V(all)(OSC_STRETCH_C1));
    y = OSC_V(add)(OSC_V(sar)(OSC_V(mul)(y, u), 16), OSC_V(all)(OSC_STRETCH_C0));
    return OSC_HALF_UP(OSC_V(mul)(y, u), 16);
}

/* osc_stretch_q16 of one minus squared lengths; 0 for unit rotations. */
static inline OSC_VECTOR OSC_V(stretch_of)(OSC_VECTOR n)
{
    OSC_VECTOR u = OSC_V(sar)(OSC_V(sub)(OSC_V(all)(OSC_UNIT_Q31 + (1u << 14)), n), 15);
    return OSC_V(and)(OSC_V(stretch_q16)(u), OSC_V(not_unit)(n));
}

/* osc_mix_stretch_q16 of each lane. */
static inline OSC_VECTOR OSC_V(mix_stretch_q16)(OSC_VECTOR apart, int32_t weight_q15)
{
    OSC_VECTOR sag = OSC_V(all)((uint32_t)osc_sag_q15(weight_q15));
    return OSC_V(stretch_q16)(OSC_HALF_UP(OSC_V(mul)(apart, sag), 15));
}

/* osc_dot_stretch_q16 of each lane, for dot products that are not negative. */
static inline OSC_VECTOR OSC_V(dot_stretch_q16)(OSC_VECTOR sizes, int32_t weight_q15)
{
    OSC_VECTOR apart = OSC_V(sub)(OSC_V(all)(1u << 30), sizes);
    OSC_VECTOR is_far = OSC_V(greater)(apart, OSC_V(all)(OSC_NEAR_Q30 - 1));
    return OSC_V(mix_stretch_q16)(OSC_V(and)(OSC_V(sar)(apart, 14), is_far), weight_q15);
}

/* ---- steps towards rotations ---- */

/* The terms whose sum gives the sign for osc_mix_rotations. */
static inline OSC_VECTOR OSC_V(signs)(OSC_VECTOR from, OSC_VECTOR to)
{
    return OSC_V(mul)(OSC_V(sar)(to, 10), from);
}

static inline OSC_VECTOR OSC_V(step)(OSC_VECTOR from, OSC_VECTOR to, OSC_VECTOR weight_q15)
{
    OSC_VECTOR step = OSC_V(mul)(OSC_V(sar)(OSC_V(sub)(to, from), 5), weight_q15);
    return OSC_V(add)(from, OSC_V(sar)(step, 10));
}

/* Most rotations of two poses are in one hemisphere; the others cost more. */
static inline void OSC_V(step_group)(osc_quaternion *rotations, const osc_quaternion *with,
                                     int32_t weight_q15)
{
    OSC_VECTOR weight = OSC_V(all)((uint32_t)weight_q15);
    OSC_VECTOR a0 = OSC_LOAD(rotations, 0), b0 = OSC_LOAD(with, 0);
    OSC_VECTOR a1 = OSC_LOAD(rotations, 1), b1 = OSC_LOAD(with, 1);
    OSC_VECTOR a2 = OSC_LOAD(rotations, 2), b2 = OSC_LOAD(with, 2);
    OSC_VECTOR a3 = OSC_LOAD(rotations, 3), b3 = OSC_LOAD(with, 3);
    OSC_VECTOR signs = OSC_V(sums)(OSC_V(signs)(a0, b0), OSC_V(signs)(a1, b1), OSC_V(signs)(a2, b2),
                                   OSC_V(signs)(a3, b3));
    if (OSC_UNLIKELY(OSC_V(any_negative)(signs))) {
        b0 = OSC_V(flip)(b0, OSC_V(lane)(signs, 0));
        b1 = OSC_V(flip)(b1, OSC_V(lane)(signs, 1));
        b2 = OSC_V(flip)(b2, OSC_V(lane)(signs, 2));
        b3 = OSC_V(flip)(b3, OSC_V(lane)(signs, 3));
    }
    OSC_STORE(rotations, 0, OSC_V(step)(a0, b0, weight));
    OSC_STORE(rotations, 1, OSC_V(step)(a1, b1, weight));
    OSC_STORE(rotations, 2, OSC_V(step)(a2, b2, weight));
    OSC_STORE(rotations, 3, OSC_V(step)(a3, b3, weight));
}

/* ---- unit rotations ---- */

/* Unit mixes take the second rotation with the half for rounding to Q15, once for all. */
static inline OSC_VECTOR OSC_V(with_half)(OSC_VECTOR with)
{
    return OSC_V(add)(with, OSC_V(all)(16u));
}

static inline OSC_VECTOR OSC_V(products)(OSC_VECTOR from, OSC_VECTOR to_half)
{
    return OSC_V(mul)(OSC_V(sar)(to_half, 5), OSC_V(sar)(from, 5));
}

static inline OSC_VECTOR OSC_V(mixed)(OSC_VECTOR from, OSC_VECTOR to_half, OSC_VECTOR weight_q15,
                                      OSC_VECTOR stretch_q16)
{
    OSC_VECTOR step = OSC_V(mul)(OSC_V(sar)(OSC_V(sub)(to_half, from), 5), weight_q15);
    OSC_VECTOR mixed = OSC_V(add)(OSC_V(sar)(step, 10), from);
    return OSC_V(add)(OSC_V(sar)(OSC_V(mul)(OSC_V(sar)(mixed, 4), stretch_q16), 12), mixed);
}

/* Returns the same for the opposite rotation where a dot product is negative. */
static inline OSC_VECTOR OSC_V(turned)(OSC_VECTOR to_half, OSC_VECTOR dot)
{
    OSC_VECTOR both_halves = OSC_V(and)(OSC_V(sar)(dot, 31), OSC_V(all)(32u));
    return OSC_V(add)(OSC_V(flip)(to_half, dot), both_halves);
}

static inline void OSC_V(mix_unit_group)(osc_quaternion *rotations, const osc_quaternion *with,
                                         int32_t weight_q15)
{
    OSC_VECTOR weight = OSC_V(all)((uint32_t)weight_q15);
    OSC_VECTOR a0 = OSC_LOAD(rotations, 0), b0 = OSC_V(with_half)(OSC_LOAD(with, 0));
    OSC_VECTOR a1 = OSC_LOAD(rotations, 1), b1 = OSC_V(with_half)(OSC_LOAD(with, 1));
    OSC_VECTOR a2 = OSC_LOAD(rotations, 2), b2 = OSC_V(with_half)(OSC_LOAD(with, 2));
    OSC_VECTOR a3 = OSC_LOAD(rotations, 3), b3 = OSC_V(with_half)(OSC_LOAD(with, 3));
    OSC_VECTOR dots = OSC_V(sums)(OSC_V(products)(a0, b0), OSC_V(products)(a1, b1),
                                  OSC_V(products)(a2, b2), OSC_V(products)(a3, b3));
    if (OSC_UNLIKELY(OSC_V(any_negative)(dots))) {
        b0 = OSC_V(turned)(b0, OSC_V(lane)(dots, 0));
        b1 = OSC_V(turned)(b1, OSC_V(lane)(dots, 1));
        b2 = OSC_V(turned)(b2, OSC_V(lane)(dots, 2));
        b3 = OSC_V(turned)(b3, OSC_V(lane)(dots, 3));
        dots = OSC_V(flip)(dots, dots);
    }
    OSC_VECTOR stretch = OSC_V(dot_stretch_q16)(dots, weight_q15);
    OSC_STORE(rotations, 0, OSC_V(mixed)(a0, b0, weight, OSC_V(lane)(stretch, 0)));
    OSC_STORE(rotations, 1, OSC_V(mixed)(a1, b1, weight, OSC_V(lane)(stretch, 1)));
    OSC_STORE(rotations, 2, OSC_V(mixed)(a2, b2, weight, OSC_V(lane)(stretch, 2)));
    OSC_STORE(rotations, 3, OSC_V(mixed)(a3, b3, weight, OSC_V(lane)(stretch, 3)));
}

static inline void OSC_V(unit_group)(osc_quaternion *rotations)
{
    OSC_VECTOR q0 = OSC_LOAD(rotations, 0), q1 = OSC_LOAD(rotations, 1);
    OSC_VECTOR q2 = OSC_LOAD(rotations, 2), q3 = OSC_LOAD(rotations, 3);
    OSC_VECTOR n = OSC_V(sums)(OSC_V(squares_q31)(q0), OSC_V(squares_q31)(q1),
                               OSC_V(squares_q31)(q2), OSC_V(squares_q31)(q3));
    if (OSC_UNLIKELY(OSC_V(any)(OSC_V(is_far)(n)))) {
        osc_unit_each_rotation(rotations, OSC_LANES);
        return;
    }
    OSC_VECTOR factors = OSC_V(factor)(OSC_V(stretch_of)(n));
    OSC_STORE(rotations, 0, OSC_V(add)(q0, OSC_V(scale)(q0, OSC_V(lane)(factors, 0))));
    OSC_STORE(rotations, 1, OSC_V(add)(q1, OSC_V(scale)(q1, OSC_V(lane)(factors, 1))));
    OSC_STORE(rotations, 2, OSC_V(add)(q2, OSC_V(scale)(q2, OSC_V(lane)(factors, 2))));
    OSC_STORE(rotations, 3, OSC_V(add)(q3, OSC_V(scale)(q3, OSC_V(lane)(factors, 3))));
}

/* ---- additive rotations ---- */

static inline OSC_VECTOR OSC_V(part)(OSC_VECTOR x, OSC_VECTOR part)
{
    return OSC_HALF_UP(OSC_V(mul)(OSC_HALF_UP(x, 5), part), 15);
}

#ifndef osc_v4_load_columns /* the components of a group: a vector each */
static inline void OSC_V(load_columns)(const osc_quaternion *rotations, OSC_VECTOR columns[4])
{
    columns[0] = OSC_LOAD(rotations, 0);
    columns[1] = OSC_LOAD(rotations, 1);
    columns[2] = OSC_LOAD(rotations, 2);
    columns[3] = OSC_LOAD(rotations, 3);
    OSC_V(transpose)(columns);
}

static inline void OSC_V(store_columns)(osc_quaternion *rotations, OSC_VECTOR columns[4])
{
    OSC_V(transpose)(columns);
    OSC_STORE(rotations, 0, columns[0]);
    OSC_STORE(rotations, 1, columns[1]);
    OSC_STORE(rotations, 2, columns[2]);
    OSC_STORE(rotations, 3, columns[3]);
}
#endif

/* The sums of osc_add_rotation with a vector for each component. */
static inline void OSC_V(add_group)(osc_quaternion *rotations, const osc_quaternion *deltas,
                                    int32_t weight_q15)
{
    OSC_VECTOR e[4], q[4], d[4];
    OSC_V(load_columns)(deltas, e);
    OSC_VECTOR apart = OSC_V(sub)(OSC_V(all)((uint32_t)OSC_ONE_Q20), OSC_V(flip)(e[3], e[3]));
    OSC_VECTOR weight = OSC_V(all)((uint32_t)weight_q15);
    OSC_VECTOR stretch = OSC_V(mix_stretch_q16)(OSC_V(sar)(apart, 4), weight_q15);
    OSC_VECTOR part = OSC_V(add)(OSC_HALF_UP(OSC_V(mul)(stretch, weight), 16), weight);
    OSC_VECTOR less = OSC_V(sub)(OSC_HALF_UP(stretch, 1), part);
    part = OSC_V(flip)(part, e[3]);
    e[0] = OSC_V(part)(e[0], part);
    e[1] = OSC_V(part)(e[1], part);
    e[2] = OSC_V(part)(e[2], part);
    e[3] = OSC_V(add)(OSC_V(part)(e[3], part), less);
    OSC_V(load_columns)(rotations, q);
    OSC_VECTOR x = OSC_HALF_UP(q[0], 5), y = OSC_HALF_UP(q[1], 5);
    OSC_VECTOR z = OSC_HALF_UP(q[2], 5), w = OSC_HALF_UP(q[3], 5);
    d[0] = OSC_V(add)(OSC_V(mul)(w, e[0]), OSC_V(mul)(x, e[3]));
    d[0] = OSC_V(add)(d[0], OSC_V(sub)(OSC_V(mul)(y, e[2]), OSC_V(mul)(z, e[1])));
    d[1] = OSC_V(add)(OSC_V(mul)(w, e[1]), OSC_V(mul)(y, e[3]));
    d[1] = OSC_V(add)(d[1], OSC_V(sub)(OSC_V(mul)(z, e[0]), OSC_V(mul)(x, e[2])));
    d[2] = OSC_V(add)(OSC_V(mul)(w, e[2]), OSC_V(mul)(z, e[3]));
    d[2] = OSC_V(add)(d[2], OSC_V(sub)(OSC_V(mul)(x, e[1]), OSC_V(mul)(y, e[0])));
    d[3] = OSC_V(sub)(OSC_V(mul)(w, e[3]), OSC_V(mul)(x, e[0]));
    d[3] = OSC_V(sub)(d[3], OSC_V(add)(OSC_V(mul)(y, e[1]), OSC_V(mul)(z, e[2])));
    q[0] = OSC_V(add)(q[0], OSC_V(sar)(d[0], 10));
    q[1] = OSC_V(add)(q[1], OSC_V(sar)(d[1], 10));
    q[2] = OSC_V(add)(q[2], OSC_V(sar)(d[2], 10));
    q[3] = OSC_V(add)(q[3], OSC_V(sar)(d[3], 10));
    OSC_V(store_columns)(rotations, q);
}

/* ---- words of vectors: a result for a word and the word with which it is mixed ---- */

#ifndef osc_v4_weighted /* osc_weighted of each lane */
static inline OSC_VECTOR OSC_V(weighted)(OSC_VECTOR x, OSC_VECTOR weight_q15)
{
    OSC_VECTOR high = OSC_V(mul)(OSC_V(sar)(x, 15), weight_q15);
    OSC_VECTOR low = OSC_V(mul)(OSC_V(and)(x, OSC_V(all)(0x7fffu)), weight_q15);
    return OSC_V(add)(high, OSC_V(shr)(OSC_V(add)(low, OSC_V(all)(0x4000u)), 15));
}
#endif

static inline OSC_VECTOR OSC_V(mixed_word)(OSC_VECTOR x, OSC_VECTOR with, OSC_VECTOR weight_q15)
{
    return OSC_V(add)(x, OSC_V(weighted)(OSC_V(sub)(with, x), weight_q15));
}

static inline OSC_VECTOR OSC_V(added_word)(OSC_VECTOR x, OSC_VECTOR delta, OSC_VECTOR weight_q15)
{
    return OSC_V(add)(x, OSC_V(weighted)(delta, weight_q15));
}

/* osc_scaled, with the product in four parts, as in osc_mul_q20. */
static inline OSC_VECTOR OSC_V(scaled_word)(OSC_VECTOR x, OSC_VECTOR factor, OSC_VECTOR weight_q15)
{
    OSC_VECTOR more = OSC_V(sub)(factor, OSC_V(all)((uint32_t)OSC_ONE_Q20));
    more = OSC_V(weighted)(more, weight_q15);
    OSC_VECTOR low_half = OSC_V(all)(0xffffu), fraction = OSC_V(all)(15u);
    OSC_VECTOR xh = OSC_V(sar)(x, 16), xl = OSC_V(and)(x, low_half);
    OSC_VECTOR mh = OSC_V(sar)(more, 16), ml = OSC_V(and)(more, low_half);
    OSC_VECTOR mixed0 = OSC_V(mul)(xh, ml), mixed1 = OSC_V(mul)(mh, xl);
    OSC_VECTOR sixteenths = OSC_V(add)(OSC_V(all)(8u), OSC_V(shr)(OSC_V(mul)(xl, ml), 16));
    sixteenths = OSC_V(add)(sixteenths, OSC_V(and)(mixed0, fraction));
    sixteenths = OSC_V(add)(sixteenths, OSC_V(and)(mixed1, fraction));
    OSC_VECTOR sum = OSC_V(add)(x, OSC_V(shl)(OSC_V(mul)(xh, mh), 12));
    sum = OSC_V(add)(sum, OSC_V(add)(OSC_V(sar)(mixed0, 4), OSC_V(sar)(mixed1, 4)));
    return OSC_V(add)(sum, OSC_V(shr)(sixteenths, 4));
}

typedef OSC_VECTOR OSC_V(word_step)(OSC_VECTOR x, OSC_VECTOR with, OSC_VECTOR weight_q15);

/* Replaces words, at least OSC_LANES. The last vector overlaps the one before it, so that it is
 * computed first. */
OSC_INLINE void OSC_V(step_words)(int32_t *words, const int32_t *with, uint32_t count,
                                  int32_t weight_q15, OSC_V(word_step) * step)
{
    OSC_VECTOR weight = OSC_V(all)((uint32_t)weight_q15);
    int32_t *last = words + count - OSC_LANES;
    OSC_VECTOR end = step(OSC_V(load)(last), OSC_V(load)(with + (last - words)), weight);
    for (; words < last; words += OSC_LANES, with += OSC_LANES)
        OSC_V(store)(words, step(OSC_V(load)(words), OSC_V(load)(with), weight));
    OSC_V(store)(last, end);
}

#undef OSC_LOAD
#undef OSC_STORE
#undef OSC_HALF_UP
