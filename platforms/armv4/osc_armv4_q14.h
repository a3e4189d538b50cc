/* SPDX-License-Identifier: MIT */
/* Products of small matrices by assembler. */
#ifndef OSC_ARMV4_Q14_H
#define OSC_ARMV4_Q14_H

#include "port/osc_port.h"

/* osc_armv4_q14.S */
void osc_armv4_child_q14(const int32_t *parent, const osc_quaternion *rotation, int32_t *out,
                         const osc_vector *translation, uint32_t shift);
void osc_armv4_skin_q14(const int32_t *model, const int32_t *inverse_bind, osc_matrix_q14 *out,
                        uint32_t shift);
void osc_armv4_skin_offset_q14(const int32_t *model, const int32_t *offset, osc_matrix_q14 *out);

static inline void osc_child_matrix_q14(const osc_quaternion *rotation,
                                        const osc_vector *translation, const osc_vector *scale,
                                        uint32_t bits, const osc_matrix *parent, osc_matrix *out)
{
    if (scale == 0)
        osc_armv4_child_q14(parent->m, rotation, out->m, translation, 20u - bits);
    else
        osc_compose_child_q14(rotation, translation, scale, bits, parent, out);
}

static inline void osc_skin_matrix_q14(const osc_matrix *model, const osc_matrix *inverse_bind,
                                       uint32_t bits, osc_matrix_q14 *out)
{
    osc_armv4_skin_q14(model->m, inverse_bind->m, out, 20u - bits);
}

static inline void osc_skin_offset_q14(const osc_matrix *model, const int32_t offset[3],
                                       osc_matrix_q14 *out)
{
    osc_armv4_skin_offset_q14(model->m, offset, out);
}

#endif
