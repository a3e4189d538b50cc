/* SPDX-License-Identifier: MIT */
/* Translations and scales, of which most skeletons animate few. */
#include "mix/osc_mix_walk.h"

OSC_HOT void osc_mix_kind(const osc_bank *bank, uint32_t kind, osc_vector *vectors,
                          const osc_vector *with, uint32_t weight_q15, const uint16_t *mask_q15,
                          osc_mix_step *step)
{
    for (uint32_t first = 0; first < bank->joint_count; first += 32u) {
        uint32_t bits = osc_subtrack_bits(bank, kind, first);
        for (uint32_t joint = first; bits != 0u; joint++, bits >>= 1)
            if ((bits & 1u) != 0u)
                step(vectors + joint, with + joint, osc_joint_weight(weight_q15, mask_q15, joint));
    }
}

OSC_HOT static void step_towards(osc_vector *vector, const osc_vector *with, int32_t weight_q15)
{
    osc_mix_vector(vector, with, weight_q15);
}

OSC_HOT void osc_mix_vectors(const osc_bank *bank, const osc_pose *pose, const osc_pose *with,
                             uint32_t weight_q15, const uint16_t *mask_q15)
{
    osc_mix_kind(bank, 1u, pose->translations, with->translations, weight_q15, mask_q15,
                 step_towards);
    if (bank->has_scale)
        osc_mix_kind(bank, 2u, pose->scales, with->scales, weight_q15, mask_q15, step_towards);
}
