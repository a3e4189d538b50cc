/* SPDX-License-Identifier: MIT */
/* Vectors of four for x86: SSE2, and SSE4.1 where the compiler may use it. */
#ifndef OSC_SSE_H
#define OSC_SSE_H

#include "port/osc_port.h"

#include <emmintrin.h>
#if defined(__SSE4_1__)
#include <smmintrin.h>
#include <tmmintrin.h>
#endif

typedef __m128i osc_v4;

#define osc_v4_shl(v, bits) _mm_slli_epi32(v, bits)
#define osc_v4_shr(v, bits) _mm_srli_epi32(v, bits)
#define osc_v4_sar(v, bits) _mm_srai_epi32(v, bits)
#define osc_v4_lane(v, i) _mm_shuffle_epi32(v, (i)*0x55)

static inline osc_v4 osc_v4_load(const int32_t *words)
{
    return _mm_loadu_si128((const __m128i *)words);
}

static inline void osc_v4_store(int32_t *words, osc_v4 v)
{
    _mm_storeu_si128((__m128i *)words, v);
}

static inline osc_v4 osc_v4_all(uint32_t x)
{
    return _mm_set1_epi32((int32_t)x);
}

static inline osc_v4 osc_v4_add(osc_v4 a, osc_v4 b)
{
    return _mm_add_epi32(a, b);
}

static inline osc_v4 osc_v4_sub(osc_v4 a, osc_v4 b)
{
    return _mm_sub_epi32(a, b);
}

static inline osc_v4 osc_v4_mul(osc_v4 a, osc_v4 b)
{
#if defined(__SSE4_1__)
    return _mm_mullo_epi32(a, b);
#else
    __m128i even = _mm_mul_epu32(a, b);
    __m128i odd = _mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32));
    return _mm_unpacklo_epi32(_mm_shuffle_epi32(even, 8), _mm_shuffle_epi32(odd, 8));
#endif
}

static inline osc_v4 osc_v4_mul_add(osc_v4 sum, osc_v4 a, osc_v4 b)
{
    return osc_v4_add(osc_v4_mul(a, b), sum);
}

static inline osc_v4 osc_v4_and(osc_v4 a, osc_v4 b)
{
    return _mm_and_si128(a, b);
}

static inline osc_v4 osc_v4_or(osc_v4 a, osc_v4 b)
{
    return _mm_or_si128(a, b);
}

static inline osc_v4 osc_v4_xor(osc_v4 a, osc_v4 b)
{
    return _mm_xor_si128(a, b);
}

static inline osc_v4 osc_v4_equal(osc_v4 a, osc_v4 b)
{
    return _mm_cmpeq_epi32(a, b);
}

static inline osc_v4 osc_v4_greater(osc_v4 a, osc_v4 b)
{
    return _mm_cmpgt_epi32(a, b);
}

static inline osc_v4 osc_v4_select(osc_v4 mask, osc_v4 a, osc_v4 b)
{
#if defined(__SSE4_1__)
    return _mm_blendv_epi8(b, a, mask);
#else
    return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
#endif
}

static inline void osc_v4_transpose(osc_v4 v[4])
{
    __m128i low01 = _mm_unpacklo_epi32(v[0], v[1]), high01 = _mm_unpackhi_epi32(v[0], v[1]);
    __m128i low23 = _mm_unpacklo_epi32(v[2], v[3]), high23 = _mm_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm_unpacklo_epi64(low01, low23);
    v[1] = _mm_unpackhi_epi64(low01, low23);
    v[2] = _mm_unpacklo_epi64(high01, high23);
    v[3] = _mm_unpackhi_epi64(high01, high23);
}

static inline osc_v4 osc_v4_sums(osc_v4 a, osc_v4 b, osc_v4 c, osc_v4 d)
{
#if defined(__SSE4_1__)
    return _mm_hadd_epi32(_mm_hadd_epi32(a, b), _mm_hadd_epi32(c, d));
#else
    osc_v4 v[4] = {a, b, c, d};
    osc_v4_transpose(v);
    return osc_v4_add(osc_v4_add(v[0], v[1]), osc_v4_add(v[2], v[3]));
#endif
}

static inline osc_v4 osc_v4_sum(osc_v4 v)
{
#if defined(__SSE4_1__)
    v = _mm_hadd_epi32(v, v);
    return _mm_hadd_epi32(v, v);
#else
    v = _mm_add_epi32(v, _mm_shuffle_epi32(v, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm_add_epi32(v, _mm_shuffle_epi32(v, _MM_SHUFFLE(2, 3, 0, 1)));
#endif
}

static inline int osc_v4_any(osc_v4 mask)
{
    return _mm_movemask_epi8(mask);
}

static inline int osc_v4_any_negative(osc_v4 v)
{
    return _mm_movemask_ps(_mm_castsi128_ps(v));
}

static inline osc_v4 osc_v4_flip(osc_v4 v, osc_v4 sign)
{
#if defined(__SSE4_1__)
    return _mm_sign_epi32(v, _mm_or_si128(sign, _mm_set1_epi32(1)));
#else
    sign = _mm_srai_epi32(sign, 31);
    return _mm_sub_epi32(_mm_xor_si128(v, sign), sign);
#endif
}

#if defined(__SSE4_1__)

static inline osc_v4 osc_v4_factor(osc_v4 g)
{
    return _mm_slli_epi32(g, 16);
}

/* The upper halves of the products. */
static inline osc_v4 osc_v4_scale(osc_v4 v, osc_v4 factor)
{
    __m128i even = _mm_srli_epi64(_mm_mul_epi32(v, factor), 32);
    return _mm_blend_epi16(even, _mm_mul_epi32(_mm_srli_epi64(v, 32), factor), 0xcc);
}

#else

static inline osc_v4 osc_v4_factor(osc_v4 g)
{
    return g;
}

static inline osc_v4 osc_v4_scale(osc_v4 v, osc_v4 factor)
{
    __m128i low = osc_v4_mul(_mm_and_si128(v, _mm_set1_epi32(0xffff)), factor);
    return _mm_add_epi32(osc_v4_mul(_mm_srai_epi32(v, 16), factor), _mm_srai_epi32(low, 16));
}

#endif

/* In double precision n * 2^12 is exact, and its root is off by less than 2^-32, whatever the
 * rounding mode; it is never that near to a half, so the rounded result is exact. */
static inline __m128i osc_two_roots_q20(__m128i n_q28)
{
    __m128d square = _mm_mul_pd(_mm_cvtepi32_pd(n_q28), _mm_set1_pd(4096.0));
    return _mm_cvttpd_epi32(_mm_add_pd(_mm_sqrt_pd(square), _mm_set1_pd(0.5)));
}

static inline osc_v4 osc_v4_root_q20(osc_v4 n_q28)
{
    __m128i low = osc_two_roots_q20(n_q28);
    return _mm_unpacklo_epi64(low, osc_two_roots_q20(_mm_unpackhi_epi64(n_q28, n_q28)));
}

static inline osc_v4 osc_v4_load3(const int32_t *words)
{
    __m128i low = _mm_loadl_epi64((const __m128i *)words);
#if defined(__SSE4_1__)
    return _mm_insert_epi32(low, words[2], 2);
#else
    return _mm_unpacklo_epi64(low, _mm_cvtsi32_si128(words[2]));
#endif
}

static inline void osc_v4_store3(int32_t *words, osc_v4 v)
{
    _mm_storel_epi64((__m128i *)words, v);
#if defined(__SSE4_1__)
    words[2] = _mm_extract_epi32(v, 2);
#else
    words[2] = _mm_cvtsi128_si32(_mm_unpackhi_epi64(v, v));
#endif
}

static inline void osc_v4_store_vectors(osc_v4 v0, osc_v4 v1, osc_v4 v2, osc_vector *out0,
                                        osc_vector *out1, osc_vector *out2, osc_vector *out3)
{
    osc_v4_store3(&out0->x, v0);
    out1->x = _mm_cvtsi128_si32(_mm_shuffle_epi32(v0, 3));
    _mm_storel_epi64((__m128i *)&out1->y, v1);
    _mm_storel_epi64((__m128i *)&out2->x, _mm_unpackhi_epi64(v1, v1));
    out2->z = _mm_cvtsi128_si32(v2);
    osc_v4_store3(&out3->x, _mm_srli_si128(v2, 4));
}

#if defined(__AVX2__)
#include "osc_avx2.h"
#endif

#endif
