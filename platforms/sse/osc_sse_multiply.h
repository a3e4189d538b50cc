/* SPDX-License-Identifier: MIT */
/* Matrix products with SSE4.1, a row at a time. */
#ifndef OSC_SSE_MULTIPLY_H
#define OSC_SSE_MULTIPLY_H

#include "osc_sse_local.h"

#define OSC_SSE_ROW(at)                                                                            \
    do {                                                                                           \
        __m128i p = _mm_loadu_si128((const __m128i *)(const void *)(parent->m + (at)));            \
        __m128i p0 = _mm_shuffle_epi32(p, 0x00), p1 = _mm_shuffle_epi32(p, 0x55);                  \
        __m128i p2 = _mm_shuffle_epi32(p, 0xaa);                                                   \
        __m128i even = _mm_add_epi64(_mm_mul_epi32(p0, l0), _mm_mul_epi32(p1, l1));                \
        __m128i odd = _mm_add_epi64(_mm_mul_epi32(p0, o0), _mm_mul_epi32(p1, o1));                 \
        even = _mm_add_epi64(even, _mm_mul_epi32(p2, l2));                                         \
        odd = _mm_add_epi64(odd, _mm_mul_epi32(p2, o2));                                           \
        __m128i sum = _mm_and_si128(p, move);                                                      \
        sum = _mm_add_epi32(sum, osc_sse_round(even, odd));                                        \
        _mm_storeu_si128((__m128i *)(void *)(out->m + (at)), sum);                                 \
    } while (0)

/* out = parent * local; out may be the parent. */
OSC_INLINE void osc_matrix_product(const osc_matrix *parent, const osc_matrix *local,
                                   osc_matrix *out)
{
    __m128i l0 = _mm_loadu_si128((const __m128i *)(const void *)local->m);
    __m128i l1 = _mm_loadu_si128((const __m128i *)(const void *)(local->m + 4));
    __m128i l2 = _mm_loadu_si128((const __m128i *)(const void *)(local->m + 8));
    const __m128i move = _mm_setr_epi32(0, 0, 0, -1);
    __m128i o0 = _mm_srli_epi64(l0, 32), o1 = _mm_srli_epi64(l1, 32), o2 = _mm_srli_epi64(l2, 32);
    OSC_SSE_ROW(0);
    OSC_SSE_ROW(4);
    OSC_SSE_ROW(8);
}

#endif
