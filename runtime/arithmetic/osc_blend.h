/* SPDX-License-Identifier: MIT */
/* The definition of blending, for ports that do not replace it (osc_port.h). SPEC.md states it as
 * formulas. */
#ifndef OSC_BLEND_H
#define OSC_BLEND_H

#ifndef OSC_PORT_H
#error "osc_port.h includes this header; include that one"
#endif

#ifndef OSC_PORT_BLEND

struct osc_blend {
    int32_t fraction_q11; /* a, 0..2047 */
    uint32_t sag_q14;     /* a * (1 - a): the depth of the chord below the sphere at a */
};

static inline osc_blend osc_blend_at(uint32_t fraction_q11)
{
    osc_blend blend;
    blend.fraction_q11 = (int32_t)fraction_q11;
    blend.sag_q14 = (fraction_q11 * (2048u - fraction_q11)) >> 8;
    return blend;
}

/* left + (right - left) * a, rounded half up. Exact for |right - left| < 2^20. */
static inline int32_t osc_lerp(int32_t left, int32_t right, osc_blend blend)
{
    int32_t step = osc_mul(osc_sub(right, left), blend.fraction_q11);
    return osc_add(left, osc_add(step, 1024) >> 11);
}

/* 1 / sqrt(1 - e) - 1 in Q18, where e is the loss of squared length on the chord at this fraction:
 * e + three terms of the series, exact enough for e < 0.19 (a swing of 100 degrees). */
static inline uint32_t osc_renormaliser_q18(uint32_t chord_q20, osc_blend blend)
{
    uint32_t e = (chord_q20 * blend.sag_q14 + 8192u) >> 14;
    uint32_t f = (e + 16u) >> 5;
    uint32_t f2 = (f * f + 16384u) >> 15;
    uint32_t f3 = (f2 * f + 16384u) >> 15;
    return ((e + 4u) >> 3) + 3u * f2 + ((5u * f3) >> 1);
}

static inline int32_t osc_lerp_unit(int32_t left, int32_t right, osc_blend blend,
                                    uint32_t renormaliser_q18)
{
    int32_t x = osc_lerp(left, right, blend);
    int32_t stretch = osc_mul(x >> 5, (int32_t)renormaliser_q18);
    return osc_add(x, osc_add(stretch, 4096) >> 13);
}

static inline void osc_blend_rotation(const int32_t *left, const int32_t *right, uint32_t chord_q20,
                                      osc_blend blend, osc_quaternion *out)
{
    uint32_t r = osc_renormaliser_q18(chord_q20, blend);
    out->x = osc_lerp_unit(left[0], right[0], blend, r);
    out->y = osc_lerp_unit(left[1], right[1], blend, r);
    out->z = osc_lerp_unit(left[2], right[2], blend, r);
    out->w = osc_lerp_unit(left[3], right[3], blend, r);
}

static inline void osc_blend_vector(const int32_t *left, const int32_t *right, osc_blend blend,
                                    osc_vector *out)
{
    out->x = osc_lerp(left[0], right[0], blend);
    out->y = osc_lerp(left[1], right[1], blend);
    out->z = osc_lerp(left[2], right[2], blend);
}

#endif
#ifndef OSC_PORT_BLEND_4

static inline void osc_blend_4_rotations(const int32_t *left, const int32_t *right,
                                         const uint32_t *chords_q20, osc_blend blend,
                                         osc_quaternion *out0, osc_quaternion *out1,
                                         osc_quaternion *out2, osc_quaternion *out3)
{
    osc_blend_rotation(left, right, chords_q20[0], blend, out0);
    osc_blend_rotation(left + 4, right + 4, chords_q20[1], blend, out1);
    osc_blend_rotation(left + 8, right + 8, chords_q20[2], blend, out2);
    osc_blend_rotation(left + 12, right + 12, chords_q20[3], blend, out3);
}

static inline void osc_blend_4_vectors(const int32_t *left, const int32_t *right, osc_blend blend,
                                       osc_vector *out0, osc_vector *out1, osc_vector *out2,
                                       osc_vector *out3)
{
    osc_blend_vector(left, right, blend, out0);
    osc_blend_vector(left + 3, right + 3, blend, out1);
    osc_blend_vector(left + 6, right + 6, blend, out2);
    osc_blend_vector(left + 9, right + 9, blend, out3);
}

#endif
#endif
