/* SPDX-License-Identifier: MIT */
/* The offsets of transitions on processors with 16-bit products in pairs: Cortex-M4 and up. */
#ifndef OSC_DSP_OFFSET_H
#define OSC_DSP_OFFSET_H

#include "port/osc_port.h"

#include <arm_acle.h>

/* The upper halves of two words. */
OSC_INLINE uint32_t osc_dsp_tops(int32_t low, int32_t high)
{
    uint32_t pair;
    __asm__("pkhtb %0, %1, %2, asr #16" : "=r"(pair) : "r"(high), "r"(low));
    return pair;
}

/* osc_q14_half of two numbers. half: 2^15, in a register, where it costs nothing to add. */
OSC_INLINE int16x2_t osc_dsp_q14_pair(int32_t low, int32_t high, int32_t half)
{
    return (int16x2_t)osc_dsp_tops(osc_add(half, osc_shl(low, 10)),
                                   osc_add(half, osc_shl(high, 10)));
}

OSC_INLINE void osc_dsp_keep(uint32_t *kept, osc_pair xy, osc_pair zw)
{
    const osc_pair q = {(int32_t)osc_dsp_tops(osc_shl(xy.a, 10), osc_shl(xy.b, 10)),
                        (int32_t)osc_dsp_tops(osc_shl(zw.a, 10), osc_shl(zw.b, 10))};
    osc_store_pair((int32_t *)kept, q);
}

static inline void osc_keep_rotation(uint32_t *record, uint32_t slot,
                                     const osc_quaternion *rotation)
{
    osc_dsp_keep(record + slot, osc_load_pair(&rotation->x), osc_load_pair(&rotation->z));
}

OSC_INLINE int16x2_t osc_dsp_pair(int32_t low, int32_t high)
{
    int16x2_t pair;
    __asm__("pkhbt %0, %1, %2, lsl #16" : "=r"(pair) : "r"(low), "r"(high));
    return pair;
}

OSC_INLINE int32_t osc_dsp_left(uint32_t offset, uint32_t basis)
{
    return __smuad((int16x2_t)offset, (int16x2_t)basis) >> 14;
}

static inline void osc_offset_rotation(uint32_t *record, uint32_t slot, uint32_t basis,
                                       osc_quaternion *rotation)
{
    int32_t x = osc_dsp_left(record[0], basis), y = osc_dsp_left(record[1], basis);
    int32_t z = osc_dsp_left(record[2], basis);
    uint32_t s_q15 =
        ((uint32_t)osc_mul(x, x) + (uint32_t)osc_mul(y, y) + (uint32_t)osc_mul(z, z)) >> 15;
    int32_t stretch = osc_offset_stretch_q16(s_q15);
    x = osc_dsp_stretched(x, stretch);
    y = osc_dsp_stretched(y, stretch);
    z = osc_dsp_stretched(z, stretch);
    int16x2_t t_xy = osc_dsp_pair(x, y), t_zw = osc_dsp_pair(z, -(int32_t)s_q15);
    int32_t half = osc_unknown(0x8000);
    osc_pair xy = osc_load_pair(&rotation->x), zw = osc_load_pair(&rotation->z);
    int16x2_t q_xy = osc_dsp_q14_pair(xy.a, xy.b, half);
    int16x2_t q_zw = osc_dsp_q14_pair(zw.a, zw.b, half);
    xy.a = osc_add(xy.a, __smlsdx(q_xy, t_zw, __smuadx(t_xy, q_zw)) >> 9);
    xy.b = osc_add(xy.b, osc_sub(__smuad(t_zw, q_xy), __smusd(t_xy, q_zw)) >> 9);
    zw.a = osc_add(zw.a, __smlsdx(t_xy, q_xy, __smuadx(t_zw, q_zw)) >> 9);
    zw.b = osc_add(zw.b, osc_sub(0, __smlad(t_xy, q_xy, __smusd(t_zw, q_zw))) >> 9);
    osc_store_pair(&rotation->x, xy);
    osc_store_pair(&rotation->z, zw);
    osc_dsp_keep(record + slot, xy, zw);
}

#endif
