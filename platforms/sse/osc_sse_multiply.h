/* SPDX-License-Identifier: MIT */
/* Matrix products with SSE4.1: pmuldq computes two 64-bit products, of the even lanes. A row's sums
 * of columns 0 and 2 are in one register, those of 1 and 3 in another; shifts in opposite
 * directions put bits 20..51 of each where the other has zeros. */
#ifndef OSC_SSE_MULTIPLY_H
#define OSC_SSE_MULTIPLY_H

#include "port/osc_port.h"

#include <smmintrin.h>

static inline __m128i osc_sse_half(void)
{
    return _mm_set1_epi64x(1 << 19);
}

/* Sums in Q40 to a row in Q20, and the translation of the parent's row. The latter is added
 * together with half of the last place, after the shift. */
OSC_INLINE __m128i osc_sse_row(__m128i even, __m128i odd, __m128i parent)
{
    const __m128i half = _mm_setr_epi32(INT32_MIN, 0, INT32_MIN, 0);
    even = _mm_srli_epi64(_mm_add_epi64(even, osc_sse_half()), 20);
    odd = _mm_add_epi64(_mm_slli_epi64(odd, 12), _mm_blend_epi16(parent, half, 0x3f));
    return _mm_blend_epi16(even, odd, 0xcc);
}

#define OSC_SSE_ROW(at)                                                                            \
    do {                                                                                           \
        __m128i p = _mm_loadu_si128((const __m128i *)(const void *)(parent->m + (at)));            \
        __m128i p0 = _mm_shuffle_epi32(p, 0x00), p1 = _mm_shuffle_epi32(p, 0x55);                  \
        __m128i p2 = _mm_shuffle_epi32(p, 0xaa);                                                   \
        __m128i even = _mm_add_epi64(_mm_mul_epi32(p0, l0), _mm_mul_epi32(p1, l1));                \
        __m128i odd = _mm_add_epi64(_mm_mul_epi32(p0, o0), _mm_mul_epi32(p1, o1));                 \
        even = _mm_add_epi64(even, _mm_mul_epi32(p2, l2));                                         \
        odd = _mm_add_epi64(odd, _mm_mul_epi32(p2, o2));                                           \
        _mm_storeu_si128((__m128i *)(void *)(out->m + (at)), osc_sse_row(even, odd, p));           \
    } while (0)

/* out = parent * local; out may be the parent. */
OSC_INLINE void osc_matrix_product(const osc_matrix *parent, const osc_matrix *local,
                                   osc_matrix *out)
{
    __m128i l0 = _mm_loadu_si128((const __m128i *)(const void *)local->m);
    __m128i l1 = _mm_loadu_si128((const __m128i *)(const void *)(local->m + 4));
    __m128i l2 = _mm_loadu_si128((const __m128i *)(const void *)(local->m + 8));
    __m128i o0 = _mm_shuffle_epi32(l0, 0xf5), o1 = _mm_shuffle_epi32(l1, 0xf5);
    __m128i o2 = _mm_shuffle_epi32(l2, 0xf5);
    OSC_SSE_ROW(0);
    OSC_SSE_ROW(4);
    OSC_SSE_ROW(8);
}

#endif
