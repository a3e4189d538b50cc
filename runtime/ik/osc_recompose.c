/* SPDX-License-Identifier: MIT */
/* The composition of a joint and the joints below it. */
#include "osc_ik.h"
#include "pose/osc_compose_joint.h"

OSC_HOT void osc_recompose(const osc_bank *bank, const osc_pose *pose, uint32_t joint,
                           osc_matrix *model)
{
    OSC_ASSERT(joint < bank->joint_count && (pose->scales != 0 || !bank->has_scale));
    uint32_t below[OSC_MAX_JOINTS / 32u]; /* a bit for each joint that is composed again */
    for (uint32_t i = joint >> 5; i < (bank->joint_count + 31u) >> 5; i++)
        below[i] = 0;
    for (uint32_t first = joint; joint < bank->joint_count; joint++) {
        uint32_t parent = osc_parent(bank, joint);
        if (joint != first && (parent < first || parent == OSC_NO_PARENT ||
                               (below[parent >> 5] >> (parent & 31u) & 1u) == 0u))
            continue;
        below[joint >> 5] |= 1u << (joint & 31u);
        osc_compose_joint(bank, pose, joint, parent, model);
    }
}
