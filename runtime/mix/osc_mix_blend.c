/* SPDX-License-Identifier: MIT */
/* The blend of two poses, which normalises rotations. */
#include "mix/osc_mix_walk.h"
#include "osc_mix.h"

OSC_HOT OSC_NOINLINE void finish_run(osc_quaternion *rotations, const osc_quaternion *with,
                                     uint32_t count, int32_t weight_q15)
{
    (void)with;
    (void)weight_q15;
    for (; OSC_MIXES_4 && count >= 4u; count -= 4u, rotations += 4)
        osc_unit_4_rotations(rotations);
    for (; count != 0u; count--)
        osc_unit_rotation(rotations++);
}

OSC_HOT void osc_mix_finish(const osc_bank *bank, const osc_pose *pose)
{
    osc_walk_rotations(bank, pose->rotations, pose->rotations, OSC_ONE_Q15, 0, finish_run);
}

OSC_HOT OSC_NOINLINE void blend_run(osc_quaternion *rotations, const osc_quaternion *with,
                                    uint32_t count, int32_t weight_q15)
{
    for (; OSC_MIXES_4 && count >= 4u; count -= 4u, rotations += 4, with += 4)
        osc_mix_unit_4_rotations(rotations, with, weight_q15);
    for (; count != 0u; count--)
        osc_mix_unit_rotation(rotations++, with++, weight_q15);
}

OSC_HOT void osc_mix_blend(const osc_bank *bank, const osc_pose *pose, const osc_pose *with,
                           uint32_t weight_q15, const uint16_t *mask_q15)
{
    OSC_ASSERT(weight_q15 <= OSC_ONE_Q15);
    OSC_ASSERT((pose->scales != 0 && with->scales != 0) || !bank->has_scale);
    osc_walk_rotations(bank, pose->rotations, with->rotations, weight_q15, mask_q15, blend_run);
    osc_mix_vectors(bank, pose, with, weight_q15, mask_q15);
}
