/* SPDX-License-Identifier: MIT */
/* Matrix products for Cortex-M3 and up. Compilers keep a row's four sums in eight registers and run
 * out of them; here a sum takes one register more than its factors. */
#ifndef OSC_DSP_MULTIPLY_H
#define OSC_DSP_MULTIPLY_H

#include "port/osc_port.h"

/* Two elements of a row: their columns of the right matrix begin at byte `column`, the left row is
 * in r3..r5. They end in r8 and r11. */
#define OSC_DSP_TWO_ELEMENTS(column)                                                               \
    "ldrd r6, r10, [%[local], #" column "]\n\t"                                                    \
    "ldrd r8, r11, [%[local], #16 + " column "]\n\t"                                               \
    "ldrd r9, r12, [%[local], #32 + " column "]\n\t"                                               \
    "smull lr, r6, r3, r6\n\t"                                                                     \
    "smlal lr, r6, r4, r8\n\t"                                                                     \
    "smlal lr, r6, r5, r9\n\t"                                                                     \
    "lsrs lr, lr, #20\n\t" /* leaves bit 19, the rounding, in the carry */                         \
    "adc r8, lr, r6, lsl #12\n\t"                                                                  \
    "smull lr, r10, r3, r10\n\t"                                                                   \
    "smlal lr, r10, r4, r11\n\t"                                                                   \
    "smlal lr, r10, r5, r12\n\t"                                                                   \
    "lsrs lr, lr, #20\n\t"                                                                         \
    "adc r11, lr, r10, lsl #12\n\t"

/* clang-format off */
#define OSC_DSP_ROW                                                                                \
    "ldm %[parent]!, {r3, r4, r5}\n\t"                                                             \
    OSC_DSP_TWO_ELEMENTS("0")                                                                      \
    "strd r8, r11, [%[out]], #8\n\t"                                                               \
    OSC_DSP_TWO_ELEMENTS("8")                                                                      \
    "ldr lr, [%[parent]], #4\n\t"                                                                  \
    "add r11, r11, lr\n\t"                                                                         \
    "strd r8, r11, [%[out]], #8\n\t"
/* clang-format on */

/* out = parent * local; out may be the parent. */
static inline void osc_matrix_product(const osc_matrix *parent, const osc_matrix *local,
                                      osc_matrix *out)
{
    __asm__ volatile(OSC_DSP_ROW OSC_DSP_ROW OSC_DSP_ROW
                     : [parent] "+r"(parent), [out] "+r"(out)
                     : [local] "r"(local)
                     : "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12", "lr", "cc",
                       "memory");
}

#endif
