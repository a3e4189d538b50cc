/* SPDX-License-Identifier: MIT */
/* The exactly rounded integer square root that rebuilds a quaternion's dropped component. The
 * common case is inline: the dropped component is usually the largest, which is at least one half.
 */
#ifndef OSC_ROOT_H
#define OSC_ROOT_H

#include "arithmetic/osc_count.h"
#include "arithmetic/osc_fixed.h"

#ifndef OSC_PORT_H
#error "osc_port.h includes this header; include that one"
#endif

/* The table gives the roots of n = 2^26 + m for m below OSC_ROOT_NEAR_LENGTH_Q28. */
#define OSC_ROOT_NEAR_Q28 (1u << 26)
#define OSC_ROOT_NEAR_LENGTH_Q28 (3u << 26)

/* 48 chords of sqrt(n * 2^12): the root at a chord's left end, a little low, in bits 12..31, and
 * the slope, Q20, in bits 0..11. */
extern const uint32_t osc_root_chords[48];

/* The root of n = 2^26 + m, at most 0.4 above and 1.4 below the true one. */
static inline uint32_t osc_root_low(uint32_t m_q28)
{
    uint32_t chord = osc_root_chords[m_q28 >> 22], slope_q20 = chord & 0xfffu;
    uint32_t root = (chord + (((m_q28 >> 2) & 0xfffffu) * slope_q20 >> 6)) >> 12;
    /* The chord is 65 below the root at most, so that the Newton step's residual fits 27 bits. It
     * is taken modulo 2^32, where n * 2^12 and m * 2^12 are the same. */
    int32_t residual = (int32_t)((m_q28 << 12) - root * root);
    return (uint32_t)((int32_t)root + (((residual >> 12) * (int32_t)slope_q20) >> 20));
}

/* Rounds a root that is less than 1 too low, or 1.1 where that does not matter: the sign of (root +
 * 1/2)^2 - n gives the direction. */
static inline uint32_t osc_root_round(uint32_t root, uint32_t n_q28)
{
    uint32_t residual = (n_q28 << 12) - root * root;
    return (uint32_t)((int32_t)root - ((int32_t)(root - residual) >> 31));
}

/* a >> 5, clamped to 16 bits: one instruction on machines that saturate. */
static inline int32_t osc_root_part(int32_t a)
{
#if defined(__GNUC__) && defined(__ARM_FEATURE_SAT)
    return (int32_t)__builtin_arm_ssat(a >> 5, 16);
#else
    int32_t part = a >> 5;
    part = part < -32768 ? -32768 : part;
    return part > 32767 ? 32767 : part;
#endif
}

static inline uint32_t osc_root_square(int32_t part)
{
    return (uint32_t)(part * part);
}

/* n - 2^26 for components that are multiples of 2^OSC_ROOT_COARSE, correct if it is in the range of
 * the table: a clamped part makes n too small for it. */
#define OSC_ROOT_COARSE 5u
static inline uint32_t osc_root_coarse_q28(int32_t a, int32_t b, int32_t c)
{
    uint32_t m_q30 = 4u * OSC_ROOT_NEAR_LENGTH_Q28 + 1u; /* less the squares, and rounded: */
    m_q30 -= osc_root_square(osc_root_part(a));
    m_q30 -= osc_root_square(osc_root_part(b));
    m_q30 -= osc_root_square(osc_root_part(c));
    return m_q30 >> 2;
}

/* n - 2^26 for any components, correct if it is in the range of the table, by two methods. Without
 * long products: with a = 32 * part + rest, the squares of the parts give the sum of the squares
 * within 2^17, and its low 32 bits give the rest. */
static inline uint32_t osc_root_short_q28(int32_t a, int32_t b, int32_t c)
{
    int32_t ah = osc_root_part(a), bh = osc_root_part(b), ch = osc_root_part(c);
    uint32_t near_q28 = (osc_root_square(ah) + osc_root_square(bh) + osc_root_square(ch)) >> 2;
    uint32_t low = (uint32_t)osc_mul(a, a) + (uint32_t)osc_mul(b, b) + (uint32_t)osc_mul(c, c);
    int32_t rest_q28 = (int32_t)((((low + 2048u) >> 12) - near_q28) << 12) >> 12;
    return OSC_ROOT_NEAR_LENGTH_Q28 - near_q28 - (uint32_t)rest_q28;
}

static inline uint64_t osc_root_squares_q40(int32_t a, int32_t b, int32_t c)
{
    uint64_t sum = (uint64_t)((int64_t)a * a) + (uint64_t)((int64_t)b * b);
    return sum + (uint64_t)((int64_t)c * c) + 2048u;
}

/* The sum of the squares itself. It fits 64 bits; sums of 2^40 or more are outside the table. */
static inline uint32_t osc_root_long_q28(int32_t a, int32_t b, int32_t c)
{
    uint64_t sum = osc_root_squares_q40(a, b, c);
    if (OSC_UNLIKELY(sum >> 40 != 0u))
        return OSC_ROOT_NEAR_LENGTH_Q28;
    return OSC_ROOT_NEAR_LENGTH_Q28 - (uint32_t)(sum >> 12);
}

/* The cheaper method for this machine. */
#if OSC_MULTIPLIES_LONG
#define osc_root_argument_q28 osc_root_long_q28
#else
#define osc_root_argument_q28 osc_root_short_q28
#endif

/* The root of n = 2^26 + m, by the table. */
static inline int32_t osc_root_near_q20(uint32_t m_q28)
{
    return (int32_t)osc_root_round(osc_root_low(m_q28), m_q28);
}

/* osc_rebuild_q20, inline. */
static inline int32_t osc_rebuild_here_q20(int32_t a, int32_t b, int32_t c)
{
#if OSC_SQRT
    uint64_t squares_q40 = osc_root_squares_q40(a, b, c);
    if (OSC_UNLIKELY(squares_q40 >> 40 != 0u))
        return osc_rebuild_q20(a, b, c);
    uint32_t n_q28 = (1u << 28) - (uint32_t)(squares_q40 >> 12);
    return (int32_t)osc_root_round(osc_sqrt_q20(n_q28), n_q28);
#else
    uint32_t m_q28 = osc_root_argument_q28(a, b, c);
    if (m_q28 < OSC_ROOT_NEAR_LENGTH_Q28)
        return osc_root_near_q20(m_q28);
    return osc_rebuild_q20(a, b, c);
#endif
}

#endif
