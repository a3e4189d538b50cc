/* SPDX-License-Identifier: MIT */
/* Operations for which some machines have an instruction. Other machines would call a library, so C
 * code replaces it. The results are the same. */
#ifndef OSC_COUNT_H
#define OSC_COUNT_H

#include <stdint.h>

#include "port/osc_fast_memory.h"

/* True if the compiler counts bits in an instruction. Tests define it as 0. */
#ifndef OSC_COUNTS_BITS
#if defined(__GNUC__) && (defined(__ARM_FEATURE_CLZ) || defined(__aarch64__) ||                    \
                          defined(__x86_64__) || defined(__i386__) || defined(__wasm__))
#define OSC_COUNTS_BITS 1
#else
#define OSC_COUNTS_BITS 0
#endif
#endif

/* The same for registers of 64 bits. */
#if OSC_COUNTS_BITS && (defined(__aarch64__) || defined(__x86_64__) || defined(__wasm__))
#define OSC_LONG_REGISTERS 1
#else
#define OSC_LONG_REGISTERS 0
#endif

/* True if the machine multiplies 32 by 32 bits to 64: machines that count bits, and older
 * Arms in ARM state. */
#if OSC_COUNTS_BITS || (defined(__arm__) && !defined(__thumb__))
#define OSC_MULTIPLIES_LONG 1
#else
#define OSC_MULTIPLIES_LONG 0
#endif

/* Zeros above the highest 1 bit of value, which is not zero. */
static inline uint32_t osc_leading_zeros(uint32_t value)
{
#if OSC_COUNTS_BITS
    return (uint32_t)__builtin_clz(value);
#else
    uint32_t zeros = 0;
    if (value >> 16 == 0u)
        value <<= 16, zeros += 16u;
    if (value >> 24 == 0u)
        value <<= 8, zeros += 8u;
    if (value >> 28 == 0u)
        value <<= 4, zeros += 4u;
    if (value >> 30 == 0u)
        value <<= 2, zeros += 2u;
    return zeros + (value >> 31 == 0u ? 1u : 0u);
#endif
}

/* Zeros below the lowest 1 bit of value, which is not zero. */
static inline uint32_t osc_trailing_zeros(uint32_t value)
{
#if OSC_COUNTS_BITS
    return (uint32_t)__builtin_ctz(value);
#else
    uint32_t zeros = 0;
    while ((value & 1u) == 0u) {
        value >>= 1;
        zeros++;
    }
    return zeros;
#endif
}

/* Ones below the lowest zero, at most 15. */
static inline uint32_t osc_trailing_ones_15(uint32_t value)
{
    return osc_trailing_zeros(~value | 1u << 15);
}

/* Stands before a short loop that is faster without a counter, on machines with flash for that. */
#if OSC_LONG_REGISTERS && !defined(__clang__) && __GNUC__ >= 8
#define OSC_UNROLLED _Pragma("GCC unroll 4")
#else
#define OSC_UNROLLED
#endif

/* Hints to the compiler: a condition that is almost always false; functions that must be inlined,
 * or must not, to keep a loop's values in registers. */
#if defined(__GNUC__)
#define OSC_UNLIKELY(condition) __builtin_expect(condition, 0)
#define OSC_INLINE static inline __attribute__((always_inline))
#define OSC_NOINLINE static __attribute__((noinline))
#else
#define OSC_UNLIKELY(condition) (condition)
#define OSC_INLINE static inline
#define OSC_NOINLINE static
#endif

#endif
