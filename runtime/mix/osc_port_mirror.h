/* SPDX-License-Identifier: MIT */
/* The operation of mirrored poses that a platform may replace, and its definition. SPEC.md 17
 * states it as formulas.
 *
 *   OSC_PORT_MIRROR   osc_mirror_joints */
#ifndef OSC_PORT_MIRROR_H
#define OSC_PORT_MIRROR_H

#include "osc_mix.h"
#include "port/osc_port.h"

/* Mirrors the joints of a group in place. pairs: its first pair. */
static inline void osc_mirror_joints(const osc_mirror_group *group, const uint16_t *pairs,
                                     osc_quaternion *rotations, osc_vector *vectors);

/* Returns a joint's rotation. offset: four times its number, which addresses both arrays without a
 * product. */
OSC_INLINE osc_quaternion *osc_rotation_at(osc_quaternion *rotations, size_t offset)
{
    return (osc_quaternion *)(void *)((char *)rotations + 4 * offset);
}

OSC_INLINE osc_vector *osc_vector_at(osc_vector *vectors, size_t offset)
{
    return (osc_vector *)(void *)((char *)vectors + 3 * offset);
}

#ifdef OSC_PORT_MIRROR
#include OSC_PORT_MIRROR
#else

OSC_INLINE int32_t osc_negated_if(bool negate, int32_t x)
{
    return negate ? osc_sub(0, x) : x;
}

/* Exchanges two numbers. */
OSC_INLINE void osc_mirror_numbers(int32_t *a, int32_t *b, bool negate)
{
    int32_t from_a = *a, from_b = *b;
    *a = osc_negated_if(negate, from_b);
    *b = osc_negated_if(negate, from_a);
}

/* Exchanges two pairs of numbers, which Arms load and store together. */
OSC_INLINE void osc_mirror_halves(int32_t *a, int32_t *b, bool negate_first, bool negate_second)
{
    int32_t a0 = a[0], a1 = a[1], b0 = b[0], b1 = b[1];
    a[0] = osc_negated_if(negate_first, b0);
    a[1] = osc_negated_if(negate_second, b1);
    b[0] = osc_negated_if(negate_first, a0);
    b[1] = osc_negated_if(negate_second, a1);
}

/* Has a loop for each axis, so that the signs are constants. A joint of the middle is a pair with
 * itself.
 */
OSC_INLINE void osc_mirror_pairs(const uint16_t *pair, const uint16_t *end, uint32_t axis,
                                 osc_quaternion *rotations, osc_vector *vectors)
{
    const bool x = axis != 0u && axis != 1u, y = axis != 0u && axis != 2u,
               z = axis != 0u && axis != 3u;
    for (; pair != end; pair += 2) {
        osc_quaternion *q = osc_rotation_at(rotations, pair[0]);
        osc_quaternion *p = osc_rotation_at(rotations, pair[1]);
        osc_mirror_halves(&q->x, &p->x, x, y);
        osc_mirror_halves(&q->z, &p->z, z, false);
        osc_vector *v = osc_vector_at(vectors, pair[0]), *u = osc_vector_at(vectors, pair[1]);
        osc_mirror_halves(&v->x, &u->x, !x, !y);
        osc_mirror_numbers(&v->z, &u->z, !z);
    }
}

static inline void osc_mirror_joints(const osc_mirror_group *group, const uint16_t *pairs,
                                     osc_quaternion *rotations, osc_vector *vectors)
{
    const uint16_t *end = pairs + 2u * ((uint32_t)group->pair_count + group->middle_count);
    switch (group->axis) {
    case 0:
        osc_mirror_pairs(pairs, end, 0, rotations, vectors);
        break;
    case 1:
        osc_mirror_pairs(pairs, end, 1, rotations, vectors);
        break;
    case 2:
        osc_mirror_pairs(pairs, end, 2, rotations, vectors);
        break;
    default:
        osc_mirror_pairs(pairs, end, 3, rotations, vectors);
        break;
    }
}

#endif
#endif
