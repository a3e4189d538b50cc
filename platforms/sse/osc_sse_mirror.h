/* SPDX-License-Identifier: MIT */
/* Mirrored poses with SSE4.1. */
#ifndef OSC_SSE_MIRROR_H
#define OSC_SSE_MIRROR_H

#include "osc_sse.h"

static inline __m128i osc_sse_load_vector(const osc_vector *v)
{
    return _mm_insert_epi32(_mm_loadl_epi64((const __m128i *)(const void *)v), v->z, 2);
}

static inline void osc_sse_store_vector(osc_vector *v, __m128i value)
{
    _mm_storel_epi64((__m128i *)(void *)v, value);
    v->z = _mm_extract_epi32(value, 2);
}

/* signs, opposite: 1 or -1 for the components of rotations and of vectors. */
OSC_INLINE void osc_sse_mirror_pair(size_t left, size_t right, __m128i signs, __m128i opposite,
                                    osc_quaternion *rotations, osc_vector *vectors)
{
    osc_quaternion *a = osc_rotation_at(rotations, left), *b = osc_rotation_at(rotations, right);
    osc_vector *c = osc_vector_at(vectors, left), *d = osc_vector_at(vectors, right);
    __m128i q = osc_v4_load(&a->x), p = osc_v4_load(&b->x);
    __m128i v = osc_sse_load_vector(c), u = osc_sse_load_vector(d);
    osc_v4_store(&a->x, _mm_sign_epi32(p, signs));
    osc_v4_store(&b->x, _mm_sign_epi32(q, signs));
    osc_sse_store_vector(c, _mm_sign_epi32(u, opposite));
    osc_sse_store_vector(d, _mm_sign_epi32(v, opposite));
}

static inline void osc_mirror_joints(const osc_mirror_group *group, const uint16_t *pairs,
                                     osc_quaternion *rotations, osc_vector *vectors)
{
    const int32_t sign = group->axis == 0u ? 1 : -1;
    const __m128i signs = _mm_set_epi32(1, group->axis == 3u ? 1 : sign,
                                        group->axis == 2u ? 1 : sign, group->axis == 1u ? 1 : sign);
    const __m128i opposite = _mm_sub_epi32(_mm_setzero_si128(), signs);
    const uint16_t *end = pairs + 2u * group->pair_count;
    for (; pairs != end; pairs += 2)
        osc_sse_mirror_pair(pairs[0], pairs[1], signs, opposite, rotations, vectors);
    for (end += 2u * group->middle_count; pairs != end; pairs += 2) {
        size_t joint = *pairs;
        osc_quaternion *q = osc_rotation_at(rotations, joint);
        osc_vector *v = osc_vector_at(vectors, joint);
        osc_v4_store(&q->x, _mm_sign_epi32(osc_v4_load(&q->x), signs));
        osc_sse_store_vector(v, _mm_sign_epi32(osc_sse_load_vector(v), opposite));
    }
}

#endif
