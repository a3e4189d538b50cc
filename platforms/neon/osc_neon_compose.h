/* SPDX-License-Identifier: MIT */
/* Composition with NEON: two 64-bit sums a register, rounded and narrowed by one instruction. */
#ifndef OSC_NEON_COMPOSE_H
#define OSC_NEON_COMPOSE_H

#include "port/osc_port.h"

#include <arm_neon.h>

static inline int32x2_t osc_neon_mul_q20(int32x2_t a, int32x2_t b)
{
    return vrshrn_n_s64(vmull_s32(a, b), 20);
}

/* The local matrix T * R * S of a joint; scale may be null. */
static inline void osc_local_matrix(const osc_quaternion *rotation, const osc_vector *translation,
                                    const osc_vector *scale, osc_matrix *out)
{
    int32_t *m = out->m;
    int32x2_t xy = vld1_s32(&rotation->x), zw = vld1_s32(&rotation->z);
    int32x2_t x2y2 = vadd_s32(xy, xy), z2w2 = vadd_s32(zw, zw);
    int32x2_t ww = vdup_lane_s32(zw, 1), z2z2 = vdup_lane_s32(z2w2, 0);
    int32x2_t xw = vext_s32(vdup_lane_s32(xy, 0), ww, 1);
    int32x2_t y2z2 = vext_s32(x2y2, z2w2, 1);
    int32x2_t z2x2 = vext_s32(z2z2, x2y2, 1), z2y2 = vext_s32(z2z2, vdup_lane_s32(x2y2, 1), 1);
    int32x2_t xy_yz = osc_neon_mul_q20(xy, y2z2), wz_wx = osc_neon_mul_q20(ww, z2x2);
    int32x2_t xz_wy = osc_neon_mul_q20(xw, z2y2);
    int32x2_t xx_yy = osc_neon_mul_q20(xy, x2y2), zz = osc_neon_mul_q20(zw, z2z2);
    int32x2_t one = vdup_n_s32(OSC_ONE_Q20);
    int32x2_t sums = vadd_s32(xy_yz, wz_wx), differences = vsub_s32(xy_yz, wz_wx);
    int32x2_t wy_xz = vrev64_s32(xz_wy);
    /* Pairwise: of a vector plus its reverse clang 14 loses a lane. */
    int32x2_t xz_sum = vpadd_s32(xz_wy, xz_wy), xz_difference = vsub_s32(xz_wy, wy_xz);
    /* 1 - (xx + zz), 1 - (yy + zz), 1 - (xx + yy) */
    int32x2_t with_zz = vsub_s32(one, vadd_s32(xx_yy, vdup_lane_s32(zz, 0)));
    int32x2_t without_zz = vsub_s32(one, vpadd_s32(xx_yy, xx_yy));
    int32x2_t row0 = vext_s32(with_zz, differences, 1); /* 1-(yy+zz), xy-wz */
    int32x2_t row1 = vext_s32(vdup_lane_s32(sums, 0), with_zz, 1);
    int32x2_t row2 = vext_s32(vdup_lane_s32(xz_difference, 0), vdup_lane_s32(sums, 1), 1);
    int32x2_t end0 = xz_sum, end1 = vdup_lane_s32(differences, 1), end2 = without_zz;
    if (scale != 0) {
        int32x2_t kxky = vld1_s32(&scale->x), kz = vdup_n_s32(scale->z);
        row0 = osc_neon_mul_q20(row0, kxky), end0 = osc_neon_mul_q20(end0, kz);
        row1 = osc_neon_mul_q20(row1, kxky), end1 = osc_neon_mul_q20(end1, kz);
        row2 = osc_neon_mul_q20(row2, kxky), end2 = osc_neon_mul_q20(end2, kz);
    }
    vst1q_s32(m, vcombine_s32(row0, vset_lane_s32(translation->x, end0, 1)));
    vst1q_s32(m + 4, vcombine_s32(row1, vset_lane_s32(translation->y, end1, 1)));
    vst1q_s32(m + 8, vcombine_s32(row2, vset_lane_s32(translation->z, end2, 1)));
}

#define OSC_NEON_ROW(at)                                                                           \
    do {                                                                                           \
        int32x4_t p = vld1q_s32(parent->m + (at));                                                 \
        int32x2_t low = vget_low_s32(p), high = vget_high_s32(p);                                  \
        int64x2_t left = vmull_lane_s32(vget_low_s32(l0), low, 0);                                 \
        int64x2_t right = vmull_lane_s32(vget_high_s32(l0), low, 0);                               \
        left = vmlal_lane_s32(left, vget_low_s32(l1), low, 1);                                     \
        right = vmlal_lane_s32(right, vget_high_s32(l1), low, 1);                                  \
        left = vmlal_lane_s32(left, vget_low_s32(l2), high, 0);                                    \
        right = vmlal_lane_s32(right, vget_high_s32(l2), high, 0);                                 \
        int32x4_t sums = vcombine_s32(vrshrn_n_s64(left, 20), vrshrn_n_s64(right, 20));            \
        vst1q_s32(out->m + (at), vaddq_s32(sums, vandq_s32(p, last)));                             \
    } while (0)

/* out = parent * local; out may be the parent. */
static inline void osc_matrix_product(const osc_matrix *parent, const osc_matrix *local,
                                      osc_matrix *out)
{
    int32x4_t l0 = vld1q_s32(local->m), l1 = vld1q_s32(local->m + 4), l2 = vld1q_s32(local->m + 8);
    int32x4_t last = vsetq_lane_s32(-1, vdupq_n_s32(0), 3);
    OSC_NEON_ROW(0);
    OSC_NEON_ROW(4);
    OSC_NEON_ROW(8);
}

#endif
