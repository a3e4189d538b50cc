/* The operations of transitions that a platform may provide in its own way, and their definition.
 * SPEC.md 18 states them as formulas.
 *
 *   OSC_PORT_OFFSETS   osc_offset_4_rotations, without which rotations are taken singly, and
 *                      osc_offset_vector
 *
 * A record of a vector is OSC_TRANSITION_VECTOR_WORDS long: the same three words, in Q13, and two
 * slots of three words. A record of a rotation is OSC_TRANSITION_ROTATION_WORDS long: three words
 * with an offset in the low half, Q15, and a speed in the high one; then two slots of two words,
 * each with a rotation that was shown, x y z w as 16-bit numbers in Q14, the first one lowest. */
#ifndef OSC_PORT_OFFSETS_H
#define OSC_PORT_OFFSETS_H

#include "osc_port.h"
#include "osc_transition.h"

#define OSC_OFFSET_SLOT 3u /* where the first slot of a record begins */

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

/* Keeps a rotation in a slot. */
static inline void osc_keep_rotation(uint32_t *slot, const osc_quaternion *rotation)
{
    slot[0] = osc_halves(osc_q14_half(rotation->x), osc_q14_half(rotation->y));
    slot[1] = osc_halves(osc_q14_half(rotation->z), osc_q14_half(rotation->w));
}

/* What is left of an offset. basis: the two basis polynomials, in Q14. */
static inline int32_t osc_offset_left(uint32_t offset, uint32_t basis)
{
    return (osc_low_half(offset) * osc_low_half(basis) +
            osc_high_half(offset) * osc_high_half(basis) + 8192) >>
           14;
}

/* The Hamilton product of two rotations with 16-bit components, modulo 2^32. */
OSC_INLINE void osc_turn_product(const int32_t a[4], const int32_t b[4], int32_t out[4])
{
    int32_t x = a[0], y = a[1], z = a[2], w = a[3];
    int32_t bx = b[0], by = b[1], bz = b[2], bw = b[3];
    out[0] = osc_add(osc_add(w * bx, x * bw), osc_sub(y * bz, z * by));
    out[1] = osc_add(osc_add(w * by, y * bw), osc_sub(z * bx, x * bz));
    out[2] = osc_add(osc_add(w * bz, z * bw), osc_sub(x * by, y * bx));
    out[3] = osc_sub(osc_sub(w * bw, x * bx), osc_add(y * by, z * bz));
}

/* Turns a rotation by what is left of the record's offset,
 * d = v + w with w = sqrt(1 - |v|^2). The
 * result is q + (d - 1) q, so that no turn leaves q alone. */
static inline void osc_offset_rotation(const uint32_t *record, uint32_t basis,
                                       osc_quaternion *rotation)
{
    int32_t turn[4], turned[4];
    uint32_t squares = 0; /* |v| < 2^15 in each component: the sum fits 32 bits */
    for (uint32_t i = 0; i < 3u; i++) {
        turn[i] = osc_offset_left(record[i], basis);
        squares += (uint32_t)(turn[i] * turn[i]);
    }
    int32_t n = (int32_t)((1u << 30) - squares);
    int32_t w = (int32_t)osc_root_q20(n < 0 ? 0u : (uint32_t)n >> 2);
    turn[3] = (w - OSC_ONE_Q20 + 16) >> 5; /* w - 1, Q15 */
    const int32_t q[4] = {osc_q14_half(rotation->x), osc_q14_half(rotation->y),
                          osc_q14_half(rotation->z), osc_q14_half(rotation->w)};
    osc_turn_product(turn, q, turned);
    rotation->x = osc_add(rotation->x, osc_half_up(turned[0], 9));
    rotation->y = osc_add(rotation->y, osc_half_up(turned[1], 9));
    rotation->z = osc_add(rotation->z, osc_half_up(turned[2], 9));
    rotation->w = osc_add(rotation->w, osc_half_up(turned[3], 9));
}

/* Adds what is left of the record's offset to a translation or scale, and keeps it at `slot`. */
static inline void osc_offset_vector(uint32_t *record, uint32_t slot, uint32_t basis,
                                     osc_vector *vector);

#ifdef OSC_PORT_OFFSETS
/* osc_offset_rotation and osc_keep_rotation for four records that follow each other. The rotations
 * are different ones. */
static inline void osc_offset_4_rotations(uint32_t *records, uint32_t slot, uint32_t basis,
                                          osc_quaternion *const rotations[4]);

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

#endif
