/* SPDX-License-Identifier: MIT */
/* Vectors of four for Arm: armv7 with NEON, and aarch64. */
#ifndef OSC_NEON_H
#define OSC_NEON_H

#include "port/osc_port.h"

#include <arm_neon.h>

#include "../vector/osc_arm.h"

#define osc_v4_lane(v, i) vdupq_lane_s32((i) < 2 ? vget_low_s32(v) : vget_high_s32(v), (i)&1)

static inline osc_v4 osc_v4_mul_add(osc_v4 sum, osc_v4 a, osc_v4 b)
{
    return vmlaq_s32(sum, a, b);
}

/* By products of 64 bits, which an instruction rounds and narrows. */
#define osc_v4_weighted osc_v4_weighted
static inline osc_v4 osc_v4_weighted(osc_v4 x, osc_v4 weight_q15)
{
    int64x2_t low = vmull_s32(vget_low_s32(x), vget_low_s32(weight_q15));
    int64x2_t high = vmull_s32(vget_high_s32(x), vget_high_s32(weight_q15));
    return vcombine_s32(vrshrn_n_s64(low, 15), vrshrn_n_s64(high, 15));
}

/* An instruction separates or joins the components of four rotations. */
#define osc_v4_load_columns osc_v4_load_columns
static inline void osc_v4_load_columns(const osc_quaternion *rotations, osc_v4 columns[4])
{
    int32x4x4_t v = vld4q_s32(&rotations->x);
    for (int i = 0; i < 4; i++)
        columns[i] = v.val[i];
}

#define osc_v4_store_columns osc_v4_store_columns
static inline void osc_v4_store_columns(osc_quaternion *rotations, const osc_v4 columns[4])
{
    int32x4x4_t v = {{columns[0], columns[1], columns[2], columns[3]}};
    vst4q_s32(&rotations->x, v);
}

static inline osc_v4 osc_v4_equal(osc_v4 a, osc_v4 b)
{
    return vreinterpretq_s32_u32(vceqq_s32(a, b));
}

static inline osc_v4 osc_v4_greater(osc_v4 a, osc_v4 b)
{
    return vreinterpretq_s32_u32(vcgtq_s32(a, b));
}

static inline osc_v4 osc_v4_select(osc_v4 mask, osc_v4 a, osc_v4 b)
{
    return vbslq_s32(vreinterpretq_u32_s32(mask), a, b);
}

static inline void osc_v4_transpose(osc_v4 v[4])
{
    int32x4x2_t even = vzipq_s32(v[0], v[2]), odd = vzipq_s32(v[1], v[3]);
    int32x4x2_t low = vzipq_s32(even.val[0], odd.val[0]), high = vzipq_s32(even.val[1], odd.val[1]);
    v[0] = low.val[0];
    v[1] = low.val[1];
    v[2] = high.val[0];
    v[3] = high.val[1];
}

#if defined(__aarch64__)

static inline osc_v4 osc_v4_sums(osc_v4 a, osc_v4 b, osc_v4 c, osc_v4 d)
{
    return vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d));
}

static inline osc_v4 osc_v4_sum(osc_v4 v)
{
    return vdupq_n_s32(vaddvq_s32(v));
}

static inline int osc_v4_any(osc_v4 mask)
{
    return vminvq_s32(mask);
}

/* In double precision n * 2^12 is exact, and its root is off by less than 2^-32, whatever the
 * rounding mode; it is never that near to a half, so the rounded result is exact. */
static inline int32x2_t osc_two_roots_q20(int32x2_t n_q28)
{
    float64x2_t square = vmulq_n_f64(vcvtq_f64_s64(vmovl_s32(n_q28)), 4096.0);
    return vmovn_s64(vcvtq_s64_f64(vaddq_f64(vsqrtq_f64(square), vdupq_n_f64(0.5))));
}

static inline osc_v4 osc_v4_root_q20(osc_v4 n_q28)
{
    return vcombine_s32(osc_two_roots_q20(vget_low_s32(n_q28)),
                        osc_two_roots_q20(vget_high_s32(n_q28)));
}

#else

static inline int32x2_t osc_two_sums(osc_v4 a, osc_v4 b)
{
    return vpadd_s32(vadd_s32(vget_low_s32(a), vget_high_s32(a)),
                     vadd_s32(vget_low_s32(b), vget_high_s32(b)));
}

static inline osc_v4 osc_v4_sums(osc_v4 a, osc_v4 b, osc_v4 c, osc_v4 d)
{
    return vcombine_s32(osc_two_sums(a, b), osc_two_sums(c, d));
}

static inline osc_v4 osc_v4_sum(osc_v4 v)
{
    int32x2_t half = vadd_s32(vget_low_s32(v), vget_high_s32(v));
    half = vpadd_s32(half, half);
    return vcombine_s32(half, half);
}

static inline int osc_v4_any(osc_v4 mask)
{
    int32x2_t half = vorr_s32(vget_low_s32(mask), vget_high_s32(mask));
    return vget_lane_s32(vpmin_s32(half, half), 0);
}

/* armv7 has no vector root. The estimate's reciprocal root and two Newton steps bring the 20-bit
 * root to within one; the residual modulo 2^32 gives the direction. */
static inline osc_v4 osc_v4_root_q20(osc_v4 n_q28)
{
    float32x4_t n = vcvtq_f32_s32(vmaxq_s32(n_q28, vdupq_n_s32(1)));
    float32x4_t r = vrsqrteq_f32(n);
    r = vmulq_f32(r, vrsqrtsq_f32(vmulq_f32(n, r), r));
    r = vmulq_f32(r, vrsqrtsq_f32(vmulq_f32(n, r), r));
    int32x4_t root = vcvtq_s32_f32(vmulq_n_f32(vmulq_f32(n, r), 64.0f));
    int32x4_t square = vshlq_n_s32(n_q28, 12);
    /* exact is root + 0, 1 or, where the estimate was low, 2; or root - 1 */
    root = vsubq_s32(root, vdupq_n_s32(1));
    for (uint32_t i = 0; i < 3u; i++) {
        int32x4_t residual = vmlsq_s32(square, root, root);
        root = vsubq_s32(root, vreinterpretq_s32_u32(vcgtq_s32(residual, root)));
    }
    return vbicq_s32(root, vreinterpretq_s32_u32(vceqq_s32(n_q28, vdupq_n_s32(0))));
}

#endif

static inline int osc_v4_any_negative(osc_v4 v)
{
    return osc_v4_any(v) < 0; /* which has the smallest lane's sign */
}

static inline osc_v4 osc_v4_load3(const int32_t *words)
{
    return vld1q_lane_s32(words + 2, vcombine_s32(vld1_s32(words), vdup_n_s32(0)), 2);
}

static inline void osc_v4_store3(int32_t *words, osc_v4 v)
{
    vst1_s32(words, vget_low_s32(v));
    vst1q_lane_s32(words + 2, v, 2);
}

static inline void osc_v4_store_vectors(osc_v4 v0, osc_v4 v1, osc_v4 v2, osc_vector *out0,
                                        osc_vector *out1, osc_vector *out2, osc_vector *out3)
{
    osc_v4_store3(&out0->x, v0);
    vst1q_lane_s32(&out1->x, v0, 3);
    vst1_s32(&out1->y, vget_low_s32(v1));
    vst1_s32(&out2->x, vget_high_s32(v1));
    vst1q_lane_s32(&out2->z, v2, 0);
    vst1q_lane_s32(&out3->x, v2, 1);
    vst1_s32(&out3->y, vget_high_s32(v2));
}

#endif
