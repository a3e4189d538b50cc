/* SPDX-License-Identifier: MIT */
/* Translations and scales, of which most skeletons animate few. */
#include "mix/osc_mix_walk.h"

OSC_HOT void osc_mix_kind(const osc_bank *bank, uint32_t kind, osc_vector *vectors,
                          const osc_vector *with, uint32_t weight_q15, const uint16_t *mask_q15,
                          osc_mix_run *run)
{
    OSC_ASSERT(kind != 0u);
    osc_mix_walk(bank, kind, vectors, with, weight_q15, mask_q15, run);
}

OSC_HOT OSC_NOINLINE void mix_vector_run(void *vectors, const void *with, uint32_t count,
                                         int32_t weight_q15)
{
    osc_mix_vectors(vectors, with, count, weight_q15);
}

OSC_HOT void osc_mix_moved(const osc_bank *bank, const osc_pose *pose, const osc_pose *with,
                           uint32_t weight_q15, const uint16_t *mask_q15)
{
    osc_mix_kind(bank, 1u, pose->translations, with->translations, weight_q15, mask_q15,
                 mix_vector_run);
    if (bank->has_scale)
        osc_mix_kind(bank, 2u, pose->scales, with->scales, weight_q15, mask_q15, mix_vector_run);
}
