/* SPDX-License-Identifier: MIT */
/* Vectors of eight for AVX2: the operations of osc_sse.h on two halves of four lanes. */
#ifndef OSC_AVX2_H
#define OSC_AVX2_H

#include "port/osc_port.h"

#include <immintrin.h>

#define OSC_V8 1

typedef __m256i osc_v8;

#define osc_v8_shl(v, bits) _mm256_slli_epi32(v, bits)
#define osc_v8_shr(v, bits) _mm256_srli_epi32(v, bits)
#define osc_v8_sar(v, bits) _mm256_srai_epi32(v, bits)
#define osc_v8_lane(v, i) _mm256_shuffle_epi32(v, (i)*0x55)

static inline osc_v8 osc_v8_load(const int32_t *words)
{
    return _mm256_loadu_si256((const __m256i *)words);
}

static inline void osc_v8_store(int32_t *words, osc_v8 v)
{
    _mm256_storeu_si256((__m256i *)words, v);
}

static inline osc_v8 osc_v8_all(uint32_t x)
{
    return _mm256_set1_epi32((int32_t)x);
}

static inline osc_v8 osc_v8_add(osc_v8 a, osc_v8 b)
{
    return _mm256_add_epi32(a, b);
}

static inline osc_v8 osc_v8_sub(osc_v8 a, osc_v8 b)
{
    return _mm256_sub_epi32(a, b);
}

static inline osc_v8 osc_v8_mul(osc_v8 a, osc_v8 b)
{
    return _mm256_mullo_epi32(a, b);
}

static inline osc_v8 osc_v8_and(osc_v8 a, osc_v8 b)
{
    return _mm256_and_si256(a, b);
}

static inline osc_v8 osc_v8_greater(osc_v8 a, osc_v8 b)
{
    return _mm256_cmpgt_epi32(a, b);
}

static inline void osc_v8_transpose(osc_v8 v[4])
{
    __m256i low01 = _mm256_unpacklo_epi32(v[0], v[1]), high01 = _mm256_unpackhi_epi32(v[0], v[1]);
    __m256i low23 = _mm256_unpacklo_epi32(v[2], v[3]), high23 = _mm256_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm256_unpacklo_epi64(low01, low23);
    v[1] = _mm256_unpackhi_epi64(low01, low23);
    v[2] = _mm256_unpacklo_epi64(high01, high23);
    v[3] = _mm256_unpackhi_epi64(high01, high23);
}

static inline osc_v8 osc_v8_sums(osc_v8 a, osc_v8 b, osc_v8 c, osc_v8 d)
{
    return _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
}

static inline int osc_v8_any(osc_v8 mask)
{
    return _mm256_movemask_epi8(mask);
}

static inline int osc_v8_any_negative(osc_v8 v)
{
    return _mm256_movemask_ps(_mm256_castsi256_ps(v));
}

static inline osc_v8 osc_v8_flip(osc_v8 v, osc_v8 sign)
{
    return _mm256_sign_epi32(v, _mm256_or_si256(sign, _mm256_set1_epi32(1)));
}

static inline osc_v8 osc_v8_factor(osc_v8 g)
{
    return _mm256_slli_epi32(g, 16);
}

static inline osc_v8 osc_v8_scale(osc_v8 v, osc_v8 factor)
{
    __m256i even = _mm256_srli_epi64(_mm256_mul_epi32(v, factor), 32);
    __m256i odd = _mm256_mul_epi32(_mm256_srli_epi64(v, 32), factor);
    return _mm256_blend_epi32(even, odd, 0xaa);
}

#endif
