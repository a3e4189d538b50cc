/* The arithmetic between two key rows: blending them, and the chords of their rotations. The
 * generic evaluator, the codecs and the scalar backend are made of it; every other backend must
 * give the same bits. SPEC.md states it as formulas. */
#ifndef OSC_BLEND_H
#define OSC_BLEND_H

#include "osc_fixed.h"
#include "ossicle.h"

/* What one position inside a frame means for every track: computed once per pose. */
typedef struct osc_blend {
    int32_t fraction_q11; /* a, 0..2047 */
    uint32_t sag_q14;     /* a * (1 - a): how far the chord dips below the sphere at a */
} osc_blend;

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

static inline uint32_t osc_squared_step(int32_t left, int32_t right)
{
    int32_t part = osc_sub(right, left) >> 5;
    return (uint32_t)osc_mul(part, part);
}

/* The squared chord between two quaternions, Q20; below 3 * 2^18 within a pair that blends. */
static inline uint32_t osc_chord_q20(const int32_t left[4], const int32_t right[4])
{
    uint32_t sum = osc_squared_step(left[0], right[0]) + osc_squared_step(left[1], right[1]);
    sum += osc_squared_step(left[2], right[2]);
    return (sum + osc_squared_step(left[3], right[3])) >> 10;
}

/* Stores a rotation. Returns its chord from another, like osc_chord_q20. */
static inline uint32_t osc_store_rotation(int32_t row[4], const int32_t previous[4], int32_t x,
                                          int32_t y, int32_t z, int32_t w)
{
    row[0] = x;
    row[1] = y;
    row[2] = z;
    row[3] = w;
    uint32_t sum = osc_squared_step(previous[0], x) + osc_squared_step(previous[1], y);
    sum += osc_squared_step(previous[2], z);
    return (sum + osc_squared_step(previous[3], w)) >> 10;
}

/* Whether the shortest way from one quaternion leads to the other, not to its negative. Three bits
 * a component tell swings below 100 degrees from the way round, and nothing can wrap: equal rows
 * are in the same hemisphere, whatever they hold. */
static inline bool osc_same_hemisphere(const int32_t left[4], const int32_t right[4])
{
    int32_t dot = 0;
    for (int i = 0; i < 4; i++)
        dot += (left[i] >> 17) * (right[i] >> 17);
    return dot >= 0;
}

/* 1 / sqrt(1 - e) - 1 in Q18, where e is what the chord takes off the squared length at this
 * fraction: e + three terms of the series, exact enough for e < 0.19 (a swing of 100 degrees). */
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

/* Blends one rotation lane: normalised linear interpolation, no root. */
static inline void osc_blend_rotation(const int32_t left[4], const int32_t right[4],
                                      uint32_t chord_q20, osc_blend blend, osc_quaternion *out)
{
    uint32_t r = osc_renormaliser_q18(chord_q20, blend);
    out->x = osc_lerp_unit(left[0], right[0], blend, r);
    out->y = osc_lerp_unit(left[1], right[1], blend, r);
    out->z = osc_lerp_unit(left[2], right[2], blend, r);
    out->w = osc_lerp_unit(left[3], right[3], blend, r);
}

/* Blends one translation or scale lane. */
static inline void osc_blend_vector(const int32_t left[3], const int32_t right[3], osc_blend blend,
                                    osc_vector *out)
{
    out->x = osc_lerp(left[0], right[0], blend);
    out->y = osc_lerp(left[1], right[1], blend);
    out->z = osc_lerp(left[2], right[2], blend);
}

#endif
