/* SPDX-License-Identifier: MIT */
/* The composition of one joint, after its parent. */
#ifndef OSC_COMPOSE_JOINT_H
#define OSC_COMPOSE_JOINT_H

#include "bank/osc_internal.h"
#include "port/osc_port.h"

OSC_INLINE void osc_compose_joint(const osc_bank *bank, const osc_pose *pose, uint32_t joint,
                                  uint32_t parent, osc_matrix *model)
{
    const osc_vector *scale = bank->has_scale ? &pose->scales[joint] : 0;
    if (parent == OSC_NO_PARENT)
        osc_local_matrix(&pose->rotations[joint], &pose->translations[joint], scale, &model[joint]);
    else
        osc_child_matrix(&pose->rotations[joint], &pose->translations[joint], scale, &model[parent],
                         &model[joint]);
}

#endif
