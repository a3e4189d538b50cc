/* SPDX-License-Identifier: MIT */
/* Additive layers. */
#include "mix/osc_mix_walk.h"
#include "osc_mix.h"

OSC_HOT static void add(osc_vector *translation, const osc_vector *difference, int32_t weight_q15)
{
    osc_add_vector(translation, difference, weight_q15);
}

OSC_HOT OSC_NOINLINE int32_t scaled(int32_t scale, int32_t factor, int32_t weight_q15)
{
    return osc_scaled(scale, factor, weight_q15);
}

/* osc_add_scale, with one copy of the product */
OSC_HOT static void add_scale(osc_vector *scale, const osc_vector *difference, int32_t weight_q15)
{
    scale->x = scaled(scale->x, difference->x, weight_q15);
    scale->y = scaled(scale->y, difference->y, weight_q15);
    scale->z = scaled(scale->z, difference->z, weight_q15);
}

OSC_HOT OSC_NOINLINE void add_run(osc_quaternion *rotations, const osc_quaternion *deltas,
                                  uint32_t count, int32_t weight_q15)
{
    for (; OSC_MIXES_4 && count >= 4u; count -= 4u, rotations += 4, deltas += 4)
        osc_add_4_rotations(rotations, deltas, weight_q15);
    for (; count != 0u; count--)
        osc_add_rotation(rotations++, deltas++, weight_q15);
}

OSC_HOT void osc_mix_add(const osc_bank *bank, const osc_pose *pose, const osc_pose *difference,
                         uint32_t weight_q15, const uint16_t *mask_q15)
{
    OSC_ASSERT(weight_q15 <= OSC_ONE_Q15);
    OSC_ASSERT((pose->scales != 0 && difference->scales != 0) || !bank->has_scale);
    osc_walk_rotations(bank, pose->rotations, difference->rotations, weight_q15, mask_q15, add_run);
    osc_mix_kind(bank, 1u, pose->translations, difference->translations, weight_q15, mask_q15, add);
    if (bank->has_scale)
        osc_mix_kind(bank, 2u, pose->scales, difference->scales, weight_q15, mask_q15, add_scale);
}
