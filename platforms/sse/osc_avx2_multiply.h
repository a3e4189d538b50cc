/* SPDX-License-Identifier: MIT */
/* Matrix products with AVX2: the four sums of a row in one register. */
#ifndef OSC_AVX2_MULTIPLY_H
#define OSC_AVX2_MULTIPLY_H

#include "port/osc_port.h"

#include <immintrin.h>

/* The sums of a row in Q20, in the low halves of four 64-bit lanes. */
#define OSC_AVX2_SUMS(p)                                                                           \
    _mm256_srli_epi64(                                                                             \
        _mm256_add_epi64(_mm256_add_epi64(_mm256_mul_epi32(_mm256_set1_epi32((p)[0]), l0), half),  \
                         _mm256_add_epi64(_mm256_mul_epi32(_mm256_set1_epi32((p)[1]), l1),         \
                                          _mm256_mul_epi32(_mm256_set1_epi32((p)[2]), l2))),       \
        20)

/* out = parent * local; out may be the parent. */
OSC_INLINE void osc_matrix_product(const osc_matrix *parent, const osc_matrix *local,
                                   osc_matrix *out)
{
    const int32_t *l = local->m, *p = parent->m;
    const __m256i half = _mm256_set1_epi64x(1 << 19);
    __m256i l0 = _mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)l));
    __m256i l1 = _mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(l + 4)));
    __m256i l2 = _mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(l + 8)));
    __m256i sums0 = OSC_AVX2_SUMS(p), sums1 = OSC_AVX2_SUMS(p + 4), sums2 = OSC_AVX2_SUMS(p + 8);
    __m256i move01 = _mm256_loadu_si256((const __m256i *)(const void *)p);
    __m128i move2 = _mm_loadu_si128((const __m128i *)(const void *)(p + 8));
    __m256i rows01 = _mm256_castps_si256(
        _mm256_shuffle_ps(_mm256_castsi256_ps(sums0), _mm256_castsi256_ps(sums1), 0x88));
    rows01 = _mm256_permute4x64_epi64(rows01, _MM_SHUFFLE(3, 1, 2, 0));
    __m128i row2 = _mm256_castsi256_si128(
        _mm256_permutevar8x32_epi32(sums2, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)));
    move01 = _mm256_blend_epi32(_mm256_setzero_si256(), move01, 0x88);
    move2 = _mm_blend_epi32(_mm_setzero_si128(), move2, 8);
    _mm256_storeu_si256((__m256i *)(void *)out->m, _mm256_add_epi32(rows01, move01));
    _mm_storeu_si128((__m128i *)(void *)(out->m + 8), _mm_add_epi32(row2, move2));
}

#endif
