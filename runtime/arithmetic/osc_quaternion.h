/* SPDX-License-Identifier: MIT */
/* Operations on the four components of a rotation, Q20: codecs compute rows and the chords between
 * rows with them. SPEC.md states them as formulas. */
#ifndef OSC_QUATERNION_H
#define OSC_QUATERNION_H

#include <stdbool.h>

#include "arithmetic/osc_fixed.h"

/* Fills component `dropped` of q from the other three; `negative` is its sign. */
void osc_rebuild(int32_t q[4], uint32_t dropped, bool negative);

/* Multiplies a rotation by (1 + i + j + k) / 2 or (`back`) its conjugate from the left. */
void osc_turn(int32_t q[4], bool back);

/* Returns the index of the component of largest size, the first of equals. */
uint32_t osc_largest_component(const int32_t q[4]);

static inline uint32_t osc_squared_step(int32_t left, int32_t right)
{
    int32_t part = osc_sub(right, left) >> 5;
    return (uint32_t)osc_mul(part, part);
}

/* The squared chord between two quaternions, Q20; below 3 * 2^18 within a pair that blends. */
static inline uint32_t osc_chord_q20(const int32_t left[4], const int32_t right[4])
{
    uint32_t sum = osc_squared_step(left[0], right[0]) + osc_squared_step(left[1], right[1]);
    sum += osc_squared_step(left[2], right[2]);
    return (sum + osc_squared_step(left[3], right[3])) >> 10;
}

/* Stores a rotation. Returns its chord from another, like osc_chord_q20. */
static inline uint32_t osc_store_rotation(int32_t row[4], const int32_t previous[4], int32_t x,
                                          int32_t y, int32_t z, int32_t w)
{
    row[0] = x;
    row[1] = y;
    row[2] = z;
    row[3] = w;
    uint32_t sum = osc_squared_step(previous[0], x) + osc_squared_step(previous[1], y);
    sum += osc_squared_step(previous[2], z);
    return (sum + osc_squared_step(previous[3], w)) >> 10;
}

/* Returns whether the shortest arc from one quaternion leads to the other, not to its negative.
 * Three bits a component distinguish swings below 100 degrees from the long arc, and sums cannot
 * wrap: equal rows are always in the same hemisphere. */
static inline bool osc_same_hemisphere(const int32_t left[4], const int32_t right[4])
{
    int32_t dot = 0;
    for (int i = 0; i < 4; i++)
        dot += (left[i] >> 17) * (right[i] >> 17);
    return dot >= 0;
}

#endif
