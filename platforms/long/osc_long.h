/* SPDX-License-Identifier: MIT */
/* Products of 32 bits by 32 bits to 64, for machines that have them: the sums of
 * runtime/arithmetic/osc_compose.h, taken modulo 2^64 and rounded once. Bits 20..51 of a sum do not
 * depend on those above, so that nothing is lost where it wraps. */
#ifndef OSC_LONG_H
#define OSC_LONG_H

#include "port/osc_port.h"

static inline uint64_t osc_long_product(int32_t a, int32_t b)
{
    return (uint64_t)((int64_t)a * b);
}

/* floor((sum + 2^19) / 2^20) modulo 2^32. */
static inline int32_t osc_long_round_q20(uint64_t sum)
{
    return (int32_t)(uint32_t)((sum + 0x80000u) >> 20);
}

static inline int32_t osc_long_mul_q20(int32_t a, int32_t b)
{
#if defined(__GNUC__) && defined(__thumb2__)
    int32_t low, high; /* the shift leaves bit 19 in the carry: compilers do not round so */
    __asm__("smull %0, %1, %2, %3\n\t"
            "lsrs %0, %0, #20\n\t"
            "adc %0, %0, %1, lsl #12"
            : "=&r"(low), "=&r"(high)
            : "r"(a), "r"(b)
            : "cc");
    return low;
#else
    return osc_long_round_q20(osc_long_product(a, b));
#endif
}

#endif
