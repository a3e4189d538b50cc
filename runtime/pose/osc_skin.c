/* Generic skinning matrices: small, driven by tables, and the reference for generated code. */
#include "osc_skin.h"
#include "bank/osc_internal.h"
#include "osc_port.h"

int32_t osc_skin(const osc_bank *bank, const osc_matrix *model, osc_matrix *skin)
{
    osc_matrix swapped;
    if (bank->inverse_bind == 0)
        return OSC_ERROR_SECTION;
    for (uint32_t joint = 0; joint < bank->joint_count; joint++)
        osc_matrix_product(&model[joint], osc_inverse_bind(bank, joint, &swapped), &skin[joint]);
    return OSC_OK;
}

int32_t osc_skin_q14(const osc_bank *bank, const osc_pose *pose, uint32_t bits, osc_matrix *work,
                     osc_matrix_q14 *skin)
{
    OSC_ASSERT((pose->scales != 0 || !bank->has_scale) && bits >= 8u && bits <= 18u);
    osc_matrix swapped;
    if (bank->inverse_bind == 0)
        return OSC_ERROR_SECTION;
    for (uint32_t joint = 0; joint < bank->joint_count; joint++) {
        uint32_t parent = osc_parent(bank, joint);
        osc_matrix local, *own = parent == OSC_NO_PARENT ? &work[joint] : &local;
        osc_local_matrix_q14(&pose->rotations[joint], &pose->translations[joint],
                             bank->has_scale ? &pose->scales[joint] : 0, bits, own);
        if (parent != OSC_NO_PARENT)
            osc_matrix_product_q14(&work[parent], &local, &work[joint]);
        osc_skin_matrix_q14(&work[joint], osc_inverse_bind(bank, joint, &swapped), bits,
                            &skin[joint]);
    }
    return OSC_OK;
}
