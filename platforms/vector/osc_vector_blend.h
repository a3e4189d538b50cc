/* SPDX-License-Identifier: MIT */
/* Blending on vectors of four 32-bit integers: the same steps as runtime/arithmetic/osc_blend.h,
 * four components at once, and the renormalisers of four rotations at once. OSC_PORT_VECTORS names
 * the header with a port's vectors:
 *
 *   osc_v4                        four lanes of 32 bits
 *   osc_v4_load, osc_v4_store     from and to any address of 32-bit words
 *   osc_v4_load3, osc_v4_store3   the first three lanes; nothing else is read or written
 *   osc_v4_store_vectors          three vectors of four lanes as four of three
 *   osc_v4_all(x), osc_v4_lane(v, i)  x, or lane i, in every lane
 *   osc_v4_add, osc_v4_sub, osc_v4_mul, osc_v4_mul_add(sum, a, b)   modulo 2^32
 *   osc_v4_shl, osc_v4_shr, osc_v4_sar(v, bits)   bits is a constant; shr is logical
 */
#ifndef OSC_VECTOR_BLEND_H
#define OSC_VECTOR_BLEND_H

#include "port/osc_port.h"

#include OSC_PORT_VECTORS

struct osc_blend {
    osc_v4 fraction_q11, sag_q14;
};

static inline osc_blend osc_blend_at(uint32_t fraction_q11)
{
    osc_blend blend;
    blend.fraction_q11 = osc_v4_all(fraction_q11);
    blend.sag_q14 = osc_v4_all((fraction_q11 * (2048u - fraction_q11)) >> 8);
    return blend;
}

static inline osc_v4 osc_v4_lerp(osc_v4 left, osc_v4 right, osc_blend blend)
{
    osc_v4 step = osc_v4_sub(right, left);
    step = osc_v4_mul_add(osc_v4_all(1024u), step, blend.fraction_q11);
    return osc_v4_add(left, osc_v4_sar(step, 11));
}

/* Four renormalisers, Q18. */
static inline osc_v4 osc_v4_renormalisers(osc_v4 chords_q20, osc_blend blend)
{
    osc_v4 half_q15 = osc_v4_all(16384u);
    osc_v4 e = osc_v4_shr(osc_v4_mul_add(osc_v4_all(8192u), chords_q20, blend.sag_q14), 14);
    osc_v4 f = osc_v4_shr(osc_v4_add(e, osc_v4_all(16u)), 5);
    osc_v4 f2 = osc_v4_shr(osc_v4_mul_add(half_q15, f, f), 15);
    osc_v4 f3 = osc_v4_shr(osc_v4_mul_add(half_q15, f2, f), 15);
    osc_v4 first = osc_v4_shr(osc_v4_add(e, osc_v4_all(4u)), 3);
    osc_v4 second = osc_v4_add(osc_v4_add(f2, f2), f2);
    osc_v4 third = osc_v4_shr(osc_v4_add(osc_v4_shl(f3, 2), f3), 1);
    return osc_v4_add(osc_v4_add(first, second), third);
}

static inline void osc_v4_rotation(const int32_t *left, const int32_t *right, osc_v4 renormaliser,
                                   osc_blend blend, osc_quaternion *out)
{
    osc_v4 x = osc_v4_lerp(osc_v4_load(left), osc_v4_load(right), blend);
    osc_v4 more = osc_v4_mul_add(osc_v4_all(4096u), osc_v4_sar(x, 5), renormaliser);
    osc_v4_store(&out->x, osc_v4_add(x, osc_v4_sar(more, 13)));
}

static inline void osc_blend_rotation(const int32_t *left, const int32_t *right, uint32_t chord_q20,
                                      osc_blend blend, osc_quaternion *out)
{
    osc_v4_rotation(left, right, osc_v4_renormalisers(osc_v4_all(chord_q20), blend), blend, out);
}

static inline void osc_blend_vector(const int32_t *left, const int32_t *right, osc_blend blend,
                                    osc_vector *out)
{
    osc_v4_store3(&out->x, osc_v4_lerp(osc_v4_load3(left), osc_v4_load3(right), blend));
}

static inline void osc_blend_4_vectors(const int32_t *left, const int32_t *right, osc_blend blend,
                                       osc_vector *out0, osc_vector *out1, osc_vector *out2,
                                       osc_vector *out3)
{
    osc_v4 v0 = osc_v4_lerp(osc_v4_load(left), osc_v4_load(right), blend);
    osc_v4 v1 = osc_v4_lerp(osc_v4_load(left + 4), osc_v4_load(right + 4), blend);
    osc_v4 v2 = osc_v4_lerp(osc_v4_load(left + 8), osc_v4_load(right + 8), blend);
    osc_v4_store_vectors(v0, v1, v2, out0, out1, out2, out3);
}

#endif
