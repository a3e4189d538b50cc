/* Lengths and directions of vectors, and half angles, without trigonometry: roots and their
 * reciprocals. SPEC.md 19.1 states them as formulas. */
#ifndef OSC_DIRECTION_H
#define OSC_DIRECTION_H

#include <stdbool.h>

#include "arithmetic/osc_dot.h"

/* By how many bits to the right the highest bit of `sizes`, which are not zero, becomes bit `top`.
 */
static inline int32_t osc_shift_to(uint32_t sizes, uint32_t top)
{
    return (int32_t)(31u - osc_leading_zeros(sizes)) - (int32_t)top;
}

/* Shifts `count` numbers, not all of them zero, so that the highest bit of the largest size is bit
 * `top`, 31 at most; a negative one may become -2^(top + 1). Returns by how many bits to the right.
 */
int32_t osc_bring_to(int32_t *v, uint32_t count, uint32_t top);

/* Shifts `count` numbers by `shift` bits to the right, or by -shift to the left. */
void osc_shift_all(int32_t *v, uint32_t count, int32_t shift);

/* 2^21 / sqrt(m / 2^30) for m >= 2^30, within 1.6 of it. */
uint32_t osc_inverse_root_q21(uint32_t m_q30);

/* sqrt(x) * 2^15, within 2^-19 of it, and one. */
uint32_t osc_root_q15(uint32_t x);

/* sqrt(a * b), within 2^-26 of it, and one. */
uint32_t osc_root_of_product(uint32_t a, uint32_t b);

/* Makes a unit vector, Q20, of three numbers of any size. False for zeros, which stay so. */
bool osc_make_direction(int32_t v[3]);

/* The same. Returns the length in the unit that they had, UINT32_MAX for one of 2^31 or more, and 0
 * for zeros. */
uint32_t osc_make_unit(int32_t v[3]);

/* Makes cosine and sine, Q20, of a complex number of any size. False for zero, which stays so. */
bool osc_make_turn(int32_t z[2]);

/* The same; `half` becomes those of half the angle, cosine not negative. False for zero: `half` is
 * not written. */
bool osc_half_turn(int32_t z[2], int32_t half[2]);

/* out = a x b, each component rounded to Q20; out is apart from both. */
void osc_cross_q20(const int32_t a[3], const int32_t b[3], int32_t out[3]);

#endif
