/* SPDX-License-Identifier: MIT */
/* Sums of products of numbers near one, for machines without a long product. */
#include "arithmetic/osc_dot.h"

#include "port/osc_fast_memory.h"

#if !OSC_MULTIPLIES_LONG

OSC_HOT int32_t osc_product_q30(int32_t a, int32_t b)
{
    return osc_dot_of_parts((uint32_t)osc_mul(a >> 5, b >> 5), (uint32_t)osc_mul(a, b));
}

OSC_HOT int32_t osc_dot2_q30(int32_t a, int32_t b, int32_t c, int32_t d)
{
    uint32_t low = (uint32_t)osc_mul(a, b) + (uint32_t)osc_mul(c, d);
    uint32_t near = (uint32_t)osc_mul(a >> 5, b >> 5) + (uint32_t)osc_mul(c >> 5, d >> 5);
    return osc_dot_of_parts(near, low);
}

OSC_HOT int32_t osc_dot3_q30(const int32_t *a, uint32_t step, const int32_t b[3])
{
    int32_t a0 = a[0], a1 = a[step], a2 = a[2u * step], b0 = b[0], b1 = b[1], b2 = b[2];
    uint32_t low = (uint32_t)osc_mul(a0, b0) + (uint32_t)osc_mul(a1, b1);
    low += (uint32_t)osc_mul(a2, b2);
    uint32_t near = (uint32_t)osc_mul(a0 >> 5, b0 >> 5) + (uint32_t)osc_mul(a1 >> 5, b1 >> 5);
    near += (uint32_t)osc_mul(a2 >> 5, b2 >> 5);
    return osc_dot_of_parts(near, low);
}

OSC_HOT int32_t osc_dot4_q30(int32_t a, int32_t b, int32_t c, int32_t d, int32_t e, int32_t f,
                             int32_t g, int32_t h)
{
    uint32_t low = (uint32_t)osc_mul(a, b) + (uint32_t)osc_mul(c, d);
    uint32_t near = (uint32_t)osc_mul(a >> 5, b >> 5) + (uint32_t)osc_mul(c >> 5, d >> 5);
    low += (uint32_t)osc_mul(e, f) + (uint32_t)osc_mul(g, h);
    near += (uint32_t)osc_mul(e >> 5, f >> 5) + (uint32_t)osc_mul(g >> 5, h >> 5);
    return osc_dot_of_parts(near, low);
}

OSC_HOT uint32_t osc_squares_q30(int32_t a, int32_t b, int32_t c)
{
    uint32_t low = (uint32_t)osc_mul(a, a) + (uint32_t)osc_mul(b, b) + (uint32_t)osc_mul(c, c);
    a >>= 5, b >>= 5, c >>= 5;
    uint32_t near = (uint32_t)osc_mul(a, a) + (uint32_t)osc_mul(b, b) + (uint32_t)osc_mul(c, c);
    return (uint32_t)osc_dot_of_parts(near, low);
}

/* With a = h * 2^12 + l: a^2 / 2^20 = 2^4 * h^2 + (2 * h * l + l^2 / 2^12) / 2^8. */
OSC_HOT uint32_t osc_squares_q20(int32_t a, int32_t b, int32_t c)
{
    int32_t ah = a >> 12, bh = b >> 12, ch = c >> 12, al = a & 0xfff, bl = b & 0xfff,
            cl = c & 0xfff;
    int32_t high = osc_dot3(ah, ah, bh, bh, ch, ch), low = osc_dot3(al, al, bl, bl, cl, cl) >> 12;
    int32_t mixed = osc_shl(osc_dot3(ah, al, bh, bl, ch, cl), 1u);
    return ((uint32_t)high << 4) + (uint32_t)(osc_add(mixed, low) >> 8);
}

#endif
