/* SPDX-License-Identifier: MIT */
/* The square root on Cortex-M with an FPU. An integer comparison rounds it afterwards, so that
 * every machine and every rounding mode gives the same bits. */
#ifndef OSC_DSP_SQRT_H
#define OSC_DSP_SQRT_H

#include "port/osc_port.h"

/* n has 29 bits and a float 24, so that its root is off by 2^-25 of itself, and by 2^-24 when
 * rounded: below 0.1 in all. Truncation then leaves it at most 1.1 too low, or less than 0.1 too
 * high. */
static inline uint32_t osc_sqrt_q20(uint32_t n_q28)
{
    uint32_t root;
    float number;
    __asm__("vmov %1, %2\n\t"
            "vcvt.f32.u32 %1, %1\n\t"
            "vsqrt.f32 %1, %1\n\t"
            "vcvt.u32.f32 %1, %1, #6\n\t"
            "vmov %0, %1"
            : "=r"(root), "=&t"(number)
            : "r"(n_q28));
    return root;
}

#endif
