/* SPDX-License-Identifier: MIT */
/* Lengths and directions of vectors, and half angles, without trigonometry: roots and their
 * reciprocals. SPEC.md 19.1 states them as formulas. */
#ifndef OSC_DIRECTION_H
#define OSC_DIRECTION_H

#include <stdbool.h>

#include "arithmetic/osc_dot.h"

/* Returns the shift to the right that moves the highest bit of `sizes`, not zero, to bit `top`.
 */
static inline int32_t osc_shift_to(uint32_t sizes, uint32_t top)
{
    return (int32_t)(31u - osc_leading_zeros(sizes)) - (int32_t)top;
}

/* Shifts `count` numbers, not all of them zero, so that the highest bit of the largest size is bit
 * `top`, 31 at most; a negative number may become -2^(top + 1). Returns the shift to the right.
 */
int32_t osc_bring_to(int32_t *v, uint32_t count, uint32_t top);

/* Shifts `count` numbers by `shift` bits to the right, or by -shift to the left. */
void osc_shift_all(int32_t *v, uint32_t count, int32_t shift);

/* 2^21 / sqrt(m / 2^30) for m >= 2^30, within 1.6 of it. */
uint32_t osc_inverse_root_q21(uint32_t m_q30);

/* sqrt(x) * 2^15, within 2^-19 of it plus one. */
uint32_t osc_root_q15(uint32_t x);

/* sqrt(a * b), within 2^-26 of it plus one. */
uint32_t osc_root_of_product(uint32_t a, uint32_t b);

/* Normalises three numbers of any size to a unit vector, Q20. Returns false for zeros, which do not
 * change. */
bool osc_make_direction(int32_t v[3]);

/* The same. Returns the length in the original unit, UINT32_MAX for 2^31 or more, and 0 for
 * zeros. */
uint32_t osc_make_unit(int32_t v[3]);

/* Normalises a complex number of any size to cosine and sine, Q20. Returns false for zero, which
 * does not change. */
bool osc_make_turn(int32_t z[2]);

/* The same; writes those of half the angle to `half`, the cosine not negative. Returns false for
 * zero and does not write `half`. */
bool osc_half_turn(int32_t z[2], int32_t half[2]);

/* out = a x b, each component rounded to Q20; out overlaps neither. */
void osc_cross_q20(const int32_t a[3], const int32_t b[3], int32_t out[3]);

#endif
