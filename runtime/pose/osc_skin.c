/* SPDX-License-Identifier: MIT */
/* Generic skinning matrices: small, driven by tables, and the reference for generated code. */
#include "osc_skin.h"
#include "bank/osc_internal.h"
#include "port/osc_port.h"

OSC_HOT int32_t osc_skin(const osc_bank *bank, const osc_matrix *model, osc_matrix *skin)
{
    osc_matrix swapped;
    const uint32_t *const inverse_bind = bank->inverse_bind;
    if (inverse_bind == 0)
        return OSC_ERROR_SECTION;
    for (uint32_t joint = 0; joint < bank->joint_count; joint++)
        osc_matrix_product(&model[joint], osc_inverse_bind(inverse_bind, joint, &swapped),
                           &skin[joint]);
    return OSC_OK;
}

OSC_HOT int32_t osc_skin_pose_q14(const osc_bank *bank, const osc_pose *pose, uint32_t bits,
                                  osc_matrix *work, osc_matrix_q14 *skin)
{
    OSC_ASSERT((pose->scales != 0 || !bank->has_scale) && bits >= 8u && bits <= 18u);
    osc_matrix swapped;
    const uint32_t *const inverse_bind = bank->inverse_bind;
    if (inverse_bind == 0)
        return OSC_ERROR_SECTION;
    for (uint32_t joint = 0; joint < bank->joint_count; joint++) {
        uint32_t parent = osc_parent(bank, joint);
        const osc_vector *scale = bank->has_scale ? &pose->scales[joint] : 0;
        if (parent == OSC_NO_PARENT)
            osc_local_matrix_q14(&pose->rotations[joint], &pose->translations[joint], scale, bits,
                                 &work[joint]);
        else
            osc_child_matrix_q14(&pose->rotations[joint], &pose->translations[joint], scale, bits,
                                 &work[parent], &work[joint]);
        osc_skin_matrix_q14(&work[joint], osc_inverse_bind(inverse_bind, joint, &swapped), bits,
                            &skin[joint]);
    }
    return OSC_OK;
}
