/* SPDX-License-Identifier: MIT */
/* Lengths and directions of vectors, and half angles, without trigonometry. */
#include "arithmetic/osc_direction.h"

#include "arithmetic/osc_unit.h"
#include "ossicle.h"
#include "port/osc_fast_memory.h"

#define TOP_ZEROS 13u /* above the 19 bits from which directions are computed */

/* 2^8 / sqrt(m), in the middle of the sixteenths from 1 to 4. */
OSC_HOT_DATA static const uint8_t inverse_roots_q8[48] = {
    252, 245, 238, 232, 226, 221, 216, 211, 207, 203, 199, 195, 192, 189, 185, 182,
    180, 177, 174, 172, 169, 167, 165, 163, 161, 159, 157, 155, 154, 152, 150, 149,
    147, 146, 144, 143, 141, 140, 139, 137, 136, 135, 134, 133, 132, 131, 130, 129,
};

OSC_HOT void osc_shift_all(int32_t *v, uint32_t count, int32_t shift)
{
    const int32_t *end = v + count;
    if (shift < 0)
        for (; v != end; v++)
            *v = osc_shl(*v, (uint32_t)-shift);
    else
        for (; v != end; v++)
            *v >>= shift;
}

OSC_HOT int32_t osc_bring_to(int32_t *v, uint32_t count, uint32_t top)
{
    uint32_t sizes = 0;
    for (uint32_t i = 0; i < count; i++)
        sizes |= osc_size_of(v[i]);
    int32_t shift = osc_shift_to(sizes, top);
    osc_shift_all(v, count, shift);
    return shift;
}

/* Two Newton steps, y * (3 - m * y^2) / 2: the first gives 12 to 16 bits from 8, the second 21. */
OSC_HOT uint32_t osc_inverse_root_q21(uint32_t m_q30)
{
    uint32_t y_q8 = inverse_roots_q8[(m_q30 >> 26) - 16u];
    uint32_t y_q16 = (((3u << 30) - (m_q30 >> 16) * (y_q8 * y_q8)) >> 16) * y_q8 >> 7;
    int32_t rest_q30 = (int32_t)((1u << 30) - osc_mulhi_u32(m_q30, y_q16 * y_q16));
    return (y_q16 << 5) + (uint32_t)(osc_mul((int32_t)y_q16, rest_q30 >> 5) >> 21);
}

/* 2^31 * sqrt(m / 2^30) for m >= 2^30. */
static uint32_t root_q31(uint32_t m_q30, uint32_t inverse_q21)
{
    return (uint32_t)osc_product_q30((int32_t)(m_q30 >> 10), (int32_t)inverse_q21);
}

OSC_HOT uint32_t osc_root_q15(uint32_t x)
{
    if (x == 0u)
        return 0u;
    uint32_t pairs = osc_leading_zeros(x) >> 1, m_q30 = x << (2u * pairs);
    return root_q31(m_q30, osc_inverse_root_q21(m_q30)) >> (1u + pairs);
}

/* One more Newton step for the root: the rest of m, times half of the reciprocal. */
OSC_HOT uint32_t osc_root_of_product(uint32_t a, uint32_t b)
{
    if (a == 0u || b == 0u)
        return 0u;
    uint32_t a_zeros = osc_leading_zeros(a), b_zeros = osc_leading_zeros(b);
    uint32_t pairs = (a_zeros + b_zeros) >> 1;
    uint32_t m_q30 = osc_mulhi_u32(a << a_zeros, b << b_zeros) >> ((a_zeros + b_zeros) & 1u);
    if (m_q30 >> 30 == 0u)
        m_q30 <<= 2, pairs++;
    uint32_t inverse_q21 = osc_inverse_root_q21(m_q30), root = root_q31(m_q30, inverse_q21);
    int32_t rest = (int32_t)(m_q30 - osc_mulhi_u32(root, root));
    return (root + (uint32_t)(osc_mul(rest, (int32_t)(inverse_q21 >> 5)) >> 16)) >> pairs;
}

/* The factor that normalises a vector. */
typedef struct unit {
    uint32_t zeros, m_q30, pairs, inverse_q21;
} unit;

/* Normalises three numbers, not all of them zero; `sizes` is the bitwise or of their sizes. */
OSC_INLINE unit make(int32_t *x, int32_t *y, int32_t *z, uint32_t sizes)
{
    unit u;
    u.zeros = osc_leading_zeros(sizes);
    uint32_t more = u.zeros - TOP_ZEROS, less = TOP_ZEROS - u.zeros;
    if (u.zeros > TOP_ZEROS)
        *x = osc_shl(*x, more), *y = osc_shl(*y, more), *z = osc_shl(*z, more);
    else
        *x >>= less, *y >>= less, *z >>= less;
    uint32_t squares = osc_squares_q30(*x, *y, *z);
    u.pairs = 1u + (((squares >> 28) - 1u) >> 31); /* of zero bits: 2^26 <= squares < 2^30 */
    u.m_q30 = squares << (2u * u.pairs);
    u.inverse_q21 = osc_inverse_root_q21(u.m_q30);
    *x = osc_half_up(osc_product_q30(*x, (int32_t)u.inverse_q21), 11u - u.pairs);
    *y = osc_half_up(osc_product_q30(*y, (int32_t)u.inverse_q21), 11u - u.pairs);
    *z = osc_half_up(osc_product_q30(*z, (int32_t)u.inverse_q21), 11u - u.pairs);
    return u;
}

static inline uint32_t sizes_of(int32_t x, int32_t y, int32_t z)
{
    return osc_size_of(x) | osc_size_of(y) | osc_size_of(z);
}

OSC_HOT bool osc_make_direction(int32_t v[3])
{
    uint32_t sizes = sizes_of(v[0], v[1], v[2]);
    if (sizes != 0u)
        (void)make(&v[0], &v[1], &v[2], sizes);
    return sizes != 0u;
}

OSC_HOT uint32_t osc_make_unit(int32_t v[3])
{
    uint32_t sizes = sizes_of(v[0], v[1], v[2]);
    if (sizes == 0u)
        return 0u;
    unit u = make(&v[0], &v[1], &v[2], sizes);
    uint32_t less = 11u + u.pairs + u.zeros - TOP_ZEROS; /* never below 0 */
    uint32_t length_q31 = root_q31(u.m_q30, u.inverse_q21);
    return less == 0u ? UINT32_MAX : ((length_q31 >> (less - 1u)) + 1u) >> 1;
}

OSC_HOT bool osc_make_turn(int32_t z[2])
{
    int32_t none = 0;
    uint32_t sizes = osc_size_of(z[0]) | osc_size_of(z[1]);
    if (sizes != 0u)
        (void)make(&z[0], &z[1], &none, sizes);
    return sizes != 0u;
}

OSC_HOT bool osc_half_turn(int32_t z[2], int32_t half[2])
{
    if (!osc_make_turn(z))
        return false;
    /* The half angle has the direction of z + 1 or, on the left, of 1 - z rotated by a quarter.
     */
    uint32_t real = osc_size_of(z[0]), sine = osc_size_of(z[1]);
    real = OSC_ONE_Q20 + (real > OSC_ONE_Q20 ? OSC_ONE_Q20 : real);
    int32_t inverse_q20 = (int32_t)(osc_inverse_root_q21((real << 11) - 1u) >> 1);
    int32_t large = osc_q20_of_q30(osc_product_q30((int32_t)real, inverse_q20));
    int32_t small = osc_q20_of_q30(osc_product_q30((int32_t)sine, inverse_q20));
    int32_t part = z[0] < 0 ? large : small;
    half[0] = z[0] < 0 ? small : large;
    half[1] = z[1] < 0 ? -part : part;
    return true;
}

OSC_HOT void osc_cross_q20(const int32_t a[3], const int32_t b[3], int32_t out[3])
{
    int32_t a0 = a[0], a1 = a[1], a2 = a[2], b0 = b[0], b1 = b[1], b2 = b[2];
    out[0] = osc_q20_of_q30(osc_dot2_q30(a1, b2, osc_sub(0, a2), b1));
    out[1] = osc_q20_of_q30(osc_dot2_q30(a2, b0, osc_sub(0, a0), b2));
    out[2] = osc_q20_of_q30(osc_dot2_q30(a0, b1, osc_sub(0, a1), b0));
}
