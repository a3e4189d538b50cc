/* SPDX-License-Identifier: MIT */
/* The switch of a transition on vectors of four 32-bit integers: the steps of begin_rotation and
 * begin_vector in runtime/mix/osc_transition.c, for four rotations together, and for the components
 * of a translation or scale. It needs the operations of osc_vector_rows.h and osc_v4_flip. */
#ifndef OSC_VECTOR_BEGIN_H
#define OSC_VECTOR_BEGIN_H

#include "port/osc_port.h"

#include OSC_PORT_VECTORS

static inline osc_v4 osc_v4_clamped(osc_v4 v, osc_v4 least, osc_v4 most)
{
    v = osc_v4_select(osc_v4_greater(v, most), most, v);
    return osc_v4_select(osc_v4_greater(least, v), least, v);
}

static inline osc_v4 osc_v4_held_16(osc_v4 v)
{
    return osc_v4_clamped(v, osc_v4_all((uint32_t)-32767), osc_v4_all(32767u));
}

/* offset_word of each lane. roomy: all ones or zero */
static inline osc_v4 osc_v4_offset_word(osc_v4 now, osc_v4 before, osc_v4 ratio, osc_v4 roomy)
{
    osc_v4 size = osc_v4_flip(now, now), zero = osc_v4_all(0);
    osc_v4 most = osc_v4_shr(osc_v4_add(osc_v4_shl(size, 2), size), 3);
    osc_v4 speed = osc_v4_mul(osc_v4_sub(now, before), ratio);
    speed = osc_v4_sar(speed, OSC_BEGIN_RATIO_BITS + 2);
    osc_v4 down = osc_v4_and(most, osc_v4_or(roomy, osc_v4_greater(now, zero)));
    osc_v4 up = osc_v4_and(most, osc_v4_or(roomy, osc_v4_greater(zero, now)));
    speed = osc_v4_clamped(speed, osc_v4_sub(zero, down), up);
    return osc_v4_or(osc_v4_and(now, osc_v4_all(0xffffu)), osc_v4_shl(speed, 16));
}

/* Two numbers of 16 bits in Q14 as Q15: the middle of the range that is rounded down to them. */
static inline void osc_v4_read_kept(osc_v4 words, osc_v4 *low, osc_v4 *high)
{
    osc_v4 one = osc_v4_all(1u);
    *low = osc_v4_or(osc_v4_sar(osc_v4_shl(words, 16), 15), one);
    *high = osc_v4_or(osc_v4_shl(osc_v4_sar(words, 16), 1), one);
}

/* 2^31 / g; g is from 2^16 to 2^17. */
static inline osc_v4 osc_v4_inverse_q15(osc_v4 g_q16)
{
    int32_t g[4];
    osc_v4_store(g, g_q16);
    for (uint32_t i = 0; i < 4u; i++)
        g[i] = (int32_t)((1u << 31) / (uint32_t)g[i]);
    return osc_v4_load(g);
}

/* offset_between for four rotations. flip: the sign of d in each lane; null: that of the shorter
 * arc. Returns the sign, as a number that is negative or not. */
static inline osc_v4 osc_v4_offsets_between(const osc_v4 to[4], const osc_v4 back[4],
                                            const osc_v4 *flip, osc_v4 offset[3])
{
    const osc_v4 x = to[0], y = to[1], z = to[2], w = to[3];
    const osc_v4 bx = back[0], by = back[1], bz = back[2], bw = back[3];
    osc_v4 tx = osc_v4_add(osc_v4_mul(w, bx), osc_v4_mul(x, bw));
    tx = osc_v4_add(tx, osc_v4_sub(osc_v4_mul(y, bz), osc_v4_mul(z, by)));
    osc_v4 ty = osc_v4_add(osc_v4_mul(w, by), osc_v4_mul(y, bw));
    ty = osc_v4_add(ty, osc_v4_sub(osc_v4_mul(z, bx), osc_v4_mul(x, bz)));
    osc_v4 tz = osc_v4_add(osc_v4_mul(w, bz), osc_v4_mul(z, bw));
    tz = osc_v4_add(tz, osc_v4_sub(osc_v4_mul(x, by), osc_v4_mul(y, bx)));
    osc_v4 tw = osc_v4_sub(osc_v4_mul(w, bw), osc_v4_mul(x, bx));
    tw = osc_v4_sub(tw, osc_v4_add(osc_v4_mul(y, by), osc_v4_mul(z, bz)));
    osc_v4 sign = flip != 0 ? *flip : tw, half = osc_v4_all(1u << 14);
    tx = osc_v4_held_16(osc_v4_flip(osc_v4_sar(osc_v4_add(tx, half), 15), sign));
    ty = osc_v4_held_16(osc_v4_flip(osc_v4_sar(osc_v4_add(ty, half), 15), sign));
    tz = osc_v4_held_16(osc_v4_flip(osc_v4_sar(osc_v4_add(tz, half), 15), sign));
    tw = osc_v4_held_16(osc_v4_flip(osc_v4_sar(osc_v4_add(tw, half), 15), sign));
    osc_v4 least = osc_v4_all(OSC_BEGIN_LEAST_REAL_Q15);
    osc_v4 s = osc_v4_sub(osc_v4_all(32768u), osc_v4_select(osc_v4_greater(least, tw), least, tw));
    osc_v4 c = osc_v4_shr(osc_v4_mul(s, osc_v4_all(OSC_OFFSET_C3)), 16);
    c = osc_v4_shr(osc_v4_mul(s, osc_v4_add(c, osc_v4_all(OSC_OFFSET_C2))), 16);
    c = osc_v4_shr(osc_v4_mul(s, osc_v4_add(c, osc_v4_all(OSC_OFFSET_C1))), 16);
    osc_v4 inverse = osc_v4_inverse_q15(osc_v4_sub(osc_v4_all(65536u + OSC_OFFSET_C0), c));
    offset[0] = osc_v4_sar(osc_v4_add(osc_v4_mul(tx, inverse), half), 15);
    offset[1] = osc_v4_sar(osc_v4_add(osc_v4_mul(ty, inverse), half), 15);
    offset[2] = osc_v4_sar(osc_v4_add(osc_v4_mul(tz, inverse), half), 15);
    return sign;
}

/* A component as if it had been stored and read. */
static inline osc_v4 osc_v4_clip_component(osc_v4 q)
{
    return osc_v4_or(osc_v4_sar(osc_v4_shl(q, 10), 15), osc_v4_all(1u));
}

static inline void osc_begin_4_rotations(uint32_t *records, uint32_t newest, uint32_t older,
                                         uint32_t ratio, const osc_quaternion *rotations)
{
    uint32_t *record[4];
    osc_v4 back[4], shown[4], earlier[4], slots[4], now[3], before[3], words[4];
    for (uint32_t i = 0; i < 4u; i++) {
        record[i] = records + i * OSC_TRANSITION_ROTATION_WORDS;
        back[i] = osc_v4_load(&rotations[i].x);
        slots[i] = osc_v4_load((const int32_t *)record[i] + OSC_OFFSET_SLOT); /* both */
    }
    osc_v4_transpose(back);
    osc_v4_transpose(slots);
    const osc_v4 zero = osc_v4_all(0);
    for (uint32_t i = 0; i < 4u; i++)
        back[i] = osc_v4_clip_component(back[i]);
    for (uint32_t i = 0; i < 3u; i++)
        back[i] = osc_v4_sub(zero, back[i]);
    for (uint32_t i = 0; i < 2u; i++) {
        osc_v4_read_kept(slots[2u * newest + i], &shown[2u * i], &shown[2u * i + 1u]);
        osc_v4_read_kept(slots[2u * older + i], &earlier[2u * i], &earlier[2u * i + 1u]);
    }
    osc_v4 dot = zero, s = zero;
    for (uint32_t i = 0; i < 4u; i++)
        dot = osc_v4_add(dot, osc_v4_mul(osc_v4_sar(shown[i], 1), osc_v4_sar(earlier[i], 1)));
    osc_v4 sign = osc_v4_offsets_between(shown, back, 0, now);
    sign = osc_v4_xor(sign, dot);
    (void)osc_v4_offsets_between(earlier, back, &sign, before);
    for (uint32_t i = 0; i < 3u; i++)
        s = osc_v4_add(s, osc_v4_mul(now[i], now[i]));
    /* Squares have no sign: the bounds are shifted to where that makes no difference. */
    s = osc_v4_add(s, osc_v4_all(0x80000000u));
    osc_v4 huge = osc_v4_greater(s, osc_v4_all(OSC_BEGIN_HUGE_Q30 + 0x80000000u));
    osc_v4 roomy = osc_v4_greater(osc_v4_all(OSC_BEGIN_ROOMY_Q30 + 0x80000001u), s);
    for (uint32_t i = 0; i < 3u; i++)
        words[i] = osc_v4_offset_word(osc_v4_select(huge, zero, now[i]), before[i],
                                      osc_v4_all(ratio), roomy);
    words[3] = zero;
    osc_v4_transpose(words);
    for (uint32_t i = 0; i < 4u; i++)
        osc_v4_store3((int32_t *)record[i], words[i]);
}

static inline void osc_begin_vector(uint32_t *record, const uint32_t *newest, const uint32_t *older,
                                    uint32_t ratio, const osc_vector *vector)
{
    osc_v4 to = osc_v4_load3(&vector->x), half = osc_v4_all(1u << 6);
    osc_v4 now = osc_v4_sub(osc_v4_load3((const int32_t *)newest), to);
    osc_v4 before = osc_v4_sub(osc_v4_load3((const int32_t *)older), to);
    now = osc_v4_held_16(osc_v4_sar(osc_v4_add(now, half), 7));
    before = osc_v4_held_16(osc_v4_sar(osc_v4_add(before, half), 7));
    osc_v4 words = osc_v4_offset_word(now, before, osc_v4_all(ratio), osc_v4_all(~0u));
    osc_v4_store3((int32_t *)record, words);
}

#endif
