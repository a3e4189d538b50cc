/* SPDX-License-Identifier: MIT */
/* The offsets of transitions with SSE4.1: four rotations together, in 16-bit products. */
#ifndef OSC_SSE_OFFSET_H
#define OSC_SSE_OFFSET_H

#include "osc_sse.h"

/* osc_q14_half of each word in its upper half. */
OSC_INLINE __m128i osc_sse_q14_high(__m128i q)
{
    return _mm_slli_epi32(_mm_add_epi32(q, _mm_set1_epi32(32)), 10);
}

OSC_INLINE void osc_sse_keep(uint32_t *kept, __m128i q)
{
    const __m128i halves = _mm_set_epi32(-1, -1, 0x0f0e0b0a, 0x07060302);
    _mm_storel_epi64((__m128i *)(void *)kept, _mm_shuffle_epi8(_mm_slli_epi32(q, 10), halves));
}

static inline void osc_keep_rotation(uint32_t *record, uint32_t slot,
                                     const osc_quaternion *rotation)
{
    osc_sse_keep(record + slot, osc_v4_load(&rotation->x));
}

/* The rest of a record's offsets, as 32-bit numbers, and another number. */
OSC_INLINE __m128i osc_sse_offset_left(const uint32_t *record, __m128i basis)
{
    __m128i words = _mm_loadu_si128((const __m128i *)(const void *)record);
    return _mm_srai_epi32(_mm_madd_epi16(words, basis), 14);
}

/* Rotates a rotation and stores it. more, less: pairs of 16-bit numbers of the offset, in the order
 * of the rotation's below; products are added in pairs. */
OSC_INLINE void osc_sse_turn(__m128i more, __m128i less, uint32_t *kept, osc_quaternion *rotation)
{
    const __m128i with_more = _mm_set_epi32(0x03020f0e, 0x07060f0e, 0x03020f0e, 0x0b0a0f0e);
    const __m128i with_less = _mm_set_epi32(0x0b0a0706, 0x03020b0a, 0x0b0a0706, 0x07060302);
    __m128i q = osc_v4_load(&rotation->x), high = osc_sse_q14_high(q);
    __m128i sum = _mm_madd_epi16(more, _mm_shuffle_epi8(high, with_more));
    sum = _mm_sub_epi32(_mm_sign_epi32(sum, _mm_set_epi32(-1, 1, 1, 1)),
                        _mm_madd_epi16(less, _mm_shuffle_epi8(high, with_less)));
    q = _mm_add_epi32(q, _mm_srai_epi32(sum, 9));
    osc_v4_store(&rotation->x, q);
    osc_sse_keep(kept, q);
}

/* The same for the lower and the upper half of a vector. turn: x y z and 1 - w, 16-bit numbers. */
OSC_INLINE void osc_sse_turn_low(__m128i turn, uint32_t *kept, osc_quaternion *rotation)
{
    const __m128i more = _mm_set_epi32(0x01000706, 0x01000504, 0x05040302, 0x03020100);
    const __m128i less = _mm_set_epi32(0x05040302, 0x03020706, 0x01000706, 0x05040706);
    osc_sse_turn(_mm_shuffle_epi8(turn, more), _mm_shuffle_epi8(turn, less), kept, rotation);
}

OSC_INLINE void osc_sse_turn_high(__m128i turn, uint32_t *kept, osc_quaternion *rotation)
{
    const __m128i more = _mm_set_epi32(0x09080f0e, 0x09080d0c, 0x0d0c0b0a, 0x0b0a0908);
    const __m128i less = _mm_set_epi32(0x0d0c0b0a, 0x0b0a0f0e, 0x09080f0e, 0x0d0c0f0e);
    osc_sse_turn(_mm_shuffle_epi8(turn, more), _mm_shuffle_epi8(turn, less), kept, rotation);
}

/* osc_offset_stretch_q16 of four numbers. */
OSC_INLINE __m128i osc_sse_offset_stretch(__m128i s_q15)
{
    __m128i c = _mm_mulhi_epu16(s_q15, _mm_set1_epi32(OSC_OFFSET_C3));
    c = _mm_mulhi_epu16(s_q15, _mm_add_epi32(c, _mm_set1_epi32(OSC_OFFSET_C2)));
    c = _mm_mulhi_epu16(s_q15, _mm_add_epi32(c, _mm_set1_epi32(OSC_OFFSET_C1)));
    return _mm_sub_epi32(_mm_set1_epi32(OSC_OFFSET_C0), c);
}

/* Offsets of two rotations, x y z 0 each, as turns. stretch, less: of theirs, in their places. */
OSC_INLINE __m128i osc_sse_offset_turns(__m128i offsets, __m128i stretch, __m128i less)
{
    return _mm_or_si128(_mm_add_epi16(offsets, _mm_mulhi_epi16(offsets, stretch)), less);
}

static inline void osc_offset_4_rotations(uint32_t *records, uint32_t slot, uint32_t basis,
                                          osc_quaternion *rotations)
{
    uint32_t *record0 = records, *record1 = record0 + OSC_TRANSITION_ROTATION_WORDS;
    uint32_t *record2 = record1 + OSC_TRANSITION_ROTATION_WORDS;
    uint32_t *record3 = record2 + OSC_TRANSITION_ROTATION_WORDS;
    const __m128i three = _mm_set_epi32(0xffff, -1, 0xffff, -1);
    __m128i both = _mm_set1_epi32((int32_t)basis);
    __m128i low =
        _mm_packs_epi32(osc_sse_offset_left(record0, both), osc_sse_offset_left(record1, both));
    __m128i high =
        _mm_packs_epi32(osc_sse_offset_left(record2, both), osc_sse_offset_left(record3, both));
    low = _mm_and_si128(low, three);
    high = _mm_and_si128(high, three);
    __m128i s = _mm_hadd_epi32(_mm_madd_epi16(low, low), _mm_madd_epi16(high, high));
    s = _mm_srli_epi32(s, 15);
    __m128i stretch = osc_sse_offset_stretch(s);
    /* The stretch goes to x y z, and s to the lane behind them. */
    const __m128i low_xyz = _mm_set_epi32(-0xfafc, 0x05040504, -0xff00, 0x01000100);
    const __m128i high_xyz = _mm_set_epi32(-0xf2f4, 0x0d0c0d0c, -0xf6f8, 0x09080908);
    const __m128i low_w = _mm_set_epi32(0x0504ffff, -1, 0x0100ffff, -1);
    const __m128i high_w = _mm_set_epi32(0x0d0cffff, -1, 0x0908ffff, -1);
    low = osc_sse_offset_turns(low, _mm_shuffle_epi8(stretch, low_xyz), _mm_shuffle_epi8(s, low_w));
    high = osc_sse_offset_turns(high, _mm_shuffle_epi8(stretch, high_xyz),
                                _mm_shuffle_epi8(s, high_w));
    osc_sse_turn_low(low, record0 + slot, rotations);
    osc_sse_turn_high(low, record1 + slot, rotations + 1);
    osc_sse_turn_low(high, record2 + slot, rotations + 2);
    osc_sse_turn_high(high, record3 + slot, rotations + 3);
}

/* Of the lower half of a vector. */
static inline void osc_offset_rotation(uint32_t *record, uint32_t slot, uint32_t basis,
                                       osc_quaternion *rotation)
{
    const __m128i xyz = _mm_set_epi32(-1, -1, -0xff00, 0x01000100);
    const __m128i w = _mm_set_epi32(-1, -1, 0x0100ffff, -1);
    __m128i left = osc_sse_offset_left(record, _mm_set1_epi32((int32_t)basis));
    __m128i turn = _mm_and_si128(_mm_packs_epi32(left, left), _mm_set_epi32(0, 0, 0xffff, -1));
    __m128i s = _mm_madd_epi16(turn, turn);
    s = _mm_srli_epi32(_mm_hadd_epi32(s, s), 15);
    __m128i stretch = _mm_shuffle_epi8(osc_sse_offset_stretch(s), xyz);
    turn = osc_sse_offset_turns(turn, stretch, _mm_shuffle_epi8(s, w));
    osc_sse_turn_low(turn, record + slot, rotation);
}

static inline void osc_offset_vector(uint32_t *record, uint32_t slot, uint32_t basis,
                                     osc_vector *vector)
{
    __m128i left = osc_sse_offset_left(record, _mm_set1_epi32((int32_t)basis));
    __m128i v =
        _mm_insert_epi32(_mm_loadl_epi64((const __m128i *)(const void *)vector), vector->z, 2);
    v = _mm_add_epi32(v, _mm_slli_epi32(left, 7));
    _mm_storel_epi64((__m128i *)(void *)vector, v);
    vector->z = _mm_extract_epi32(v, 2);
    _mm_storel_epi64((__m128i *)(void *)(record + slot), v);
    record[slot + 2u] = (uint32_t)vector->z;
}

#endif
