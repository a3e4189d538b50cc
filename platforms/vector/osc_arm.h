/* SPDX-License-Identifier: MIT */
/* Intrinsics that NEON and MVE share; included after the header of either. */
#ifndef OSC_ARM_H
#define OSC_ARM_H

typedef int32x4_t osc_v4;

#define osc_v4_shl(v, bits) vshlq_n_s32(v, bits)
#define osc_v4_shr(v, bits) vreinterpretq_s32_u32(vshrq_n_u32(vreinterpretq_u32_s32(v), bits))
#define osc_v4_sar(v, bits) vshrq_n_s32(v, bits)

static inline osc_v4 osc_v4_load(const int32_t *words)
{
    return vld1q_s32(words);
}

static inline void osc_v4_store(int32_t *words, osc_v4 v)
{
    vst1q_s32(words, v);
}

static inline osc_v4 osc_v4_all(uint32_t x)
{
    return vdupq_n_s32((int32_t)x);
}

static inline osc_v4 osc_v4_add(osc_v4 a, osc_v4 b)
{
    return vaddq_s32(a, b);
}

static inline osc_v4 osc_v4_sub(osc_v4 a, osc_v4 b)
{
    return vsubq_s32(a, b);
}

static inline osc_v4 osc_v4_mul(osc_v4 a, osc_v4 b)
{
    return vmulq_s32(a, b);
}

static inline osc_v4 osc_v4_flip(osc_v4 v, osc_v4 sign)
{
    sign = vshrq_n_s32(sign, 31);
    return vsubq_s32(veorq_s32(v, sign), sign);
}

/* The instruction takes the upper half of twice the product. */
static inline osc_v4 osc_v4_factor(osc_v4 g)
{
    return vshlq_n_s32(g, 15);
}

static inline osc_v4 osc_v4_scale(osc_v4 v, osc_v4 factor)
{
    return vqdmulhq_s32(v, factor);
}

static inline osc_v4 osc_v4_and(osc_v4 a, osc_v4 b)
{
    return vandq_s32(a, b);
}

static inline osc_v4 osc_v4_or(osc_v4 a, osc_v4 b)
{
    return vorrq_s32(a, b);
}

static inline osc_v4 osc_v4_xor(osc_v4 a, osc_v4 b)
{
    return veorq_s32(a, b);
}

#endif
