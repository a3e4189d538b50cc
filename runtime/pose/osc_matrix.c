/* SPDX-License-Identifier: MIT */
/* Products of matrices for games: props, cameras, points of a character. */
#include "port/osc_port.h"

OSC_HOT void osc_matrix_multiply(const osc_matrix *a, const osc_matrix *b, osc_matrix *out)
{
    OSC_ASSERT(a != 0 && b != 0 && out != 0);
    osc_matrix right = *b; /* the port reads it after the first row is written */
    osc_matrix_product(a, &right, out);
}

OSC_HOT void osc_matrix_point(const osc_matrix *matrix, const osc_vector *point, osc_vector *out)
{
    OSC_ASSERT(matrix != 0 && point != 0 && out != 0);
    const int32_t *m = matrix->m;
    int32_t x = point->x, y = point->y, z = point->z;
    out->x = osc_add(osc_dot3_q20(m[0], x, m[1], y, m[2], z), m[3]);
    out->y = osc_add(osc_dot3_q20(m[4], x, m[5], y, m[6], z), m[7]);
    out->z = osc_add(osc_dot3_q20(m[8], x, m[9], y, m[10], z), m[11]);
}
