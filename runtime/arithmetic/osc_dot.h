/* SPDX-License-Identifier: MIT */
/* Sums of products of numbers near one: products of Q20 numbers in Q30. On machines without a long
 * product, they cost half as much as osc_dot3_q20, which takes any numbers. */
#ifndef OSC_DOT_H
#define OSC_DOT_H

#include "arithmetic/osc_count.h"
#include "arithmetic/osc_fixed.h"

/* All of these are the low 32 bits of floor(sum / 2^10), the sum taken exactly.
 * Range: 2^22 in sums of four, 2^23 in sums of three, 2^24 in sums of two, 2^25 in one product. */
#if OSC_MULTIPLIES_LONG

static inline uint64_t osc_dot_product(int32_t a, int32_t b)
{
    return (uint64_t)((int64_t)a * b);
}

/* a * b */
static inline int32_t osc_product_q30(int32_t a, int32_t b)
{
    return (int32_t)(uint32_t)(osc_dot_product(a, b) >> 10);
}

/* a * b + c * d */
static inline int32_t osc_dot2_q30(int32_t a, int32_t b, int32_t c, int32_t d)
{
    return (int32_t)(uint32_t)((osc_dot_product(a, b) + osc_dot_product(c, d)) >> 10);
}

/* a[0] * b[0] + a[step] * b[1] + a[2 * step] * b[2] */
static inline int32_t osc_dot3_q30(const int32_t *a, uint32_t step, const int32_t b[3])
{
    uint64_t sum = osc_dot_product(a[0], b[0]) + osc_dot_product(a[step], b[1]);
    return (int32_t)(uint32_t)((sum + osc_dot_product(a[2u * step], b[2])) >> 10);
}

/* a * b + c * d + e * f + g * h */
static inline int32_t osc_dot4_q30(int32_t a, int32_t b, int32_t c, int32_t d, int32_t e, int32_t f,
                                   int32_t g, int32_t h)
{
    uint64_t sum = osc_dot_product(a, b) + osc_dot_product(c, d);
    sum += osc_dot_product(e, f);
    return (int32_t)(uint32_t)((sum + osc_dot_product(g, h)) >> 10);
}

/* a * a + b * b + c * c */
static inline uint32_t osc_squares_q30(int32_t a, int32_t b, int32_t c)
{
    uint64_t sum = osc_dot_product(a, a) + osc_dot_product(b, b);
    return (uint32_t)((sum + osc_dot_product(c, c)) >> 10);
}

/* The low 32 bits of floor(sum / 2^20), of the same sum. Range: 2^28. */
static inline uint32_t osc_squares_q20(int32_t a, int32_t b, int32_t c)
{
    uint64_t sum = osc_dot_product(a, a) + osc_dot_product(b, b);
    return (uint32_t)((sum + osc_dot_product(c, c)) >> 20);
}

#else

int32_t osc_product_q30(int32_t a, int32_t b);
int32_t osc_dot2_q30(int32_t a, int32_t b, int32_t c, int32_t d);
int32_t osc_dot3_q30(const int32_t *a, uint32_t step, const int32_t b[3]);
int32_t osc_dot4_q30(int32_t a, int32_t b, int32_t c, int32_t d, int32_t e, int32_t f, int32_t g,
                     int32_t h);
uint32_t osc_squares_q30(int32_t a, int32_t b, int32_t c);
uint32_t osc_squares_q20(int32_t a, int32_t b, int32_t c);

#endif

/* The same sum from its parts: `near` is the sum of (a >> 5) * (b >> 5), which is off by less than
 * 2^21, and `low` the sum modulo 2^32, which gives the rest. */
static inline int32_t osc_dot_of_parts(uint32_t near, uint32_t low)
{
    return (int32_t)(near + (uint32_t)((int32_t)(((low >> 10) - near) << 10) >> 10));
}

/* Q20 of Q30, rounded half up. */
static inline int32_t osc_q20_of_q30(int32_t x)
{
    return osc_half_up(x, 10u);
}

/* a * b + c * d + e * f, modulo 2^32. */
static inline int32_t osc_dot3(int32_t a, int32_t b, int32_t c, int32_t d, int32_t e, int32_t f)
{
    return osc_add(osc_add(osc_mul(a, b), osc_mul(c, d)), osc_mul(e, f));
}

/* The low 22 bits, sign-extended: brings arbitrary numbers into range. Components of axes and
 * rotations, which are at most 1, do not change. */
static inline int32_t osc_low22(int32_t x)
{
    return osc_shl(x, 10u) >> 10;
}

#endif
