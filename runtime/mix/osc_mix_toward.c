/* SPDX-License-Identifier: MIT */
/* The step of a pose towards another. */
#include "mix/osc_mix_walk.h"
#include "osc_mix.h"

uint32_t osc_mix_share(uint32_t weight, uint32_t total)
{
    return total != 0u ? ((weight << 15) + (total >> 1)) / total : 0u;
}

OSC_HOT OSC_NOINLINE void mix_run(void *rotations, const void *with, uint32_t count,
                                  int32_t weight_q15)
{
    osc_mix_rotations((osc_quaternion *)rotations, (const osc_quaternion *)with, count, weight_q15);
}

OSC_HOT void osc_mix_toward(const osc_bank *bank, const osc_pose *pose, const osc_pose *with,
                            uint32_t weight_q15, const uint16_t *mask_q15)
{
    OSC_ASSERT(weight_q15 <= OSC_ONE_Q15);
    OSC_ASSERT((pose->scales != 0 && with->scales != 0) || !bank->has_scale);
    osc_mix_walk(bank, 0, pose->rotations, with->rotations, weight_q15, mask_q15, mix_run);
    osc_mix_moved(bank, pose, with, weight_q15, mask_q15);
}
