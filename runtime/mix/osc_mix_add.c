/* SPDX-License-Identifier: MIT */
/* Additive layers. */
#include "mix/osc_mix_walk.h"
#include "osc_mix.h"

OSC_HOT static void add_vector_run(void *translations, const void *deltas, uint32_t count,
                                   int32_t weight_q15)
{
    osc_add_vectors((osc_vector *)translations, (const osc_vector *)deltas, OSC_VECTOR_RUN(count),
                    weight_q15);
}

OSC_HOT static void add_scale_run(void *scales, const void *deltas, uint32_t count,
                                  int32_t weight_q15)
{
    osc_add_scales((osc_vector *)scales, (const osc_vector *)deltas, OSC_VECTOR_RUN(count),
                   weight_q15);
}

OSC_HOT OSC_NOINLINE void add_run(void *rotations, const void *deltas, uint32_t count,
                                  int32_t weight_q15)
{
    osc_add_rotations((osc_quaternion *)rotations, (const osc_quaternion *)deltas, count,
                      weight_q15);
}

OSC_HOT void osc_mix_add(const osc_bank *bank, const osc_pose *pose, const osc_pose *difference,
                         uint32_t weight_q15, const uint16_t *mask_q15)
{
    OSC_ASSERT(weight_q15 <= OSC_ONE_Q15);
    OSC_ASSERT((pose->scales != 0 && difference->scales != 0) || !bank->has_scale);
    osc_mix_walk(bank, 0, pose->rotations, difference->rotations, weight_q15, mask_q15, add_run);
    osc_mix_kind(bank, 1u, pose->translations, difference->translations, weight_q15, mask_q15,
                 add_vector_run);
    if (bank->has_scale)
        osc_mix_kind(bank, 2u, pose->scales, difference->scales, weight_q15, mask_q15,
                     add_scale_run);
}
