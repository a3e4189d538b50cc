/* The arithmetic of one joint: blending two key rows, and composing with the parent. Both the
 * generic evaluator and the scalar backend are made of these; every other backend must give the
 * same bits. SPEC.md states them as formulas. */
#ifndef OSC_KERNELS_H
#define OSC_KERNELS_H

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

/* The local matrix T * R * S of a joint; scale may be null. */
static inline void osc_local_matrix(const osc_quaternion *rotation, const osc_vector *translation,
                                    const osc_vector *scale, osc_matrix *out)
{
    int32_t x = rotation->x, y = rotation->y, z = rotation->z, w = rotation->w;
    int32_t x2 = osc_add(x, x), y2 = osc_add(y, y), z2 = osc_add(z, z);
    int32_t xx = osc_mul_q20(x, x2), yy = osc_mul_q20(y, y2), zz = osc_mul_q20(z, z2);
    int32_t xy = osc_mul_q20(x, y2), xz = osc_mul_q20(x, z2), yz = osc_mul_q20(y, z2);
    int32_t wx = osc_mul_q20(w, x2), wy = osc_mul_q20(w, y2), wz = osc_mul_q20(w, z2);
    int32_t *m = out->m;
    m[0] = osc_sub(OSC_ONE_Q20, osc_add(yy, zz));
    m[1] = osc_sub(xy, wz);
    m[2] = osc_add(xz, wy);
    m[3] = translation->x;
    m[4] = osc_add(xy, wz);
    m[5] = osc_sub(OSC_ONE_Q20, osc_add(xx, zz));
    m[6] = osc_sub(yz, wx);
    m[7] = translation->y;
    m[8] = osc_sub(xz, wy);
    m[9] = osc_add(yz, wx);
    m[10] = osc_sub(OSC_ONE_Q20, osc_add(xx, yy));
    m[11] = translation->z;
    if (scale != 0) {
        for (int row = 0; row < 12; row += 4) {
            m[row] = osc_mul_q20(m[row], scale->x);
            m[row + 1] = osc_mul_q20(m[row + 1], scale->y);
            m[row + 2] = osc_mul_q20(m[row + 2], scale->z);
        }
    }
}

/* out = parent * local; out may be neither of them. */
static inline void osc_matrix_multiply(const osc_matrix *parent, const osc_matrix *local,
                                       osc_matrix *out)
{
    const int32_t *l = local->m;
    for (int row = 0; row < 12; row += 4) {
        const int32_t *p = parent->m + row;
        for (int column = 0; column < 4; column++)
            out->m[row + column] =
                osc_dot3_q20(p[0], l[column], p[1], l[4 + column], p[2], l[8 + column]);
        out->m[row + 3] = osc_add(out->m[row + 3], p[3]);
    }
}

#endif
