/* The offsets of transitions with SSE4.1: four rotations at once, in 16-bit products. */
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

/* What is left of a record's offsets, as 32-bit numbers, and another number. */
OSC_INLINE __m128i osc_sse_offset_left(const uint32_t *record, __m128i basis)
{
    __m128i words = _mm_loadu_si128((const __m128i *)(const void *)record);
    return _mm_srai_epi32(_mm_madd_epi16(words, basis), 14);
}

/* Turns one rotation and keeps it. turn: d - 1 and its negative, as 16-bit numbers. */
OSC_INLINE void osc_sse_turn(__m128i turn, uint32_t *kept, osc_quaternion *rotation)
{
    /* Bytes of pairs of 16-bit numbers: of the turn; and of the rotation, from the high halves of
     * its words. Their products are added in pairs. */
    const __m128i turn_first = _mm_set_epi32(0x09080706, 0x05040706, 0x03020706, 0x01000706);
    const __m128i turn_then = _mm_set_epi32(0x0d0c0b0a, 0x0b0a0100, 0x09080504, 0x0d0c0302);
    const __m128i rotation_first = _mm_set_epi32(0x03020f0e, 0x0f0e0b0a, 0x0f0e0706, 0x0f0e0302);
    const __m128i rotation_then = _mm_set_epi32(0x0b0a0706, 0x03020706, 0x0b0a0302, 0x07060b0a);
    __m128i q = osc_v4_load(&rotation->x), high = osc_sse_q14_high(q);
    __m128i sum = _mm_madd_epi16(_mm_shuffle_epi8(turn, turn_first),
                                 _mm_shuffle_epi8(high, rotation_first));
    sum = _mm_add_epi32(sum, _mm_madd_epi16(_mm_shuffle_epi8(turn, turn_then),
                                            _mm_shuffle_epi8(high, rotation_then)));
    q = _mm_add_epi32(q, _mm_srai_epi32(sum, 9));
    osc_v4_store(&rotation->x, q);
    osc_sse_keep(kept, q);
}

/* osc_offset_stretch_q16 of four numbers. */
OSC_INLINE __m128i osc_sse_offset_stretch(__m128i s_q15)
{
    __m128i c = _mm_mulhi_epu16(s_q15, _mm_set1_epi32(OSC_OFFSET_C3));
    c = _mm_mulhi_epu16(s_q15, _mm_add_epi32(c, _mm_set1_epi32(OSC_OFFSET_C2)));
    c = _mm_mulhi_epu16(s_q15, _mm_add_epi32(c, _mm_set1_epi32(OSC_OFFSET_C1)));
    return _mm_sub_epi32(_mm_set1_epi32(OSC_OFFSET_C0), c);
}

/* Offsets of two rotations, x y z 0 each, as differences d - 1. stretch, real: places of theirs. */
OSC_INLINE __m128i osc_sse_offset_turns(__m128i offsets, __m128i stretch, __m128i real)
{
    return _mm_or_si128(_mm_add_epi16(offsets, _mm_mulhi_epi16(offsets, stretch)), real);
}

static inline void osc_offset_4_rotations(uint32_t *records, uint32_t slot, uint32_t basis,
                                          osc_quaternion *rotations)
{
    uint32_t *record0 = records, *record1 = record0 + OSC_TRANSITION_ROTATION_WORDS;
    uint32_t *record2 = record1 + OSC_TRANSITION_ROTATION_WORDS;
    uint32_t *record3 = record2 + OSC_TRANSITION_ROTATION_WORDS;
    const __m128i three = _mm_set_epi32(0xffff, -1, 0xffff, -1);
    __m128i both = _mm_set1_epi32((int32_t)basis), zero = _mm_setzero_si128();
    __m128i low =
        _mm_packs_epi32(osc_sse_offset_left(record0, both), osc_sse_offset_left(record1, both));
    __m128i high =
        _mm_packs_epi32(osc_sse_offset_left(record2, both), osc_sse_offset_left(record3, both));
    low = _mm_and_si128(low, three);
    high = _mm_and_si128(high, three);
    __m128i squares = _mm_hadd_epi32(_mm_madd_epi16(low, low), _mm_madd_epi16(high, high));
    __m128i s = _mm_srli_epi32(squares, 15), real = _mm_sub_epi32(zero, s);
    __m128i stretch = osc_sse_offset_stretch(s);
    /* The stretch goes to x y z, the real part to the lane behind them, which is 0. */
    const __m128i low_xyz = _mm_set_epi32(-0xfafc, 0x05040504, -0xff00, 0x01000100);
    const __m128i high_xyz = _mm_set_epi32(-0xf2f4, 0x0d0c0d0c, -0xf6f8, 0x09080908);
    const __m128i low_w = _mm_set_epi32(0x0504ffff, -1, 0x0100ffff, -1);
    const __m128i high_w = _mm_set_epi32(0x0d0cffff, -1, 0x0908ffff, -1);
    low = osc_sse_offset_turns(low, _mm_shuffle_epi8(stretch, low_xyz),
                               _mm_shuffle_epi8(real, low_w));
    high = osc_sse_offset_turns(high, _mm_shuffle_epi8(stretch, high_xyz),
                                _mm_shuffle_epi8(real, high_w));
    __m128i low_back = _mm_sub_epi16(zero, low), high_back = _mm_sub_epi16(zero, high);
    osc_sse_turn(_mm_unpacklo_epi64(low, low_back), record0 + slot, rotations + 0);
    osc_sse_turn(_mm_unpackhi_epi64(low, low_back), record1 + slot, rotations + 1);
    osc_sse_turn(_mm_unpacklo_epi64(high, high_back), record2 + slot, rotations + 2);
    osc_sse_turn(_mm_unpackhi_epi64(high, high_back), record3 + slot, rotations + 3);
}

/* The single one: the same with one record, whose neighbours do not count. */
static inline void osc_offset_rotation(uint32_t *record, uint32_t slot, uint32_t basis,
                                       osc_quaternion *rotation)
{
    const __m128i xyz = _mm_set_epi32(-1, -1, -0xff00, 0x01000100);
    const __m128i w = _mm_set_epi32(-1, -1, 0x0100ffff, -1);
    __m128i zero = _mm_setzero_si128(), left = osc_sse_offset_left(record, _mm_set1_epi32((int32_t)basis));
    __m128i turn = _mm_and_si128(_mm_packs_epi32(left, left), _mm_set_epi32(0, 0, 0xffff, -1));
    __m128i squares = _mm_madd_epi16(turn, turn);
    __m128i s = _mm_srli_epi32(_mm_hadd_epi32(squares, squares), 15);
    turn = osc_sse_offset_turns(turn, _mm_shuffle_epi8(osc_sse_offset_stretch(s), xyz),
                                _mm_shuffle_epi8(_mm_sub_epi32(zero, s), w));
    osc_sse_turn(_mm_unpacklo_epi64(turn, _mm_sub_epi16(zero, turn)), record + slot, rotation);
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
