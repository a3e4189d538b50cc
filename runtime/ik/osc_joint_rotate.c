/* SPDX-License-Identifier: MIT */
/* Rotations of single joints. */
#include "ik/osc_ik_turn.h"

OSC_HOT void osc_joint_rotate(const osc_pose *pose, uint32_t joint, const osc_quaternion *rotation)
{
    const int32_t q[4] = {osc_low22(rotation->x), osc_low22(rotation->y), osc_low22(rotation->z),
                          osc_low22(rotation->w)};
    osc_ik_apply(&pose->rotations[joint], q);
}

OSC_HOT void osc_joint_rotate_model(const osc_pose *pose, uint32_t joint, const osc_matrix *model,
                                    const osc_quaternion *rotation)
{
    const int32_t q[4] = {osc_low22(rotation->x), osc_low22(rotation->y), osc_low22(rotation->z),
                          osc_low22(rotation->w)};
    int32_t axes[9];
    osc_ik_axes(model, pose->scales != 0, axes);
    osc_ik_apply_model(&pose->rotations[joint], axes, q);
}
