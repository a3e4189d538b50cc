/* SPDX-License-Identifier: MIT */
/* Matrix products with AVX2: the four sums of a row in one register. */
#ifndef OSC_AVX2_MULTIPLY_H
#define OSC_AVX2_MULTIPLY_H

#include "port/osc_port.h"

#include <immintrin.h>

static inline __m256i osc_avx2_half(void)
{
    return _mm256_set1_epi64x(1 << 19);
}

/* Stores three rows, whose numbers are in the low halves of four 64-bit lanes, and adds the
 * parent's translation. */
OSC_INLINE void osc_avx2_store(__m256i row0, __m256i row1, __m256i row2, const int32_t parent[12],
                               osc_matrix *out)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i move01 = _mm256_loadu_si256((const __m256i *)(const void *)parent);
    __m128i move2 = _mm_loadu_si128((const __m128i *)(const void *)(parent + 8));
    __m256i rows01 = _mm256_castps_si256(
        _mm256_shuffle_ps(_mm256_castsi256_ps(row0), _mm256_castsi256_ps(row1), 0x88));
    rows01 = _mm256_permute4x64_epi64(rows01, _MM_SHUFFLE(3, 1, 2, 0));
    __m128 low = _mm_castsi128_ps(_mm256_castsi256_si128(row2));
    __m128 high = _mm_castsi128_ps(_mm256_extracti128_si256(row2, 1));
    __m128i last = _mm_castps_si128(_mm_shuffle_ps(low, high, 0x88));
    move01 = _mm256_blend_epi32(zero, move01, 0x88);
    move2 = _mm_blend_epi32(_mm256_castsi256_si128(zero), move2, 8);
    _mm256_storeu_si256((__m256i *)(void *)out->m, _mm256_add_epi32(rows01, move01));
    _mm_storeu_si128((__m128i *)(void *)(out->m + 8), _mm_add_epi32(last, move2));
}

/* The sums of a row in Q20. */
#define OSC_AVX2_SUMS(p)                                                                           \
    _mm256_srli_epi64(                                                                             \
        _mm256_add_epi64(                                                                          \
            _mm256_add_epi64(_mm256_mul_epi32(_mm256_set1_epi32((p)[0]), l0), osc_avx2_half()),    \
            _mm256_add_epi64(_mm256_mul_epi32(_mm256_set1_epi32((p)[1]), l1),                      \
                             _mm256_mul_epi32(_mm256_set1_epi32((p)[2]), l2))),                    \
        20)

/* out = parent * local; out may be the parent. */
OSC_INLINE void osc_matrix_product(const osc_matrix *parent, const osc_matrix *local,
                                   osc_matrix *out)
{
    const int32_t *l = local->m, *p = parent->m;
    __m256i l0 = _mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)l));
    __m256i l1 = _mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(l + 4)));
    __m256i l2 = _mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(l + 8)));
    osc_avx2_store(OSC_AVX2_SUMS(p), OSC_AVX2_SUMS(p + 4), OSC_AVX2_SUMS(p + 8), p, out);
}

#endif
