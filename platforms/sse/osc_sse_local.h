/* SPDX-License-Identifier: MIT */
/* Composition with SSE4.1: pmuldq computes two 64-bit products, of the even lanes. A row's sums of
 * columns 0 and 2 are in one register, those of 1 and 3 in another; shifts in opposite directions
 * put bits 20..51 of each where the other has zeros. */
#ifndef OSC_SSE_LOCAL_H
#define OSC_SSE_LOCAL_H

#include "port/osc_port.h"

#include <smmintrin.h>

static inline __m128i osc_sse_half(void)
{
    return _mm_set1_epi64x(1 << 19);
}

/* Sums in Q40 to numbers in Q20: those of lanes 0 and 2, and of lanes 1 and 3. */
static inline __m128i osc_sse_round(__m128i even, __m128i odd)
{
    even = _mm_srli_epi64(_mm_add_epi64(even, osc_sse_half()), 20);
    odd = _mm_slli_epi64(_mm_add_epi64(odd, osc_sse_half()), 12);
    return _mm_blend_epi16(even, odd, 0xcc);
}

/* The rows of the local matrix T * R * S of a joint; scale may be null. Always inline, as rows stay
 * in registers on their way into the product. */
OSC_INLINE void osc_sse_local_rows(const osc_quaternion *rotation, const osc_vector *translation,
                                   const osc_vector *scale, __m128i rows[3])
{
    __m128i q = _mm_loadu_si128((const __m128i *)(const void *)rotation);
    __m128i q2 = _mm_add_epi32(q, q);
    __m128i y2z2 = _mm_shuffle_epi32(q2, _MM_SHUFFLE(3, 2, 2, 1)); /* y2, z2 in lanes 0, 2 */
    __m128i xy = _mm_shuffle_epi32(q, _MM_SHUFFLE(3, 1, 1, 0)), w = _mm_shuffle_epi32(q, 0xff);
    __m128i z2x2 = _mm_shuffle_epi32(q2, _MM_SHUFFLE(3, 0, 3, 2));
    /* xy xz yz, wz wy wx, xx yy zz */
    __m128i with_each_other =
        osc_sse_round(_mm_mul_epi32(xy, y2z2), _mm_mul_epi32(q, _mm_srli_epi64(y2z2, 32)));
    __m128i with_w = osc_sse_round(_mm_mul_epi32(w, z2x2), _mm_mul_epi32(w, y2z2));
    __m128i squares =
        osc_sse_round(_mm_mul_epi32(q, q2), _mm_mul_epi32(_mm_srli_epi64(q, 32), y2z2));
    /* xy+wz xz+wy yz+wx; xz-wy xy-wz yz-wx */
    __m128i sums = _mm_add_epi32(with_each_other, with_w);
    __m128i differences =
        _mm_shuffle_epi32(_mm_sub_epi32(with_each_other, with_w), _MM_SHUFFLE(3, 2, 0, 1));
    sums = _mm_shuffle_epi32(sums, _MM_SHUFFLE(3, 1, 2, 0)); /* xy+wz yz+wx xz+wy */
    __m128i pairs = _mm_add_epi32(_mm_shuffle_epi32(squares, _MM_SHUFFLE(3, 0, 0, 1)),
                                  _mm_shuffle_epi32(squares, _MM_SHUFFLE(3, 1, 2, 2)));
    __m128i diagonal = _mm_sub_epi32(_mm_set1_epi32(OSC_ONE_Q20), pairs);
    rows[0] = _mm_blend_epi16(_mm_blend_epi16(diagonal, differences, 0x0c), sums, 0x30);
    rows[1] = _mm_blend_epi16(_mm_blend_epi16(sums, diagonal, 0x0c), differences, 0x30);
    rows[2] = _mm_blend_epi16(_mm_blend_epi16(differences, sums, 0x0c), diagonal, 0x30);
    if (scale != 0) {
        __m128i k = _mm_loadl_epi64((const __m128i *)(const void *)scale);
        __m128i even = _mm_insert_epi32(k, scale->z, 2), odd = _mm_srli_epi64(k, 32);
        for (int i = 0; i < 3; i++)
            rows[i] = osc_sse_round(_mm_mul_epi32(rows[i], even),
                                    _mm_mul_epi32(_mm_srli_epi64(rows[i], 32), odd));
    }
    rows[0] = _mm_insert_epi32(rows[0], translation->x, 3);
    rows[1] = _mm_insert_epi32(rows[1], translation->y, 3);
    rows[2] = _mm_insert_epi32(rows[2], translation->z, 3);
}

OSC_INLINE void osc_local_matrix(const osc_quaternion *rotation, const osc_vector *translation,
                                 const osc_vector *scale, osc_matrix *out)
{
    __m128i rows[3];
    osc_sse_local_rows(rotation, translation, scale, rows);
    _mm_storeu_si128((__m128i *)(void *)out->m, rows[0]);
    _mm_storeu_si128((__m128i *)(void *)(out->m + 4), rows[1]);
    _mm_storeu_si128((__m128i *)(void *)(out->m + 8), rows[2]);
}

#endif
