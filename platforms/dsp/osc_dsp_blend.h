/* SPDX-License-Identifier: MIT */
/* Blending for Cortex-M3 and up: the steps of runtime/arithmetic/osc_blend.h. Rounding constants
 * are in registers, as the third operand of a multiply-accumulate, and one instruction loads or
 * stores two words. Compilers do neither. */
#ifndef OSC_DSP_BLEND_H
#define OSC_DSP_BLEND_H

#include "port/osc_port.h"

struct osc_blend {
    int32_t fraction_q11;
    uint32_t sag_q14;
    int32_t half_q11, half_q13;
};

typedef struct osc_pair {
    int32_t a, b;
} osc_pair;

#if defined(__GNUC__) && defined(__thumb2__)

/* A number that is not known when compiling. */
static inline int32_t osc_unknown(int32_t x)
{
    __asm__("" : "+r"(x));
    return x;
}

static inline osc_pair osc_load_pair(const int32_t *words)
{
    osc_pair pair;
    __asm__("ldrd %0, %1, [%2]"
            : "=r"(pair.a), "=r"(pair.b)
            : "r"(words), "m"(*(const osc_pair *)words));
    return pair;
}

static inline void osc_store_pair(int32_t *words, osc_pair pair)
{
    __asm__("strd %1, %2, [%3]" : "=m"(*(osc_pair *)words) : "r"(pair.a), "r"(pair.b), "r"(words));
}

#else

static inline int32_t osc_unknown(int32_t x)
{
    return x;
}

static inline osc_pair osc_load_pair(const int32_t *words)
{
    osc_pair pair = {words[0], words[1]};
    return pair;
}

static inline void osc_store_pair(int32_t *words, osc_pair pair)
{
    words[0] = pair.a;
    words[1] = pair.b;
}

#endif

static inline osc_blend osc_blend_at(uint32_t fraction_q11)
{
    osc_blend blend;
    blend.fraction_q11 = (int32_t)fraction_q11;
    blend.sag_q14 = (fraction_q11 * (2048u - fraction_q11)) >> 8;
    blend.half_q11 = osc_unknown(1024);
    blend.half_q13 = osc_unknown(4096);
    return blend;
}

static inline int32_t osc_lerp(int32_t left, int32_t right, osc_blend blend)
{
    int32_t step = osc_mul(osc_sub(right, left), blend.fraction_q11);
    return osc_add(left, osc_add(step, blend.half_q11) >> 11);
}

static inline int32_t osc_lerp_unit(int32_t left, int32_t right, osc_blend blend,
                                    uint32_t renormaliser_q18)
{
    int32_t x = osc_lerp(left, right, blend);
    int32_t stretch = osc_mul(x >> 5, (int32_t)renormaliser_q18);
    return osc_add(x, osc_add(stretch, blend.half_q13) >> 13);
}

static inline void osc_blend_rotation(const int32_t *left, const int32_t *right, uint32_t chord_q20,
                                      osc_blend blend, osc_quaternion *out)
{
    uint32_t e = (chord_q20 * blend.sag_q14 + 8192u) >> 14;
    uint32_t f = (e + 16u) >> 5;
    uint32_t f2 = (f * f + 16384u) >> 15;
    uint32_t f3 = (f2 * f + 16384u) >> 15;
    uint32_t r = ((e + 4u) >> 3) + 3u * f2 + ((5u * f3) >> 1);
    osc_pair from = osc_load_pair(left), to = osc_load_pair(right), result;
    result.a = osc_lerp_unit(from.a, to.a, blend, r);
    result.b = osc_lerp_unit(from.b, to.b, blend, r);
    osc_store_pair(&out->x, result);
    from = osc_load_pair(left + 2);
    to = osc_load_pair(right + 2);
    result.a = osc_lerp_unit(from.a, to.a, blend, r);
    result.b = osc_lerp_unit(from.b, to.b, blend, r);
    osc_store_pair(&out->z, result);
}

static inline void osc_blend_vector(const int32_t *left, const int32_t *right, osc_blend blend,
                                    osc_vector *out)
{
    osc_pair from = osc_load_pair(left), to = osc_load_pair(right), result;
    result.a = osc_lerp(from.a, to.a, blend);
    result.b = osc_lerp(from.b, to.b, blend);
    osc_store_pair(&out->x, result);
    out->z = osc_lerp(left[2], right[2], blend);
}

#endif
