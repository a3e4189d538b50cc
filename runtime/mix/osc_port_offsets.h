/* SPDX-License-Identifier: MIT */
/* The operations of transitions that a platform may replace, and their definition. SPEC.md 18
 * states them as formulas.
 *
 *   OSC_PORT_OFFSET    osc_offset_rotation, osc_keep_rotation
 *   OSC_PORT_OFFSETS   the same, osc_offset_4_rotations (otherwise rotations are done singly),
 *                      and osc_offset_vector
 *   OSC_PORT_BEGIN     osc_begin_4_rotations (likewise), osc_begin_vector: the start
 *                      of a transition
 *
 * A record of a vector is OSC_TRANSITION_VECTOR_WORDS long: three words with an offset in the low
 * half, Q13, and a speed in the high one; then two slots of three words. A record of a rotation is
 * OSC_TRANSITION_ROTATION_WORDS long: the same three words, in Q15, and two slots of two words,
 * each with a shown rotation, x y z w as 16-bit numbers in Q14, rounded down, the first lowest. */
#ifndef OSC_PORT_OFFSETS_H
#define OSC_PORT_OFFSETS_H

#include "arithmetic/osc_mix_arithmetic.h"
#include "osc_mix.h"
#include "port/osc_port.h"

#define OSC_OFFSET_SLOT 3u /* where the first slot of a record begins */

/* The start of a transition. A speed is stored as the displacement in a quarter of the duration, so
 * that it fits 16 bits. */
#define OSC_BEGIN_RATIO_BITS 5u /* fractional bits of duration / step */

/* Bounds of |r|^2 = 1 - cos(angle / 2), where r is the offset of a rotation: */
#define OSC_BEGIN_ROOMY_Q30 0x12bec333u /* 90 degrees; the speed may not make larger ones grow */
#define OSC_BEGIN_HUGE_Q30 0x3f200000u  /* more than any limited rotation; such offsets become 0 */

#define OSC_BEGIN_LEAST_REAL_Q15 512 /* of a rotation: limits its angle to 178 degrees */

/* The halves of a word as signed numbers. */
static inline int32_t osc_low_half(uint32_t word)
{
    return (int16_t)(word & 0xffffu);
}

static inline int32_t osc_high_half(uint32_t word)
{
    return (int32_t)word >> 16;
}

/* Two numbers modulo 2^16 as a word. */
static inline uint32_t osc_halves(int32_t low, int32_t high)
{
    return ((uint32_t)low & 0xffffu) | ((uint32_t)high << 16);
}

/* A component of a rotation as a 16-bit number in Q14, rounded half up, modulo 2^16. */
static inline int32_t osc_q14_half(int32_t x)
{
    return osc_shl(osc_add(x, 32), 10) >> 16;
}

/* The rest of an offset. basis: the two basis polynomials, in Q14. */
static inline int32_t osc_offset_left(uint32_t offset, uint32_t basis)
{
    return osc_add(osc_low_half(offset) * osc_low_half(basis),
                   osc_high_half(offset) * osc_high_half(basis)) >>
           14;
}

/* A word with two components of a rotation, as 16-bit numbers in Q14, rounded down, modulo 2^16. */
static inline uint32_t osc_kept_word(int32_t low, int32_t high)
{
    return ((uint32_t)low << 10 >> 16) | ((uint32_t)high >> 6 << 16);
}

/* The Hamilton product of two rotations, modulo 2^32. */
OSC_INLINE void osc_turn_product(const int32_t a[4], const int32_t b[4], int32_t out[4])
{
    int32_t x = a[0], y = a[1], z = a[2], w = a[3];
    int32_t bx = b[0], by = b[1], bz = b[2], bw = b[3];
    out[0] =
        osc_add(osc_add(osc_mul(w, bx), osc_mul(x, bw)), osc_sub(osc_mul(y, bz), osc_mul(z, by)));
    out[1] =
        osc_add(osc_add(osc_mul(w, by), osc_mul(y, bw)), osc_sub(osc_mul(z, bx), osc_mul(x, bz)));
    out[2] =
        osc_add(osc_add(osc_mul(w, bz), osc_mul(z, bw)), osc_sub(osc_mul(x, by), osc_mul(y, bx)));
    out[3] =
        osc_sub(osc_sub(osc_mul(w, bw), osc_mul(x, bx)), osc_add(osc_mul(y, by), osc_mul(z, bz)));
}

/* g - 1 = sqrt(2 - s) - 1 in Q16, as a cubic of s in Q15. */
#define OSC_OFFSET_C0 27162u
#define OSC_OFFSET_C1 46902u
#define OSC_OFFSET_C2 7765u
#define OSC_OFFSET_C3 14131u

static inline int32_t osc_offset_stretch_q16(uint32_t s_q15)
{
    uint32_t c = OSC_OFFSET_C2 + ((s_q15 * OSC_OFFSET_C3) >> 16);
    c = OSC_OFFSET_C1 + ((s_q15 * c) >> 16);
    return (int32_t)(OSC_OFFSET_C0 - ((s_q15 * c) >> 16));
}

/* Rotates a rotation q by the rest of the record's offset, and stores the result in the slot. An
 * offset r is the rotation d = (g r, 1 - s) with s = |r|^2, which needs no root; s is below 0.987.
 * The result is q + (d - 1) q, so that an offset of 0 does not change q. */
static inline void osc_offset_rotation(uint32_t *record, uint32_t slot, uint32_t basis,
                                       osc_quaternion *rotation);

/* Stores a rotation in the slot. */
static inline void osc_keep_rotation(uint32_t *record, uint32_t slot,
                                     const osc_quaternion *rotation);

/* Adds the rest of the record's offset to a translation or scale, and stores the result in the
 * slot. */
static inline void osc_offset_vector(uint32_t *record, uint32_t slot, uint32_t basis,
                                     osc_vector *vector);

#ifdef OSC_PORT_OFFSET
#include OSC_PORT_OFFSET
#elif !defined(OSC_PORT_OFFSETS)

static inline void osc_keep_rotation(uint32_t *record, uint32_t slot,
                                     const osc_quaternion *rotation)
{
    uint32_t *kept = record + slot;
    kept[0] = osc_kept_word(rotation->x, rotation->y);
    kept[1] = osc_kept_word(rotation->z, rotation->w);
}

/* The difference d - 1, in Q15. Out of line, so that small processors have registers for both
 * halves. */
OSC_HOT OSC_NOINLINE void osc_offset_turn(const uint32_t *record, uint32_t basis, int32_t turn[4])
{
    int32_t x = osc_offset_left(record[0], basis), y = osc_offset_left(record[1], basis);
    int32_t z = osc_offset_left(record[2], basis);
    uint32_t s_q15 =
        ((uint32_t)osc_mul(x, x) + (uint32_t)osc_mul(y, y) + (uint32_t)osc_mul(z, z)) >> 15;
    int32_t stretch = osc_offset_stretch_q16(s_q15);
    turn[0] = x + (osc_mul(x, stretch) >> 16);
    turn[1] = y + (osc_mul(y, stretch) >> 16);
    turn[2] = z + (osc_mul(z, stretch) >> 16);
    turn[3] = -(int32_t)s_q15;
}

static inline void osc_offset_rotation(uint32_t *record, uint32_t slot, uint32_t basis,
                                       osc_quaternion *rotation)
{
    int32_t t[4], *out = &rotation->x;
    osc_offset_turn(record, basis, t);
    int32_t x = osc_q14_half(rotation->x), y = osc_q14_half(rotation->y);
    int32_t z = osc_q14_half(rotation->z), w = osc_q14_half(rotation->w);
    OSC_READ_AGAIN();
    out[0] = osc_add(out[0],
                     osc_sub(osc_add(osc_add(osc_mul(t[3], x), osc_mul(t[0], w)), osc_mul(t[1], z)),
                             osc_mul(t[2], y)) >>
                         9);
    OSC_READ_AGAIN();
    out[1] = osc_add(out[1],
                     osc_sub(osc_add(osc_add(osc_mul(t[3], y), osc_mul(t[1], w)), osc_mul(t[2], x)),
                             osc_mul(t[0], z)) >>
                         9);
    OSC_READ_AGAIN();
    out[2] = osc_add(out[2],
                     osc_sub(osc_add(osc_add(osc_mul(t[3], z), osc_mul(t[2], w)), osc_mul(t[0], y)),
                             osc_mul(t[1], x)) >>
                         9);
    OSC_READ_AGAIN();
    out[3] = osc_add(out[3],
                     osc_sub(osc_sub(osc_sub(osc_mul(t[3], w), osc_mul(t[0], x)), osc_mul(t[1], y)),
                             osc_mul(t[2], z)) >>
                         9);
    OSC_READ_AGAIN();
    osc_keep_rotation(record, slot, rotation);
}

#endif

#ifdef OSC_PORT_OFFSETS
/* osc_offset_rotation for four consecutive rotations. */
static inline void osc_offset_4_rotations(uint32_t *records, uint32_t slot, uint32_t basis,
                                          osc_quaternion *rotations);

#include OSC_PORT_OFFSETS
#else

static inline void osc_offset_vector(uint32_t *record, uint32_t slot, uint32_t basis,
                                     osc_vector *vector)
{
    int32_t x = osc_add(vector->x, osc_shl(osc_offset_left(record[0], basis), 7));
    int32_t y = osc_add(vector->y, osc_shl(osc_offset_left(record[1], basis), 7));
    int32_t z = osc_add(vector->z, osc_shl(osc_offset_left(record[2], basis), 7));
    uint32_t *kept = record + slot;
    kept[0] = (uint32_t)(vector->x = x);
    kept[1] = (uint32_t)(vector->y = y);
    kept[2] = (uint32_t)(vector->z = z);
}

#endif

#ifdef OSC_PORT_BEGIN
/* Writes the offsets of four consecutive rotations, and of a vector, to records. newest, older:
 * slots of the records, 0 or 1, or the slots of a vector; ratio: of the duration and a step */
static inline void osc_begin_4_rotations(uint32_t *records, uint32_t newest, uint32_t older,
                                         uint32_t ratio, const osc_quaternion *rotations);
static inline void osc_begin_vector(uint32_t *record, const uint32_t *newest, const uint32_t *older,
                                    uint32_t ratio, const osc_vector *vector);

#include OSC_PORT_BEGIN
#endif

#endif
