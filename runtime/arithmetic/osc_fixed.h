/* SPDX-License-Identifier: MIT */
/* Fixed point: the integer operations that define every result.
 *
 * Signed results are taken modulo 2^32 through unsigned arithmetic, so that behaviour is defined
 * for any contents of a damaged or hostile bank. Shifts of negative numbers are arithmetic
 * (rounding towards minus infinity); OSC_STATIC_ASSERT rejects other compilers.
 */
#ifndef OSC_FIXED_H
#define OSC_FIXED_H

#include <stddef.h>
#include <stdint.h>

#include "arithmetic/osc_count.h"

#define OSC_STATIC_ASSERT(condition, name) typedef char osc_assert_##name[(condition) ? 1 : -1]

OSC_STATIC_ASSERT((-1 >> 1) == -1, right_shift_is_arithmetic);
OSC_STATIC_ASSERT((int32_t)0xffffffffu == -1, narrowing_is_modulo);

static inline int32_t osc_add(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

static inline int32_t osc_sub(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

static inline int32_t osc_mul(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a * (uint32_t)b);
}

static inline int32_t osc_shl(int32_t a, uint32_t bits)
{
    return (int32_t)((uint32_t)a << bits);
}

/* (x + 2^(bits - 1)) >> bits, the sum modulo 2^32. */
static inline int32_t osc_half_up(int32_t x, uint32_t bits)
{
    return osc_add(x, (int32_t)(1u << (bits - 1u))) >> bits;
}

/* Copies `size_bytes` bytes; the two ranges do not overlap. */
static inline void osc_copy(void *to, const void *from, size_t size_bytes)
{
#if defined(__GNUC__)
    (void)__builtin_memcpy(to, from, size_bytes);
#else
    for (size_t i = 0; i < size_bytes; i++)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
#endif
}

/* The low 32 bits of floor((a0*b0 + a1*b1 + a2*b2 + 2^19) / 2^20), the sum taken exactly: three
 * Q20 products rounded once. Computed from 16x16 products because the smallest machines have no
 * 64-bit product: with a = ah*2^16 + al, the products ah*bh count 2^32 / 2^20 = 2^12 each, the
 * mixed ones 2^16 / 2^20 = 2^-4, the low ones 2^-20; the bits below one are summed separately for
 * the carry. */
static inline int32_t osc_dot3_q20(int32_t a0, int32_t b0, int32_t a1, int32_t b1, int32_t a2,
                                   int32_t b2)
{
    uint32_t whole = 0, sixteenths = 8u, low = 0;
    const int32_t a[3] = {a0, a1, a2}, b[3] = {b0, b1, b2};
    for (int i = 0; i < 3; i++) {
        int32_t ah = a[i] >> 16, bh = b[i] >> 16;
        uint32_t al = (uint32_t)a[i] & 0xffffu, bl = (uint32_t)b[i] & 0xffffu;
        int32_t mixed0 = osc_mul(ah, (int32_t)bl), mixed1 = osc_mul(bh, (int32_t)al);
        uint32_t lows = al * bl;
        whole +=
            ((uint32_t)osc_mul(ah, bh) << 12) + (uint32_t)(mixed0 >> 4) + (uint32_t)(mixed1 >> 4);
        sixteenths += ((uint32_t)mixed0 & 15u) + ((uint32_t)mixed1 & 15u) + (lows >> 16);
        low += lows & 0xffffu;
    }
    return (int32_t)(whole + ((sixteenths + (low >> 16)) >> 4));
}

/* The low 32 bits of floor((a*b + 2^19) / 2^20). */
static inline int32_t osc_mul_q20(int32_t a, int32_t b)
{
    int32_t ah = a >> 16, bh = b >> 16;
    uint32_t al = (uint32_t)a & 0xffffu, bl = (uint32_t)b & 0xffffu;
    int32_t mixed0 = osc_mul(ah, (int32_t)bl), mixed1 = osc_mul(bh, (int32_t)al);
    uint32_t sixteenths =
        8u + ((uint32_t)mixed0 & 15u) + ((uint32_t)mixed1 & 15u) + ((al * bl) >> 16);
    return (int32_t)(((uint32_t)osc_mul(ah, bh) << 12) + (uint32_t)(mixed0 >> 4) +
                     (uint32_t)(mixed1 >> 4) + (sixteenths >> 4));
}

/* floor(x * y / 2^32) of unsigned numbers, from 16x16 products. */
static inline uint32_t osc_mulhi_spelled_u32(uint32_t x, uint32_t y)
{
    uint32_t xh = x >> 16, xl = x & 0xffffu, yh = y >> 16, yl = y & 0xffffu;
    uint32_t middle0 = xh * yl, middle1 = xl * yh + ((xl * yl) >> 16);
    uint32_t carry = ((middle0 & 0xffffu) + (middle1 & 0xffffu)) >> 16;
    return xh * yh + (middle0 >> 16) + (middle1 >> 16) + carry;
}

/* The same, by the machine's fastest method. */
static inline uint32_t osc_mulhi_u32(uint32_t x, uint32_t y)
{
#if OSC_MULTIPLIES_LONG
    return (uint32_t)(((uint64_t)x * y) >> 32);
#else
    return osc_mulhi_spelled_u32(x, y);
#endif
}

/* The dropped component of a unit quaternion whose other three are a, b, c in Q20:
 * round(sqrt(n * 2^12)) with n = 2^28 - floor((a^2 + b^2 + c^2 + 2^11) / 2^12), and 0 where n < 0.
 * Result 0..2^20. */
int32_t osc_rebuild_q20(int32_t a, int32_t b, int32_t c);

/* round(sqrt(n * 2^12)) for 0 <= n <= 2^28, exactly; ties cannot occur. */
uint32_t osc_root_q20(uint32_t n_q28);

#endif
