/* SPDX-License-Identifier: MIT */
/* Vectors of four for Arm's M-profile vector extension: Cortex-M55, M85. */
#ifndef OSC_MVE_H
#define OSC_MVE_H

#include "port/osc_port.h"

#include <arm_mve.h>

#include "../vector/osc_arm.h"

#define osc_v4_lane(v, i) vdupq_n_s32(vgetq_lane_s32(v, i))

static inline osc_v4 osc_v4_mul_add(osc_v4 sum, osc_v4 a, osc_v4 b)
{
    return vaddq_s32(vmulq_s32(a, b), sum);
}

/* Without predicates, which GCC 12 cannot always compile. */
static inline osc_v4 osc_v4_greater(osc_v4 a, osc_v4 b)
{
    return vshrq_n_s32(vqsubq_s32(b, a), 31);
}

static inline osc_v4 osc_v4_equal(osc_v4 a, osc_v4 b)
{
    return vmvnq_s32(vorrq_s32(osc_v4_greater(a, b), osc_v4_greater(b, a)));
}

static inline osc_v4 osc_v4_select(osc_v4 mask, osc_v4 a, osc_v4 b)
{
    return vorrq_s32(vandq_s32(a, mask), vbicq_s32(b, mask));
}

/* Through memory: loads can read every fourth word. */
static inline void osc_v4_transpose(osc_v4 v[4])
{
    int32_t words[16];
    for (int i = 0; i < 4; i++)
        vst1q_s32(words + 4 * i, v[i]);
    int32x4x4_t columns = vld4q_s32(words);
    for (int i = 0; i < 4; i++)
        v[i] = columns.val[i];
}

static inline osc_v4 osc_v4_sums(osc_v4 a, osc_v4 b, osc_v4 c, osc_v4 d)
{
    osc_v4 sums = vdupq_n_s32(vaddvq_s32(a));
    sums = vsetq_lane_s32(vaddvq_s32(b), sums, 1);
    sums = vsetq_lane_s32(vaddvq_s32(c), sums, 2);
    return vsetq_lane_s32(vaddvq_s32(d), sums, 3);
}

static inline osc_v4 osc_v4_sum(osc_v4 v)
{
    return vdupq_n_s32(vaddvq_s32(v));
}

static inline int osc_v4_any(osc_v4 mask)
{
    return vminvq_s32(0, mask);
}

static inline int osc_v4_any_negative(osc_v4 v)
{
    return osc_v4_any(v) < 0; /* has the smallest lane's sign */
}

static inline osc_v4 osc_v4_root_q20(osc_v4 n_q28)
{
    int32_t n[4];
    vst1q_s32(n, n_q28);
    for (int i = 0; i < 4; i++)
        n[i] = (int32_t)osc_root_q20((uint32_t)n[i]);
    return vld1q_s32(n);
}

static inline osc_v4 osc_v4_load3(const int32_t *words)
{
    return vld1q_z_s32(words, vctp32q(3u));
}

static inline void osc_v4_store3(int32_t *words, osc_v4 v)
{
    vst1q_p_s32(words, v, vctp32q(3u));
}

static inline void osc_v4_store_vectors(osc_v4 v0, osc_v4 v1, osc_v4 v2, osc_vector *out0,
                                        osc_vector *out1, osc_vector *out2, osc_vector *out3)
{
    int32_t words[12];
    vst1q_s32(words, v0);
    vst1q_s32(words + 4, v1);
    vst1q_s32(words + 8, v2);
    osc_v4_store3(&out0->x, v0);
    osc_v4_store3(&out1->x, vld1q_s32(words + 3));
    osc_v4_store3(&out2->x, vld1q_s32(words + 6));
    osc_v4_store3(&out3->x, vld1q_z_s32(words + 9, vctp32q(3u)));
}

#endif
