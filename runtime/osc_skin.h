/* SPDX-License-Identifier: MIT */
/* The arithmetic of skinning matrices: reads inverse bind matrices and converts to other number
 * formats. SPEC.md states it as formulas. */
#ifndef OSC_SKIN_H
#define OSC_SKIN_H

#include "port/osc_port.h"

#include "bank/osc_format.h"

/* Returns the inverse bind matrix of a joint: in place, or in `swapped` on a big-endian machine.
 * inverse_bind: those of a bank, which a loop reads from there once: a compiler would read it again
 * after each matrix that it writes. */
static inline const osc_matrix *osc_inverse_bind(const uint32_t *inverse_bind, uint32_t joint,
                                                 osc_matrix *swapped)
{
    const uint32_t *words = inverse_bind + OSC_SKIN_WORDS * joint;
    if (osc_word(1u) == 1u)
        return (const osc_matrix *)(const void *)words;
    for (uint32_t i = 0; i < OSC_SKIN_WORDS; i++)
        swapped->m[i] = (int32_t)osc_word(words[i]);
    return swapped;
}

/* floor((x + 2^7) / 2^8) without a sum that could wrap. */
static inline int32_t osc_q12_of_q20(int32_t x)
{
    return ((x >> 7) + 1) >> 1;
}

/* out = model * inverse bind matrix, whose columns 0..2 are those of the identity: the exact sums
 * of the product with it are the elements themselves. out may be the model. */
static inline void osc_skin_offset(const osc_matrix *model, const osc_matrix *inverse_bind,
                                   osc_matrix *out)
{
#ifdef OSC_PORT_MATRIX_MULTIPLY
    osc_matrix_product(model, inverse_bind, out); /* cheaper than three sums spelled out */
#else
    int32_t x = inverse_bind->m[3], y = inverse_bind->m[7], z = inverse_bind->m[11];
    if (out != model)
        *out = *model;
    for (int32_t *m = out->m; m != out->m + 12; m += 4)
        m[3] = osc_add(osc_dot3_q20(m[0], x, m[1], y, m[2], z), m[3]);
#endif
}

static inline void osc_matrix_to_4x3(const osc_matrix *matrix, osc_matrix_4x3 *out)
{
    const int32_t *row = matrix->m;
    for (int32_t *m = out->m; m != out->m + 12; m += 3, row++) {
        m[0] = osc_q12_of_q20(row[0]);
        m[1] = osc_q12_of_q20(row[4]);
        m[2] = osc_q12_of_q20(row[8]);
    }
}

#endif
