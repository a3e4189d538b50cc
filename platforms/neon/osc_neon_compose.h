/* SPDX-License-Identifier: MIT */
/* Composition with NEON: two 64-bit sums a register, rounded and narrowed by one instruction. */
#ifndef OSC_NEON_COMPOSE_H
#define OSC_NEON_COMPOSE_H

#include "port/osc_port.h"

#include <arm_neon.h>

/* The left and the right half of each row of a matrix. */
typedef struct osc_neon_rows {
    int32x2_t left[3], right[3];
} osc_neon_rows;

static inline int32x2_t osc_neon_q20(int64x2_t product)
{
    return vrshrn_n_s64(product, 20);
}

static inline int32x2_t osc_neon_lows(int32x2_t a, int32x2_t b)
{
    return vtrn_s32(a, b).val[0];
}

static inline int32x2_t osc_neon_highs(int32x2_t a, int32x2_t b)
{
    return vtrn_s32(a, b).val[1];
}

/* The local matrix T * R * S of a joint; scale may be null. */
static inline osc_neon_rows osc_neon_local(const osc_quaternion *rotation,
                                           const osc_vector *translation, const osc_vector *scale)
{
    osc_neon_rows l;
    int32x2_t xy = vld1_s32(&rotation->x), zw = vld1_s32(&rotation->z);
    int32x2_t x2y2 = vadd_s32(xy, xy), z2w2 = vadd_s32(zw, zw);
    int32x2_t y2z2 = vext_s32(x2y2, z2w2, 1), z2x2 = osc_neon_lows(z2w2, x2y2);
    int32x2_t xy_xz = osc_neon_q20(vmull_lane_s32(y2z2, xy, 0));
    int32x2_t yy_yz = osc_neon_q20(vmull_lane_s32(y2z2, xy, 1));
    int32x2_t wz_wy = vrev64_s32(osc_neon_q20(vmull_lane_s32(y2z2, zw, 1)));
    int32x2_t xx_yy = osc_neon_q20(vmull_s32(xy, x2y2)), zz_wx = osc_neon_q20(vmull_s32(zw, z2x2));
    int32x2_t sums = vadd_s32(xy_xz, wz_wy), differences = vsub_s32(xy_xz, wz_wy);
    int32x2_t more = vadd_s32(yy_yz, zz_wx), less = vsub_s32(yy_yz, zz_wx); /* of yz, wx */
    int32x2_t one = vdup_n_s32(OSC_ONE_Q20), last = vsub_s32(one, vpadd_s32(xx_yy, xx_yy));
    int32x2_t txty = vld1_s32(&translation->x), tz = vld1_dup_s32(&translation->z);
    l.left[0] = osc_neon_lows(vsub_s32(one, more), differences);
    l.left[1] = osc_neon_lows(sums, vsub_s32(one, vadd_s32(xx_yy, zz_wx)));
    l.left[2] = osc_neon_highs(differences, more);
    if (scale != 0) {
        int32x2_t kxky = vld1_s32(&scale->x), kz = vld1_dup_s32(&scale->z);
        /* No loop: the halves would go through memory, also where there is no scale. */
        l.left[0] = osc_neon_q20(vmull_s32(l.left[0], kxky));
        l.left[1] = osc_neon_q20(vmull_s32(l.left[1], kxky));
        l.left[2] = osc_neon_q20(vmull_s32(l.left[2], kxky));
        sums = osc_neon_q20(vmull_s32(sums, kz));
        less = osc_neon_q20(vmull_s32(less, kz));
        last = osc_neon_q20(vmull_s32(last, kz));
    }
    l.right[0] = vext_s32(sums, txty, 1);
    l.right[1] = osc_neon_highs(less, txty);
    l.right[2] = osc_neon_lows(last, tz);
    return l;
}

static inline void osc_local_matrix(const osc_quaternion *rotation, const osc_vector *translation,
                                    const osc_vector *scale, osc_matrix *out)
{
    osc_neon_rows l = osc_neon_local(rotation, translation, scale);
    for (int i = 0; i < 3; i++)
        vst1q_s32(out->m + 4 * i, vcombine_s32(l.left[i], l.right[i]));
}

static inline void osc_neon_row(const int32_t p[4], const osc_neon_rows *l, int32_t out[4])
{
    const int32x2_t move = {0, OSC_ONE_Q20};
    int32x4_t all = vld1q_s32(p);
    int32x2_t low = vget_low_s32(all), high = vget_high_s32(all);
    int64x2_t left = vmull_lane_s32(l->left[0], low, 0);
    int64x2_t right = vmull_lane_s32(l->right[0], low, 0);
    left = vmlal_lane_s32(left, l->left[1], low, 1);
    right = vmlal_lane_s32(right, l->right[1], low, 1);
    left = vmlal_lane_s32(left, l->left[2], high, 0);
    right = vmlal_lane_s32(right, l->right[2], high, 0);
    right = vmlal_lane_s32(right, move, high, 1); /* the parent's translation */
    vst1q_s32(out, vcombine_s32(osc_neon_q20(left), osc_neon_q20(right)));
}

static inline void osc_neon_product(const osc_matrix *parent, const osc_neon_rows *l,
                                    osc_matrix *out)
{
    osc_neon_row(parent->m, l, out->m);
    osc_neon_row(parent->m + 4, l, out->m + 4);
    osc_neon_row(parent->m + 8, l, out->m + 8);
}

/* out = parent * local; out may be the parent. */
static inline void osc_matrix_product(const osc_matrix *parent, const osc_matrix *local,
                                      osc_matrix *out)
{
    osc_neon_rows l;
    for (int i = 0; i < 3; i++) {
        l.left[i] = vld1_s32(local->m + 4 * i);
        l.right[i] = vld1_s32(local->m + 4 * i + 2);
    }
    osc_neon_product(parent, &l, out);
}

static inline void osc_child_matrix(const osc_quaternion *rotation, const osc_vector *translation,
                                    const osc_vector *scale, const osc_matrix *parent,
                                    osc_matrix *out)
{
    osc_neon_rows l = osc_neon_local(rotation, translation, scale);
    osc_neon_product(parent, &l, out);
}

#endif
