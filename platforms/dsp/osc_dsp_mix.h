/* SPDX-License-Identifier: MIT */
/* Mixing for Cortex-M3 and up, and for Armv6: the steps of runtime/arithmetic/osc_mix_arithmetic.h.
 * Two rotations need more registers than there are, so components are read again after the dot
 * product; compilers would spill them to the stack. */
#ifndef OSC_DSP_MIX_H
#define OSC_DSP_MIX_H

#include "port/osc_port.h"

#if defined(__thumb2__)

/* For the second half of a rotation osc_load_pair and osc_store_pair would need another pointer. */
static inline osc_pair osc_dsp_load_zw(const osc_quaternion *rotation)
{
    osc_pair pair;
    __asm__("ldrd %0, %1, [%2, #8]"
            : "=r"(pair.a), "=r"(pair.b)
            : "r"(rotation), "m"(*(const osc_pair *)&rotation->z));
    return pair;
}

static inline void osc_dsp_store_zw(osc_quaternion *rotation, osc_pair pair)
{
    __asm__("strd %1, %2, [%3, #8]"
            : "=m"(*(osc_pair *)&rotation->z)
            : "r"(pair.a), "r"(pair.b), "r"(rotation));
}

#else /* ARM state loads pairs only into neighbouring registers, which the compiler chooses */

static inline osc_pair osc_dsp_load_zw(const osc_quaternion *rotation)
{
    return osc_load_pair(&rotation->z);
}

static inline void osc_dsp_store_zw(osc_quaternion *rotation, osc_pair pair)
{
    osc_store_pair(&rotation->z, pair);
}

#endif

static inline osc_pair osc_dsp_negative(osc_pair pair)
{
    const osc_pair negative = {osc_sub(0, pair.a), osc_sub(0, pair.b)};
    return negative;
}

/* A component's step, with both rotations in one hemisphere. */
static inline int32_t osc_dsp_toward(int32_t from, int32_t to, int32_t weight_q15)
{
    return osc_add(from, osc_mul(osc_sub(to, from) >> 5, weight_q15) >> 10);
}

/* apart: the two rotations are in different hemispheres. A constant, so that each case has code of
 * its own. */
OSC_INLINE void osc_dsp_step(osc_quaternion *rotation, osc_pair xy, osc_pair zw,
                             const osc_quaternion *with, int32_t weight_q15, bool apart)
{
    osc_pair to = osc_load_pair(&with->x);
    to = apart ? osc_dsp_negative(to) : to;
    xy.a = osc_dsp_toward(xy.a, to.a, weight_q15);
    xy.b = osc_dsp_toward(xy.b, to.b, weight_q15);
    osc_store_pair(&rotation->x, xy);
    to = osc_dsp_load_zw(with);
    to = apart ? osc_dsp_negative(to) : to;
    zw.a = osc_dsp_toward(zw.a, to.a, weight_q15);
    zw.b = osc_dsp_toward(zw.b, to.b, weight_q15);
    osc_dsp_store_zw(rotation, zw);
}

static inline void osc_mix_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                     uint32_t count, int32_t weight_q15)
{
    for (osc_quaternion *a = rotations; count != 0u; count--, a++, with++) {
        osc_pair xy = osc_load_pair(&a->x), zw = osc_dsp_load_zw(a);
        osc_pair to = osc_load_pair(&with->x);
        int32_t dot = osc_add(osc_mul(to.a >> 10, xy.a), osc_mul(to.b >> 10, xy.b));
        to = osc_dsp_load_zw(with);
        dot = osc_add(osc_add(dot, osc_mul(to.a >> 10, zw.a)), osc_mul(to.b >> 10, zw.b));
        if (OSC_UNLIKELY(dot < 0))
            osc_dsp_step(a, xy, zw, with, weight_q15, true);
        else
            osc_dsp_step(a, xy, zw, with, weight_q15, false);
    }
}

/* A component's step and stretch, with both rotations in one hemisphere. */
static inline int32_t osc_dsp_mixed(int32_t from, int32_t to, int32_t weight_q15,
                                    int32_t stretch_q16)
{
    int32_t step = osc_half_up(osc_sub(to, from), 5);
    int32_t mixed = osc_add(from, osc_mul(step, weight_q15) >> 10);
    return osc_add(mixed, osc_mul(mixed >> 4, stretch_q16) >> 12);
}

OSC_INLINE void osc_dsp_unit_step(osc_quaternion *rotation, const osc_quaternion *with,
                                  int32_t weight_q15, int32_t stretch_q16, bool apart)
{
    osc_pair q = osc_load_pair(&rotation->x), to = osc_load_pair(&with->x);
    to = apart ? osc_dsp_negative(to) : to;
    q.a = osc_dsp_mixed(q.a, to.a, weight_q15, stretch_q16);
    q.b = osc_dsp_mixed(q.b, to.b, weight_q15, stretch_q16);
    osc_store_pair(&rotation->x, q);
    q = osc_dsp_load_zw(rotation);
    to = osc_dsp_load_zw(with);
    to = apart ? osc_dsp_negative(to) : to;
    q.a = osc_dsp_mixed(q.a, to.a, weight_q15, stretch_q16);
    q.b = osc_dsp_mixed(q.b, to.b, weight_q15, stretch_q16);
    osc_dsp_store_zw(rotation, q);
}

static inline void osc_mix_unit_rotation(osc_quaternion *rotation, const osc_quaternion *with,
                                         int32_t weight_q15)
{
    osc_pair q = osc_load_pair(&rotation->x), to = osc_load_pair(&with->x);
    int32_t dot = osc_mul(q.a >> 5, osc_half_up(to.a, 5));
    dot = osc_add(dot, osc_mul(q.b >> 5, osc_half_up(to.b, 5)));
    q = osc_dsp_load_zw(rotation);
    to = osc_dsp_load_zw(with);
    dot = osc_add(dot, osc_mul(q.a >> 5, osc_half_up(to.a, 5)));
    dot = osc_add(dot, osc_mul(q.b >> 5, osc_half_up(to.b, 5)));
    int32_t stretch = osc_dot_stretch_q16(dot, osc_sag_q15(weight_q15));
    __asm__ volatile("" ::: "memory"); /* or the compiler would keep the first values */
    if (OSC_UNLIKELY(dot < 0))
        osc_dsp_unit_step(rotation, with, weight_q15, stretch, true);
    else
        osc_dsp_unit_step(rotation, with, weight_q15, stretch, false);
}

/* osc_stretched in one or two instructions. */
static inline int32_t osc_dsp_stretched(int32_t q, int32_t stretch_q16)
{
#if defined(__ARM_FEATURE_DSP)
    __asm__("smlawb %0, %0, %1, %0" : "+r"(q) : "r"(stretch_q16));
    return q;
#else
    return osc_add(q, (int32_t)(((int64_t)q * osc_shl(stretch_q16, 16)) >> 32));
#endif
}

static inline void osc_unit_rotation(osc_quaternion *rotation)
{
    osc_pair xy = osc_load_pair(&rotation->x), zw = osc_load_pair(&rotation->z);
    uint32_t n =
        osc_square_q31(xy.a) + osc_square_q31(xy.b) + osc_square_q31(zw.a) + osc_square_q31(zw.b);
    if (osc_is_unit_q31(n))
        return;
    if (OSC_UNLIKELY(!osc_is_near_unit_q31(n))) {
        n = osc_near_unit_q31(rotation);
        xy = osc_load_pair(&rotation->x);
        zw = osc_load_pair(&rotation->z);
    }
    int32_t stretch = osc_stretch_q16(osc_missing_q16(n));
    xy.a = osc_dsp_stretched(xy.a, stretch);
    xy.b = osc_dsp_stretched(xy.b, stretch);
    zw.a = osc_dsp_stretched(zw.a, stretch);
    zw.b = osc_dsp_stretched(zw.b, stretch);
    osc_store_pair(&rotation->x, xy);
    osc_store_pair(&rotation->z, zw);
}

#endif
