/* SPDX-License-Identifier: MIT */
/* Shared by limbs and aims: axes of joints, rotations in model space, corrections. */
#ifndef OSC_IK_TURN_H
#define OSC_IK_TURN_H

#include "arithmetic/osc_direction.h"
#include "osc_ik.h"

/* The unit axes of a joint's matrix, one after the other. scaled: whether the matrix may scale. */
void osc_ik_axes(const osc_matrix *matrix, bool scaled, int32_t axes[9]);

/* Computes the rotation in model space that takes direction `from` to `to`, both unit, by the
 * shortest arc, and then rotates about `to` until `side` is along to x pole or, with `up`, in the
 * half plane of the pole. side: unit, at a right angle to `from`. Returns false if there is
 * none. */
bool osc_ik_swing(const int32_t from[3], const int32_t to[3], const int32_t side[3],
                  const osc_vector *pole, bool up, int32_t q[4]);

/* Makes the real part non-negative, and blends from the identity by the weight. */
void osc_ik_weigh(int32_t q[4], uint32_t weight_q15);

/* rotation = rotation * q */
void osc_ik_apply(osc_quaternion *rotation, const int32_t q[4]);

/* The same for q in model space. axes: the joint's. */
void osc_ik_apply_model(osc_quaternion *rotation, const int32_t axes[9], const int32_t q[4]);

static inline uint32_t osc_ik_weight(uint32_t weight_q15)
{
    return weight_q15 > OSC_ONE_Q15 ? OSC_ONE_Q15 : weight_q15;
}

/* Rounded products of numbers in Q20. */
static inline int32_t osc_ik_product(int32_t a, int32_t b)
{
    return osc_q20_of_q30(osc_product_q30(a, b));
}

static inline int32_t osc_ik_dot(const int32_t *a, uint32_t step, const int32_t b[3])
{
    return osc_q20_of_q30(osc_dot3_q30(a, step, b));
}

#endif
