/* SPDX-License-Identifier: MIT */
/* Four rotations, two a vector: the steps of osc_vector_blend.h on eight lanes. */
#ifndef OSC_AVX2_BLEND_4_H
#define OSC_AVX2_BLEND_4_H

#include "../vector/osc_vector_blend.h"

#include <immintrin.h>

static inline void osc_v8_two_rotations(const int32_t *left, const int32_t *right,
                                        __m256i renormaliser, osc_blend blend, osc_quaternion *out0,
                                        osc_quaternion *out1)
{
    __m256i from = _mm256_loadu_si256((const __m256i *)left);
    __m256i step = _mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)right), from);
    step = _mm256_mullo_epi32(step, _mm256_broadcastsi128_si256(blend.fraction_q11));
    step = _mm256_srai_epi32(_mm256_add_epi32(step, _mm256_set1_epi32(1024)), 11);
    __m256i x = _mm256_add_epi32(from, step);
    __m256i more = _mm256_mullo_epi32(_mm256_srai_epi32(x, 5), renormaliser);
    more = _mm256_srai_epi32(_mm256_add_epi32(more, _mm256_set1_epi32(4096)), 13);
    x = _mm256_add_epi32(x, more);
    _mm_storeu_si128((__m128i *)&out0->x, _mm256_castsi256_si128(x));
    _mm_storeu_si128((__m128i *)&out1->x, _mm256_extracti128_si256(x, 1));
}

static inline void osc_blend_4_rotations(const int32_t *left, const int32_t *right,
                                         const uint32_t *chords_q20, osc_blend blend,
                                         osc_quaternion *out0, osc_quaternion *out1,
                                         osc_quaternion *out2, osc_quaternion *out3)
{
    osc_v4 r = osc_v4_renormalisers(osc_v4_load((const int32_t *)chords_q20), blend);
    __m256i both = _mm256_castsi128_si256(r);
    __m256i r01 = _mm256_permutevar8x32_epi32(both, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
    __m256i r23 = _mm256_permutevar8x32_epi32(both, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3));
    osc_v8_two_rotations(left, right, r01, blend, out0, out1);
    osc_v8_two_rotations(left + 8, right + 8, r23, blend, out2, out3);
}

#endif
