/* SPDX-License-Identifier: MIT */
/* Translations and scales, of which most skeletons animate few. */
#include "mix/osc_mix_walk.h"

OSC_HOT void osc_mix_kind(const osc_bank *bank, uint32_t kind, osc_vector *vectors,
                          const osc_vector *with, uint32_t weight_q15, const uint16_t *mask_q15,
                          osc_mix_run *run)
{
#if OSC_MIXES_RUNS
#define MIX_KIND osc_mix_walk /* inline below */
    osc_mix_walk(bank, kind, vectors, with, weight_q15, mask_q15, run);
#else
#define MIX_KIND osc_mix_kind
    for (uint32_t first = 0; first < bank->joint_count; first += 32u) {
        uint32_t bits = osc_subtrack_bits(bank, kind, first);
        for (uint32_t joint = first; bits != 0u; joint++, bits >>= 1)
            if ((bits & 1u) != 0u)
                run(vectors + joint, with + joint, 1u,
                    osc_joint_weight(weight_q15, mask_q15, joint));
    }
#endif
}

OSC_HOT static void mix_vector_run(void *vectors, const void *with, uint32_t count,
                                   int32_t weight_q15)
{
    osc_mix_vectors((osc_vector *)vectors, (const osc_vector *)with, OSC_VECTOR_RUN(count),
                    weight_q15);
}

OSC_HOT void osc_mix_moved(const osc_bank *bank, const osc_pose *pose, const osc_pose *with,
                           uint32_t weight_q15, const uint16_t *mask_q15)
{
    MIX_KIND(bank, 1u, pose->translations, with->translations, weight_q15, mask_q15,
             mix_vector_run);
    if (bank->has_scale)
        MIX_KIND(bank, 2u, pose->scales, with->scales, weight_q15, mask_q15, mix_vector_run);
}
