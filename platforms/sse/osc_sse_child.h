/* SPDX-License-Identifier: MIT */
/* Composition with SSE4.1. The local matrix is never assembled: it stays in the pairs of elements
 * that its formulas give, and each row of the parent is rotated to match them. Element c of a row
 * of the product is the sum over s of parent[(c + s) % 3] * local[(c + s) % 3][c]; for c = 3, the
 * translation, of parent[s] * local[s][3]. */
#ifndef OSC_SSE_CHILD_H
#define OSC_SSE_CHILD_H

#include "osc_sse_multiply.h"

/* A local matrix, in lanes 0 and 2: for each s the elements of columns 0 and 2, and of columns 1
 * and 3. */
typedef struct osc_sse_pairs {
    __m128i even[3], odd[3];
} osc_sse_pairs;

/* Two products in Q20, of lanes 0 and 2. */
OSC_INLINE __m128i osc_sse_mul_q20(__m128i a, __m128i b)
{
    return _mm_srli_epi64(_mm_add_epi64(_mm_mul_epi32(a, b), osc_sse_half()), 20);
}

OSC_INLINE osc_sse_pairs osc_sse_local(const osc_quaternion *rotation,
                                       const osc_vector *translation, const osc_vector *scale)
{
    osc_sse_pairs l;
    __m128i q = _mm_loadu_si128((const __m128i *)(const void *)rotation), q2 = _mm_add_epi32(q, q);
    __m128i one = _mm_set1_epi32(OSC_ONE_Q20);
    __m128i xy_xz = osc_sse_mul_q20(_mm_shuffle_epi32(q, 0x00), _mm_shuffle_epi32(q2, 0xe9));
    __m128i wz_wy = osc_sse_mul_q20(_mm_shuffle_epi32(q, 0xff), _mm_shuffle_epi32(q2, 0xd6));
    __m128i yz_wx = osc_sse_mul_q20(_mm_shuffle_epi32(q, 0xf5), _mm_shuffle_epi32(q2, 0xc6));
    __m128i yy_yy = osc_sse_mul_q20(_mm_shuffle_epi32(q, 0x55), _mm_shuffle_epi32(q2, 0x55));
    __m128i xx_zz = osc_sse_mul_q20(q, q2);
    __m128i wx_yz = _mm_shuffle_epi32(yz_wx, 0x4e), zz_xx = _mm_shuffle_epi32(xx_zz, 0x4e);
    __m128i less = _mm_sub_epi32(xy_xz, wz_wy); /* xy-wz, xz-wy */
    l.even[0] = _mm_sub_epi32(one, _mm_add_epi32(yy_yy, zz_xx));
    l.odd[0] = _mm_sub_epi32(one, _mm_add_epi32(xx_zz, zz_xx));
    l.even[1] = _mm_add_epi32(xy_xz, wz_wy);
    l.odd[1] = _mm_add_epi32(yz_wx, wx_yz);
    l.even[2] = _mm_alignr_epi8(_mm_sub_epi32(yz_wx, wx_yz), less, 8); /* xz-wy, yz-wx */
    l.odd[2] = less;
    if (scale != 0) {
        __m128i kxy = _mm_loadl_epi64((const __m128i *)(const void *)scale);
        __m128i kxz = _mm_insert_epi32(kxy, scale->z, 2), ky = _mm_shuffle_epi32(kxy, 0x55);
        /* No loop: the pairs would go through memory, also where there is no scale. */
        l.even[0] = osc_sse_mul_q20(l.even[0], kxz);
        l.even[1] = osc_sse_mul_q20(l.even[1], kxz);
        l.even[2] = osc_sse_mul_q20(l.even[2], kxz);
        l.odd[0] = osc_sse_mul_q20(l.odd[0], ky);
        l.odd[1] = osc_sse_mul_q20(l.odd[1], ky);
        l.odd[2] = osc_sse_mul_q20(l.odd[2], ky);
    }
    l.odd[0] = _mm_insert_epi32(l.odd[0], translation->x, 2);
    l.odd[1] = _mm_insert_epi32(l.odd[1], translation->y, 2);
    l.odd[2] = _mm_insert_epi32(l.odd[2], translation->z, 2);
    return l;
}

#define OSC_SSE_CHILD_ROW(at)                                                                      \
    do {                                                                                           \
        __m128i p02 = _mm_loadu_si128((const __m128i *)(const void *)(parent->m + (at)));          \
        __m128i p10 = _mm_shuffle_epi32(p02, 0xc1), p21 = _mm_shuffle_epi32(p02, 0xd6);            \
        __m128i even =                                                                             \
            _mm_add_epi64(_mm_mul_epi32(l.even[0], p02), _mm_mul_epi32(l.even[1], p10));           \
        __m128i odd = _mm_add_epi64(_mm_mul_epi32(l.odd[0], p10), _mm_mul_epi32(l.odd[1], p21));   \
        even = _mm_add_epi64(even, _mm_mul_epi32(l.even[2], p21));                                 \
        odd = _mm_add_epi64(odd, _mm_mul_epi32(l.odd[2], p02));                                    \
        _mm_storeu_si128((__m128i *)(void *)(out->m + (at)), osc_sse_row(even, odd, p02));         \
    } while (0)

OSC_INLINE void osc_child_matrix(const osc_quaternion *rotation, const osc_vector *translation,
                                 const osc_vector *scale, const osc_matrix *parent, osc_matrix *out)
{
    osc_sse_pairs l = osc_sse_local(rotation, translation, scale);
    OSC_SSE_CHILD_ROW(0);
    OSC_SSE_CHILD_ROW(4);
    OSC_SSE_CHILD_ROW(8);
}

#endif
