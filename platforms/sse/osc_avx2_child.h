/* SPDX-License-Identifier: MIT */
/* Composition with AVX2, as osc_sse_child.h describes it: four 64-bit lanes hold the elements of
 * all columns. */
#ifndef OSC_AVX2_CHILD_H
#define OSC_AVX2_CHILD_H

#include "osc_avx2_multiply.h"

/* Four products in Q20. */
OSC_INLINE __m256i osc_avx2_mul_q20(__m256i a, __m256i b)
{
    return _mm256_srli_epi64(_mm256_add_epi64(_mm256_mul_epi32(a, b), osc_avx2_half()), 20);
}

#define OSC_AVX2_PICK(v, i0, i1, i2, i3) _mm256_permute4x64_epi64(v, _MM_SHUFFLE(i3, i2, i1, i0))
#define OSC_AVX2_MOVE(v, number) _mm256_blend_epi32(v, _mm256_set1_epi32(number), 0xc0)

/* The elements local[(c + s) % 3][c] and translations of a local matrix, for each s. */
OSC_INLINE void osc_avx2_local(const osc_quaternion *rotation, const osc_vector *translation,
                               const osc_vector *scale, __m256i l[3])
{
    __m256i q = _mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)rotation));
    __m256i q2 = _mm256_add_epi32(q, q), one = _mm256_set1_epi32(OSC_ONE_Q20);
    __m256i squares = osc_avx2_mul_q20(q, q2);
    __m256i xy_yz_xz =
        osc_avx2_mul_q20(OSC_AVX2_PICK(q, 0, 1, 0, 3), OSC_AVX2_PICK(q2, 1, 2, 2, 3));
    __m256i wz_wx_wy =
        osc_avx2_mul_q20(OSC_AVX2_PICK(q, 3, 3, 3, 3), OSC_AVX2_PICK(q2, 2, 0, 1, 3));
    __m256i pairs =
        _mm256_add_epi32(OSC_AVX2_PICK(squares, 1, 0, 0, 3), OSC_AVX2_PICK(squares, 2, 2, 1, 3));
    __m256i less = _mm256_sub_epi32(xy_yz_xz, wz_wx_wy);
    l[0] = _mm256_sub_epi32(one, pairs);
    l[1] = _mm256_add_epi32(xy_yz_xz, wz_wx_wy);
    l[2] = OSC_AVX2_PICK(less, 2, 0, 1, 3);
    if (scale != 0) {
        __m128i k = _mm_loadl_epi64((const __m128i *)(const void *)scale);
        __m256i xyz = _mm256_cvtepi32_epi64(_mm_insert_epi32(k, scale->z, 2));
        /* No loop: the numbers would go through memory, also where there is no scale. */
        l[0] = osc_avx2_mul_q20(l[0], xyz);
        l[1] = osc_avx2_mul_q20(l[1], xyz);
        l[2] = osc_avx2_mul_q20(l[2], xyz);
    }
    l[0] = OSC_AVX2_MOVE(l[0], translation->x);
    l[1] = OSC_AVX2_MOVE(l[1], translation->y);
    l[2] = OSC_AVX2_MOVE(l[2], translation->z);
}

OSC_INLINE __m256i osc_avx2_child_sums(const int32_t p[4], const __m256i l[3])
{
    __m256i row = _mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)p));
    __m256i sum = _mm256_add_epi64(_mm256_mul_epi32(OSC_AVX2_PICK(row, 0, 1, 2, 0), l[0]),
                                   _mm256_mul_epi32(OSC_AVX2_PICK(row, 1, 2, 0, 1), l[1]));
    sum = _mm256_add_epi64(sum, _mm256_mul_epi32(OSC_AVX2_PICK(row, 2, 0, 1, 2), l[2]));
    return _mm256_srli_epi64(_mm256_add_epi64(sum, osc_avx2_half()), 20);
}

OSC_INLINE void osc_child_matrix(const osc_quaternion *rotation, const osc_vector *translation,
                                 const osc_vector *scale, const osc_matrix *parent, osc_matrix *out)
{
    const int32_t *p = parent->m;
    __m256i l[3];
    osc_avx2_local(rotation, translation, scale, l);
    osc_avx2_store(osc_avx2_child_sums(p, l), osc_avx2_child_sums(p + 4, l),
                   osc_avx2_child_sums(p + 8, l), p, out);
}

#endif
