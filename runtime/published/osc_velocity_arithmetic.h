/* SPDX-License-Identifier: MIT */
/* The arithmetic of the velocity codec, shared with the encoder: computes the next row from a row
 * and a velocity. All numbers are Q20. */
#ifndef OSC_VELOCITY_ARITHMETIC_H
#define OSC_VELOCITY_ARITHMETIC_H

#include "arithmetic/osc_fixed.h"
#include "arithmetic/osc_quaternion.h"
#include "bank/osc_internal.h"
#include "published/osc_published_format.h"

/* A track's velocity. A rotation's velocity is the rotation from a frame to the next, as a unit
 * quaternion in the joint's own axes: `to` is its x y z, from which `w` follows. */
typedef struct osc_velocity {
    int32_t to[3];
    int32_t w; /* rotations only */
} osc_velocity;

/* Header fields that the encoder writes. */
#define OSC_VELOCITY_SPEED_PRECISION(code)                                                         \
    (6u + 2u * (code)) /* bits of a speed's factor below one */

static inline void osc_velocity_settle(osc_velocity *velocity, bool rotation)
{
    if (rotation)
        velocity->w = osc_rebuild_q20(velocity->to[0], velocity->to[1], velocity->to[2]);
}

/* Scales a velocity by 1 + change / 2^fraction_bits and keeps its axis. change: -128..127. */
static inline void osc_velocity_speed(osc_velocity *velocity, int32_t change,
                                      uint32_t fraction_bits)
{
    int32_t half = (int32_t)((1u << fraction_bits) >> 1);
    for (uint32_t i = 0; i < 3u; i++) {
        int32_t more = osc_add(osc_mul(velocity->to[i], change), half) >> fraction_bits;
        velocity->to[i] = osc_add(velocity->to[i], more);
    }
}

/* The rotation after q: the product. Its largest component is rebuilt from the others, so that
 * errors of the length do not add up. */
static inline void osc_velocity_turn(const int32_t q[4], const osc_velocity *by, int32_t out[4])
{
    int32_t x = q[0], y = q[1], z = q[2], w = q[3];
    int32_t a = by->to[0], b = by->to[1], c = by->to[2], d = by->w;
    out[0] = osc_sub(osc_dot3_q20(w, a, x, d, y, c), osc_mul_q20(z, b));
    out[1] = osc_sub(osc_dot3_q20(w, b, y, d, z, a), osc_mul_q20(x, c));
    out[2] = osc_sub(osc_dot3_q20(w, c, z, d, x, b), osc_mul_q20(y, a));
    out[3] = osc_sub(osc_mul_q20(w, d), osc_dot3_q20(x, a, y, b, z, c));
    uint32_t largest = osc_largest_component(out);
    osc_rebuild(out, largest, out[largest] < 0);
}

/* The translation or scale after x. */
static inline void osc_velocity_move(const int32_t x[3], const osc_velocity *by, int32_t out[3])
{
    for (uint32_t i = 0; i < 3u; i++)
        out[i] = osc_add(x[i], by->to[i]);
}

#endif
