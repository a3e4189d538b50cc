/* SPDX-License-Identifier: MIT */
/* Detects the instruction sets of the processor, for programs that contain code for several and
 * choose at start-up. platforms/README.md shows how. */
#ifndef OSC_CPU_H
#define OSC_CPU_H

typedef enum osc_cpu {
    OSC_CPU_SSE2, /* every x86-64 */
    OSC_CPU_SSE4_1,
    OSC_CPU_AVX2
} osc_cpu;

/* Returns the best instruction set of this processor that the backend `sse` can use. GCC and
 * clang. */
static inline osc_cpu osc_cpu_find(void)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2"))
        return OSC_CPU_AVX2;
    return __builtin_cpu_supports("sse4.1") ? OSC_CPU_SSE4_1 : OSC_CPU_SSE2;
}

#endif
