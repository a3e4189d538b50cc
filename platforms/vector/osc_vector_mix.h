/* SPDX-License-Identifier: MIT */
/* Mixing on vectors of four 32-bit integers, or eight: the steps of
 * runtime/arithmetic/osc_mix_arithmetic.h. Steps between two rotations take one vector each; values
 * that follow from a squared length are computed for four rotations together. In addition to the
 * operations of osc_vector_rows.h a port defines:
 *
 *   osc_v4_sum(v)               the sum of all lanes, in every lane
 *   osc_v4_any(mask)            whether a lane is not zero; lanes are all ones or zero
 *   osc_v4_any_negative(v)      whether a lane is negative
 *   osc_v4_flip(v, sign)        -v where the lane of `sign` is negative
 *   osc_v4_factor(g)            the factor for osc_v4_scale, for |g| < 2^15
 *   osc_v4_scale(v, factor)     floor(v * g / 2^16)
 *
 * and may define:
 *
 *   osc_v4_weighted(x, weight)  osc_weighted of each lane, as a macro
 *   osc_v4_load_columns(rotations, v), osc_v4_store_columns(rotations, v)
 *                               four rotations from and to a vector for each component, as macros
 *   OSC_V8                      whether it has vectors of eight, with operations osc_v8_, too:
 *                               those that osc_vector_mix_n.h calls */
#ifndef OSC_VECTOR_MIX_H
#define OSC_VECTOR_MIX_H

#include "port/osc_port.h"

#include OSC_PORT_VECTORS

#define OSC_LANES 4
#define OSC_VECTOR osc_v4
#define OSC_V(operation) osc_v4_##operation
#include "osc_vector_mix_n.h"
#undef OSC_LANES
#undef OSC_VECTOR
#undef OSC_V

/* Calls a function for as many whole groups of rotations as fit in `count`. */
#define OSC_GROUPS(lanes, function, ...)                                                           \
    for (; count >= (lanes); count -= (lanes), rotations += (lanes), with += (lanes))              \
    function(__VA_ARGS__)

#ifdef OSC_V8
#define OSC_LANES 8
#define OSC_VECTOR osc_v8
#define OSC_V(operation) osc_v8_##operation
#include "osc_vector_mix_n.h"
#undef OSC_LANES
#undef OSC_VECTOR
#undef OSC_V
#define OSC_ALL_GROUPS(name, ...)                                                                  \
    OSC_GROUPS(8u, osc_v8_##name, __VA_ARGS__);                                                    \
    OSC_GROUPS(4u, osc_v4_##name, __VA_ARGS__)
#else
#define OSC_ALL_GROUPS(name, ...) OSC_GROUPS(4u, osc_v4_##name, __VA_ARGS__)
#endif

/* ---- rotations ---- */

static inline void osc_mix_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                     uint32_t count, int32_t weight_q15)
{
    OSC_ALL_GROUPS(step_group, rotations, with, weight_q15);
    osc_v4 weight = osc_v4_all((uint32_t)weight_q15);
    for (; count != 0u; count--, rotations++, with++) {
        osc_v4 from = osc_v4_load(&rotations->x), to = osc_v4_load(&with->x);
        to = osc_v4_flip(to, osc_v4_sum(osc_v4_signs(from, to)));
        osc_v4_store(&rotations->x, osc_v4_step(from, to, weight));
    }
}

static inline void osc_mix_unit_rotation(osc_quaternion *rotation, const osc_quaternion *with,
                                         int32_t weight_q15)
{
    osc_v4 a = osc_v4_load(&rotation->x), b = osc_v4_with_half(osc_v4_load(&with->x));
    osc_v4 dot = osc_v4_sum(osc_v4_products(a, b)), weight = osc_v4_all((uint32_t)weight_q15);
    osc_v4 stretch = osc_v4_dot_stretch_q16(osc_v4_flip(dot, dot), weight_q15);
    osc_v4_store(&rotation->x, osc_v4_mixed(a, osc_v4_turned(b, dot), weight, stretch));
}

static inline void osc_mix_unit_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                          uint32_t count, int32_t weight_q15)
{
    OSC_ALL_GROUPS(mix_unit_group, rotations, with, weight_q15);
    for (; count != 0u; count--)
        osc_mix_unit_rotation(rotations++, with++, weight_q15);
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

static inline void osc_unit_rotations(osc_quaternion *rotations, uint32_t count)
{
    const osc_quaternion *with = rotations;
    OSC_ALL_GROUPS(unit_group, rotations);
    (void)with;
    for (; count != 0u; count--)
        osc_unit_rotation(rotations++);
}

static inline void osc_add_rotations(osc_quaternion *rotations, const osc_quaternion *deltas,
                                     uint32_t count, int32_t weight_q15)
{
    const osc_quaternion *with = deltas;
    OSC_ALL_GROUPS(add_group, rotations, with, weight_q15);
    for (; count != 0u; count--)
        osc_add_rotation(rotations++, with++, weight_q15);
}

/* ---- translations and scales ---- */

/* Steps of vectors: their words follow each other. */
#ifdef OSC_V8
#define OSC_STEP_LONG(step)                                                                        \
    if (count >= 3u) {                                                                             \
        osc_v8_step_words(&vectors->x, &with->x, 3u * count, weight_q15, osc_v8_##step);           \
        return;                                                                                    \
    }
#else
#define OSC_STEP_LONG(step)
#endif
#define OSC_STEP_VECTORS(step)                                                                     \
    OSC_STEP_LONG(step)                                                                            \
    if (count >= 2u) {                                                                             \
        osc_v4_step_words(&vectors->x, &with->x, 3u * count, weight_q15, osc_v4_##step);           \
    } else {                                                                                       \
        osc_v4 x = osc_v4_load3(&vectors->x), weight = osc_v4_all((uint32_t)weight_q15);           \
        osc_v4_store3(&vectors->x, osc_v4_##step(x, osc_v4_load3(&with->x), weight));              \
    }

OSC_INLINE void osc_mix_vectors(osc_vector *vectors, const osc_vector *with, uint32_t count,
                                int32_t weight_q15){OSC_STEP_VECTORS(mixed_word)}

OSC_INLINE void osc_add_vectors(osc_vector *vectors, const osc_vector *with, uint32_t count,
                                int32_t weight_q15){OSC_STEP_VECTORS(added_word)}

OSC_INLINE void osc_add_scales(osc_vector *vectors, const osc_vector *with, uint32_t count,
                               int32_t weight_q15)
{
    OSC_STEP_VECTORS(scaled_word)
}

#undef OSC_GROUPS
#undef OSC_ALL_GROUPS
#undef OSC_STEP_LONG
#undef OSC_STEP_VECTORS
#endif
