/* The offsets of transitions with SSE4.1: four rotations at once, in 16-bit products. */
#ifndef OSC_SSE_OFFSET_H
#define OSC_SSE_OFFSET_H

#include "osc_sse.h"

/* What is left of three offsets, as 32-bit numbers; 0 above. */
static inline __m128i osc_sse_offset_left(const uint32_t *record, __m128i basis)
{
    __m128i words = _mm_loadl_epi64((const __m128i *)(const void *)record);
    words = _mm_insert_epi32(words, (int32_t)record[2], 2);
    return _mm_srai_epi32(_mm_add_epi32(_mm_madd_epi16(words, basis), _mm_set1_epi32(8192)), 14);
}

/* Turns one rotation and keeps it. turn: x y z w-1 as 16-bit numbers in the low half. */
static inline void osc_sse_turn(__m128i turn, uint32_t *slot, osc_quaternion *rotation)
{
    /* Bytes of pairs of 16-bit numbers: of the turn, from its lanes; of the rotation, from the high
     * halves of its words. Their products are added in pairs. */
    const __m128i turn_first = _mm_set_epi32(0x01000706, 0x05040706, 0x03020706, 0x01000706);
    const __m128i turn_then = _mm_set_epi32(0x05040302, 0x03020100, 0x01000504, 0x05040302);
    const __m128i first_sign = _mm_set_epi32(-0xffff, 0x10001, 0x10001, 0x10001);
    const __m128i then_sign = _mm_set_epi32(-1, -0xffff, -0xffff, -0xffff);
    const __m128i rotation_first = _mm_set_epi32(0x03020f0e, 0x0f0e0b0a, 0x0f0e0706, 0x0f0e0302);
    const __m128i rotation_then = _mm_set_epi32(0x0b0a0706, 0x03020706, 0x0b0a0302, 0x07060b0a);
    const __m128i kept = _mm_set_epi32(-1, -1, 0x0f0e0b0a, 0x07060302);
    const __m128i half = _mm_set1_epi32(32);

    __m128i q = osc_v4_load(&rotation->x);
    __m128i high = _mm_slli_epi32(_mm_add_epi32(q, half), 10);
    __m128i first = _mm_sign_epi16(_mm_shuffle_epi8(turn, turn_first), first_sign);
    __m128i then = _mm_sign_epi16(_mm_shuffle_epi8(turn, turn_then), then_sign);
    __m128i sum = _mm_madd_epi16(first, _mm_shuffle_epi8(high, rotation_first));
    sum = _mm_add_epi32(sum, _mm_madd_epi16(then, _mm_shuffle_epi8(high, rotation_then)));
    q = _mm_add_epi32(q, _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(256)), 9));
    osc_v4_store(&rotation->x, q);
    high = _mm_slli_epi32(_mm_add_epi32(q, half), 10);
    _mm_storel_epi64((__m128i *)(void *)slot, _mm_shuffle_epi8(high, kept));
}

static inline void osc_offset_4_rotations(uint32_t *records, uint32_t slot, uint32_t basis,
                                          osc_quaternion *const rotations[4])
{
    uint32_t *record0 = records, *record1 = record0 + OSC_TRANSITION_ROTATION_WORDS;
    uint32_t *record2 = record1 + OSC_TRANSITION_ROTATION_WORDS;
    uint32_t *record3 = record2 + OSC_TRANSITION_ROTATION_WORDS;
    __m128i both = _mm_set1_epi32((int32_t)basis);
    __m128i low =
        _mm_packs_epi32(osc_sse_offset_left(record0, both), osc_sse_offset_left(record1, both));
    __m128i high =
        _mm_packs_epi32(osc_sse_offset_left(record2, both), osc_sse_offset_left(record3, both));
    __m128i squares = _mm_hadd_epi32(_mm_madd_epi16(low, low), _mm_madd_epi16(high, high));
    __m128i n = _mm_max_epi32(_mm_sub_epi32(_mm_set1_epi32(1 << 30), squares), _mm_setzero_si128());
    __m128i w = osc_v4_root_q20(_mm_srli_epi32(n, 2));
    w = _mm_srai_epi32(_mm_sub_epi32(w, _mm_set1_epi32(OSC_ONE_Q20 - 16)), 5);
    /* w - 1, a 16-bit number, goes to the lane behind z, which is 0. */
    const __m128i low_w = _mm_set_epi32(0x0504ffff, -1, 0x0100ffff, -1);
    const __m128i high_w = _mm_set_epi32(0x0d0cffff, -1, 0x0908ffff, -1);
    low = _mm_or_si128(low, _mm_shuffle_epi8(w, low_w));
    high = _mm_or_si128(high, _mm_shuffle_epi8(w, high_w));
    osc_sse_turn(low, record0 + slot, rotations[0]);
    osc_sse_turn(_mm_srli_si128(low, 8), record1 + slot, rotations[1]);
    osc_sse_turn(high, record2 + slot, rotations[2]);
    osc_sse_turn(_mm_srli_si128(high, 8), record3 + slot, rotations[3]);
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
