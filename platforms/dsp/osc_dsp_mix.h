/* Mixing for Cortex-M3 and up: the steps of runtime/arithmetic/osc_mix_arithmetic.h. A step between
 * two rotations takes all registers, of which compilers keep too much in the stack. */
#ifndef OSC_DSP_MIX_H
#define OSC_DSP_MIX_H

#include "osc_port.h"

/* A component of the first rotation in `a`, of the second one in `b`. */
#define OSC_DSP_TOWARD(a, b)                                                                       \
    "sub " b ", " b ", " a "\n\t"                                                                  \
    "asr " b ", " b ", #5\n\t"                                                                     \
    "mul " b ", " b ", %[weight]\n\t"                                                              \
    "add " a ", " a ", " b ", asr #10\n\t"

static inline void osc_mix_rotations(osc_quaternion *rotations, const osc_quaternion *with,
                                     uint32_t count, int32_t weight_q15)
{
    /* Read twice: with a copy of it, a compiler that keeps a frame pointer is a register short. */
    __asm__ volatile("1:\n\t"
                     "ldm %[with], {r3, r4, r5, r6}\n\t"
                     "ldm %[rotations], {r8, r9, r10, r11}\n\t"
                     "asr r3, r3, #10\n\t"
                     "mul lr, r3, r8\n\t"
                     "asr r4, r4, #10\n\t"
                     "mla lr, r4, r9, lr\n\t"
                     "asr r5, r5, #10\n\t"
                     "mla lr, r5, r10, lr\n\t"
                     "asr r6, r6, #10\n\t"
                     "mla lr, r6, r11, lr\n\t"
                     "ldm %[with]!, {r3, r4, r5, r6}\n\t"
                     "cmp lr, #0\n\t"
                     "bge 2f\n\t"
                     "rsb r3, r3, #0\n\t"
                     "rsb r4, r4, #0\n\t"
                     "rsb r5, r5, #0\n\t"
                     "rsb r6, r6, #0\n\t"
                     "2:\n\t" OSC_DSP_TOWARD("r8", "r3") OSC_DSP_TOWARD("r9", "r4")
                         OSC_DSP_TOWARD("r10", "r5") OSC_DSP_TOWARD("r11", "r6") //
                     "stm %[rotations]!, {r8, r9, r10, r11}\n\t"
                     "subs %[count], %[count], #1\n\t"
                     "bne 1b\n\t"
                     : [rotations] "+r"(rotations), [with] "+r"(with), [count] "+r"(count)
                     : [weight] "r"(weight_q15)
                     : "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "lr", "cc", "memory");
}

#define OSC_DSP_PRODUCT(a, b, sum)                                                                 \
    "add " b ", " b ", #16\n\t"                                                                    \
    "asr " a ", " a ", #5\n\t"                                                                     \
    "asr " b ", " b ", #5\n\t" sum "\n\t"

#define OSC_DSP_MIXED(a, b)                                                                        \
    "sub " b ", " b ", " a "\n\t"                                                                  \
    "add " b ", " b ", #16\n\t"                                                                    \
    "asr " b ", " b ", #5\n\t"                                                                     \
    "mul " b ", " b ", %[weight]\n\t"                                                              \
    "add " a ", " a ", " b ", asr #10\n\t"                                                         \
    "asr " b ", " a ", #4\n\t"                                                                     \
    "mul " b ", " b ", %[stretch]\n\t"                                                             \
    "add " a ", " a ", " b ", asr #12\n\t"

static inline void osc_mix_unit_rotation(osc_quaternion *rotation, const osc_quaternion *with,
                                         int32_t weight_q15)
{
    int32_t dot;
    __asm__ volatile("ldm %[with], {r3, r4, r5, r6}\n\t"
                     "ldm %[rotation], {r8, r9, r10, r11}\n\t" //
                     OSC_DSP_PRODUCT("r8", "r3", "mul %[dot], r3, r8")
                         OSC_DSP_PRODUCT("r9", "r4", "mla %[dot], r4, r9, %[dot]")
                             OSC_DSP_PRODUCT("r10", "r5", "mla %[dot], r5, r10, %[dot]")
                                 OSC_DSP_PRODUCT("r11", "r6", "mla %[dot], r6, r11, %[dot]")
                     : [dot] "=&r"(dot)
                     : [rotation] "r"(rotation), [with] "r"(with)
                     : "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "memory");
    int32_t stretch = osc_dot_stretch_q16(dot, osc_sag_q15(weight_q15));
    __asm__ volatile("ldm %[with], {r3, r4, r5, r6}\n\t"
                     "ldm %[rotation], {r8, r9, r10, r11}\n\t"
                     "cmp %[dot], #0\n\t"
                     "bge 1f\n\t"
                     "rsb r3, r3, #0\n\t"
                     "rsb r4, r4, #0\n\t"
                     "rsb r5, r5, #0\n\t"
                     "rsb r6, r6, #0\n\t"
                     "1:\n\t" OSC_DSP_MIXED("r8", "r3") OSC_DSP_MIXED("r9", "r4")
                         OSC_DSP_MIXED("r10", "r5") OSC_DSP_MIXED("r11", "r6") //
                     "stm %[rotation], {r8, r9, r10, r11}\n\t"
                     :
                     : [rotation] "r"(rotation), [with] "r"(with), [dot] "r"(dot),
                       [weight] "r"(weight_q15), [stretch] "r"(stretch)
                     : "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "cc", "memory");
}

/* osc_stretched by one instruction, or two. */
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
