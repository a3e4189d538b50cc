/* SPDX-License-Identifier: MIT */
/* Vectors of four for WebAssembly (-msimd128). */
#ifndef OSC_WASM_H
#define OSC_WASM_H

#include "port/osc_port.h"

#include <wasm_simd128.h>

typedef v128_t osc_v4;

#define osc_v4_shl(v, bits) wasm_i32x4_shl(v, bits)
#define osc_v4_shr(v, bits) wasm_u32x4_shr(v, bits)
#define osc_v4_sar(v, bits) wasm_i32x4_shr(v, bits)
#define osc_v4_lane(v, i) wasm_i32x4_shuffle(v, v, i, i, i, i)

static inline osc_v4 osc_v4_load(const int32_t *words)
{
    return wasm_v128_load(words);
}

static inline void osc_v4_store(int32_t *words, osc_v4 v)
{
    wasm_v128_store(words, v);
}

static inline osc_v4 osc_v4_all(uint32_t x)
{
    return wasm_i32x4_splat((int32_t)x);
}

static inline osc_v4 osc_v4_add(osc_v4 a, osc_v4 b)
{
    return wasm_i32x4_add(a, b);
}

static inline osc_v4 osc_v4_sub(osc_v4 a, osc_v4 b)
{
    return wasm_i32x4_sub(a, b);
}

static inline osc_v4 osc_v4_mul(osc_v4 a, osc_v4 b)
{
    return wasm_i32x4_mul(a, b);
}

static inline osc_v4 osc_v4_mul_add(osc_v4 sum, osc_v4 a, osc_v4 b)
{
    return wasm_i32x4_add(wasm_i32x4_mul(a, b), sum);
}

static inline osc_v4 osc_v4_and(osc_v4 a, osc_v4 b)
{
    return wasm_v128_and(a, b);
}

static inline osc_v4 osc_v4_or(osc_v4 a, osc_v4 b)
{
    return wasm_v128_or(a, b);
}

static inline osc_v4 osc_v4_xor(osc_v4 a, osc_v4 b)
{
    return wasm_v128_xor(a, b);
}

static inline osc_v4 osc_v4_equal(osc_v4 a, osc_v4 b)
{
    return wasm_i32x4_eq(a, b);
}

static inline osc_v4 osc_v4_greater(osc_v4 a, osc_v4 b)
{
    return wasm_i32x4_gt(a, b);
}

static inline osc_v4 osc_v4_select(osc_v4 mask, osc_v4 a, osc_v4 b)
{
    return wasm_v128_bitselect(a, b, mask);
}

static inline void osc_v4_transpose(osc_v4 v[4])
{
    osc_v4 low01 = wasm_i32x4_shuffle(v[0], v[1], 0, 4, 1, 5);
    osc_v4 high01 = wasm_i32x4_shuffle(v[0], v[1], 2, 6, 3, 7);
    osc_v4 low23 = wasm_i32x4_shuffle(v[2], v[3], 0, 4, 1, 5);
    osc_v4 high23 = wasm_i32x4_shuffle(v[2], v[3], 2, 6, 3, 7);
    v[0] = wasm_i32x4_shuffle(low01, low23, 0, 1, 4, 5);
    v[1] = wasm_i32x4_shuffle(low01, low23, 2, 3, 6, 7);
    v[2] = wasm_i32x4_shuffle(high01, high23, 0, 1, 4, 5);
    v[3] = wasm_i32x4_shuffle(high01, high23, 2, 3, 6, 7);
}

static inline osc_v4 osc_v4_sums(osc_v4 a, osc_v4 b, osc_v4 c, osc_v4 d)
{
    osc_v4 v[4] = {a, b, c, d};
    osc_v4_transpose(v);
    return osc_v4_add(osc_v4_add(v[0], v[1]), osc_v4_add(v[2], v[3]));
}

static inline osc_v4 osc_v4_sum(osc_v4 v)
{
    v = wasm_i32x4_add(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
    return wasm_i32x4_add(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2));
}

static inline int osc_v4_any(osc_v4 mask)
{
    return wasm_v128_any_true(mask);
}

static inline int osc_v4_any_negative(osc_v4 v)
{
    return wasm_i32x4_bitmask(v) != 0;
}

static inline osc_v4 osc_v4_flip(osc_v4 v, osc_v4 sign)
{
    sign = wasm_i32x4_shr(sign, 31);
    return wasm_i32x4_sub(wasm_v128_xor(v, sign), sign);
}

static inline osc_v4 osc_v4_factor(osc_v4 g)
{
    return g;
}

static inline osc_v4 osc_v4_scale(osc_v4 v, osc_v4 factor)
{
    v128_t low = wasm_i32x4_mul(wasm_v128_and(v, wasm_i32x4_splat(0xffff)), factor);
    return wasm_i32x4_add(wasm_i32x4_mul(wasm_i32x4_shr(v, 16), factor), wasm_i32x4_shr(low, 16));
}

/* In double precision n * 2^12 is exact, and its root, rounded to nearest, is off by less than
 * 2^-32; it is never as near to a half as that, so that what is rounded here is exact. The two
 * lower lanes of n; the two upper ones of the result are 0. */
static inline osc_v4 osc_two_roots_q20(osc_v4 n_q28)
{
    v128_t square = wasm_f64x2_mul(wasm_f64x2_convert_low_i32x4(n_q28), wasm_f64x2_splat(4096.0));
    return wasm_i32x4_trunc_sat_f64x2_zero(
        wasm_f64x2_add(wasm_f64x2_sqrt(square), wasm_f64x2_splat(0.5)));
}

static inline osc_v4 osc_v4_root_q20(osc_v4 n_q28)
{
    osc_v4 high = wasm_i32x4_shuffle(n_q28, n_q28, 2, 3, 2, 3);
    return wasm_i32x4_shuffle(osc_two_roots_q20(n_q28), osc_two_roots_q20(high), 0, 1, 4, 5);
}

static inline osc_v4 osc_v4_load3(const int32_t *words)
{
    return wasm_v128_load32_lane(words + 2, wasm_v128_load64_zero(words), 2);
}

static inline void osc_v4_store3(int32_t *words, osc_v4 v)
{
    wasm_v128_store64_lane(words, v, 0);
    wasm_v128_store32_lane(words + 2, v, 2);
}

static inline void osc_v4_store_vectors(osc_v4 v0, osc_v4 v1, osc_v4 v2, osc_vector *out0,
                                        osc_vector *out1, osc_vector *out2, osc_vector *out3)
{
    osc_v4_store3(&out0->x, v0);
    wasm_v128_store32_lane(&out1->x, v0, 3);
    wasm_v128_store64_lane(&out1->y, v1, 0);
    wasm_v128_store64_lane(&out2->x, v1, 1);
    wasm_v128_store32_lane(&out2->z, v2, 0);
    wasm_v128_store32_lane(&out3->x, v2, 1);
    wasm_v128_store64_lane(&out3->y, v2, 1);
}

#endif
