/* The last step of a blend, with which rotations become unit. */
#include "mix/osc_mix_walk.h"
#include "osc_mix.h"

OSC_HOT void osc_mix_finish(const osc_bank *bank, const osc_pose *pose)
{
    for (uint32_t first = 0; first < bank->joint_count; first += 32u) {
        uint32_t here = osc_subtrack_bits(bank, 0, first);
        osc_quaternion *rotation = pose->rotations + first;
        while (here != 0u) {
            uint32_t count = OSC_MIXES_4 && (here & 15u) == 15u ? 4u : 1u;
            if (count == 4u)
                osc_unit_4_rotations(rotation);
            else if ((here & 1u) != 0u)
                osc_unit_rotation(rotation);
            rotation += count;
            here >>= count;
        }
    }
}

OSC_HOT void osc_mix_blend(const osc_bank *bank, const osc_pose *pose, const osc_pose *with,
                           uint32_t weight_q15, const uint16_t *mask_q15)
{
    OSC_ASSERT((pose->scales != 0 && with->scales != 0) || !bank->has_scale);
    int32_t weights[4];
    for (uint32_t first = 0; first < bank->joint_count; first += 32u) {
        uint32_t here = osc_subtrack_bits(bank, 0, first);
        for (uint32_t joint = first; here != 0u;) {
            uint32_t count = OSC_MIXES_4 && (here & 15u) == 15u ? 4u : 1u;
            if ((here & 1u) != 0u)
                for (uint32_t i = 0; i < count; i++)
                    weights[i] = osc_joint_weight(weight_q15, mask_q15, joint + i);
            if (count == 4u)
                osc_mix_unit_4_rotations(pose->rotations + joint, with->rotations + joint, weights);
            else if ((here & 1u) != 0u)
                osc_mix_unit_rotation(pose->rotations + joint, with->rotations + joint, weights[0]);
            joint += count;
            here >>= count;
        }
    }
    osc_mix_vectors(bank, pose, with, weight_q15, mask_q15);
}
