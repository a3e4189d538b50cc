/* SPDX-License-Identifier: MIT */
/* The blend of two poses, which normalises rotations. */
#include "mix/osc_mix_walk.h"
#include "osc_mix.h"

OSC_HOT OSC_NOINLINE void finish_run(void *rotations, const void *with, uint32_t count,
                                     int32_t weight_q15)
{
    (void)with;
    (void)weight_q15;
    osc_unit_rotations((osc_quaternion *)rotations, count);
}

OSC_HOT void osc_mix_finish(const osc_bank *bank, const osc_pose *pose)
{
    osc_mix_walk(bank, 0, pose->rotations, pose->rotations, OSC_ONE_Q15, 0, finish_run);
}

OSC_HOT OSC_NOINLINE void blend_run(void *rotations, const void *with, uint32_t count,
                                    int32_t weight_q15)
{
    osc_mix_unit_rotations((osc_quaternion *)rotations, (const osc_quaternion *)with, count,
                           weight_q15);
}

OSC_HOT void osc_mix_blend(const osc_bank *bank, const osc_pose *pose, const osc_pose *with,
                           uint32_t weight_q15, const uint16_t *mask_q15)
{
    OSC_ASSERT(weight_q15 <= OSC_ONE_Q15);
    OSC_ASSERT((pose->scales != 0 && with->scales != 0) || !bank->has_scale);
    osc_mix_walk(bank, 0, pose->rotations, with->rotations, weight_q15, mask_q15, blend_run);
    osc_mix_moved(bank, pose, with, weight_q15, mask_q15);
}
