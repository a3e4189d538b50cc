/* SPDX-License-Identifier: MIT */
/* Composition with WebAssembly's SIMD: 64-bit products of two lanes, summed and rounded once. Bits
 * 20..51 of a sum do not depend on those above, so that nothing is lost where it wraps. */
#ifndef OSC_WASM_COMPOSE_H
#define OSC_WASM_COMPOSE_H

#include "osc_wasm.h"

/* The rows of a local matrix. */
typedef struct osc_wasm_rows {
    osc_v4 row[3];
} osc_wasm_rows;

/* Four sums in Q40, lanes 0 and 1 and lanes 2 and 3, to Q20. */
static inline osc_v4 osc_wasm_q20(v128_t low, v128_t high)
{
    const v128_t half = wasm_i64x2_splat(1 << 19);
    low = wasm_u64x2_shr(wasm_i64x2_add(low, half), 20);
    high = wasm_u64x2_shr(wasm_i64x2_add(high, half), 20);
    return wasm_i32x4_shuffle(low, high, 0, 2, 4, 6);
}

/* Four products in Q20. */
static inline osc_v4 osc_wasm_mul_q20(osc_v4 a, osc_v4 b)
{
    return osc_wasm_q20(wasm_i64x2_extmul_low_i32x4(a, b), wasm_i64x2_extmul_high_i32x4(a, b));
}

/* The local matrix T * R * S of a joint; scale may be null. */
static inline osc_wasm_rows osc_wasm_local(const osc_quaternion *rotation,
                                           const osc_vector *translation, const osc_vector *scale)
{
    osc_wasm_rows l;
    osc_v4 q = osc_v4_load(&rotation->x), q2 = osc_v4_add(q, q), t = osc_v4_load3(&translation->x);
    osc_v4 squares = osc_wasm_mul_q20(q, q2);
    osc_v4 xy_xz_wz_wy = osc_wasm_mul_q20(wasm_i32x4_shuffle(q, q, 0, 0, 3, 3),
                                          wasm_i32x4_shuffle(q2, q2, 1, 2, 2, 1));
    v128_t yz_wx = wasm_i64x2_extmul_low_i32x4(wasm_i32x4_shuffle(q, q, 1, 3, 1, 3),
                                               wasm_i32x4_shuffle(q2, q2, 2, 0, 2, 0));
    osc_v4 yz_wx_yz_wx = osc_wasm_q20(yz_wx, yz_wx);
    osc_v4 wz_wy = wasm_i32x4_shuffle(xy_xz_wz_wy, xy_xz_wz_wy, 2, 3, 2, 3);
    osc_v4 wx = osc_v4_lane(yz_wx_yz_wx, 1);
    osc_v4 sums = osc_v4_add(xy_xz_wz_wy, wz_wy), differences = osc_v4_sub(xy_xz_wz_wy, wz_wy);
    osc_v4 more = osc_v4_add(yz_wx_yz_wx, wx), less = osc_v4_sub(yz_wx_yz_wx, wx);
    osc_v4 diagonal = osc_v4_add(wasm_i32x4_shuffle(squares, squares, 1, 0, 0, 0),
                                 wasm_i32x4_shuffle(squares, squares, 2, 2, 1, 1));
    diagonal = osc_v4_sub(osc_v4_all(OSC_ONE_Q20), diagonal);
    l.row[0] = wasm_i32x4_shuffle(wasm_i32x4_shuffle(diagonal, differences, 0, 4, 0, 4),
                                  wasm_i32x4_shuffle(sums, t, 1, 4, 1, 4), 0, 1, 4, 5);
    l.row[1] = wasm_i32x4_shuffle(wasm_i32x4_shuffle(sums, diagonal, 0, 5, 0, 5),
                                  wasm_i32x4_shuffle(less, t, 0, 5, 0, 5), 0, 1, 4, 5);
    l.row[2] = wasm_i32x4_shuffle(wasm_i32x4_shuffle(differences, more, 1, 4, 1, 4),
                                  wasm_i32x4_shuffle(diagonal, t, 2, 6, 2, 6), 0, 1, 4, 5);
    if (scale != 0) {
        osc_v4 k = wasm_i32x4_replace_lane(osc_v4_load3(&scale->x), 3, OSC_ONE_Q20);
        l.row[0] = osc_wasm_mul_q20(l.row[0], k);
        l.row[1] = osc_wasm_mul_q20(l.row[1], k);
        l.row[2] = osc_wasm_mul_q20(l.row[2], k);
    }
    return l;
}

static inline void osc_wasm_row(const int32_t p[4], const osc_wasm_rows *l, int32_t out[4])
{
    osc_v4 all = osc_v4_load(p);
    osc_v4 p0 = osc_v4_lane(all, 0), p1 = osc_v4_lane(all, 1), p2 = osc_v4_lane(all, 2);
    v128_t low = wasm_i64x2_extmul_low_i32x4(p0, l->row[0]);
    v128_t high = wasm_i64x2_extmul_high_i32x4(p0, l->row[0]);
    low = wasm_i64x2_add(low, wasm_i64x2_extmul_low_i32x4(p1, l->row[1]));
    high = wasm_i64x2_add(high, wasm_i64x2_extmul_high_i32x4(p1, l->row[1]));
    low = wasm_i64x2_add(low, wasm_i64x2_extmul_low_i32x4(p2, l->row[2]));
    high = wasm_i64x2_add(high, wasm_i64x2_extmul_high_i32x4(p2, l->row[2]));
    osc_v4 move = wasm_v128_and(all, wasm_i32x4_const(0, 0, 0, -1));
    osc_v4_store(out, osc_v4_add(osc_wasm_q20(low, high), move));
}

static inline void osc_wasm_product(const osc_matrix *parent, const osc_wasm_rows *l,
                                    osc_matrix *out)
{
    osc_wasm_row(parent->m, l, out->m);
    osc_wasm_row(parent->m + 4, l, out->m + 4);
    osc_wasm_row(parent->m + 8, l, out->m + 8);
}

static inline void osc_local_matrix(const osc_quaternion *rotation, const osc_vector *translation,
                                    const osc_vector *scale, osc_matrix *out)
{
    osc_wasm_rows l = osc_wasm_local(rotation, translation, scale);
    for (int i = 0; i < 3; i++)
        osc_v4_store(out->m + 4 * i, l.row[i]);
}

/* out = parent * local; out may be the parent. */
static inline void osc_matrix_product(const osc_matrix *parent, const osc_matrix *local,
                                      osc_matrix *out)
{
    osc_wasm_rows l;
    for (int i = 0; i < 3; i++)
        l.row[i] = osc_v4_load(local->m + 4 * i);
    osc_wasm_product(parent, &l, out);
}

OSC_INLINE void osc_child_matrix(const osc_quaternion *rotation, const osc_vector *translation,
                                 const osc_vector *scale, const osc_matrix *parent, osc_matrix *out)
{
    osc_wasm_rows l = osc_wasm_local(rotation, translation, scale);
    osc_wasm_product(parent, &l, out);
}

#endif
