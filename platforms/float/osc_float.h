/* SPDX-License-Identifier: MIT */
/* Converts integer matrices to float matrices, for GPUs and engines that require them. Not a
 * backend: it works with any backend, and neither the runtime nor generated code needs it. Exact if
 * the number fits the 24 bits of a float, else rounded to the nearest: the same floats on every
 * machine with IEEE 754. */
#ifndef OSC_FLOAT_H
#define OSC_FLOAT_H

#include "ossicle.h"

#ifdef __cplusplus
/* without a warning of -Wold-style-cast */
#define OSC_FLOAT_OF(number) static_cast<float>(number)
#else
#define OSC_FLOAT_OF(number) (float)(number)
#endif

/* Converts a number in Q20 to a float. */
static inline float osc_float(int32_t value_q20)
{
    return OSC_FLOAT_OF(value_q20) * (1.0f / 1048576.0f);
}

/* 3x4, row major, the translation in out[3], out[7], out[11]: 12 floats. */
static inline void osc_float_3x4(const osc_matrix *matrix, float out[12])
{
    for (int i = 0; i < 12; i++)
        out[i] = osc_float(matrix->m[i]);
}

/* 4x4, column major as OpenGL, Vulkan and Metal read it, the translation in out[12..14]: 16 floats.
 */
static inline void osc_float_4x4(const osc_matrix *matrix, float out[16])
{
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 3; row++)
            out[4 * column + row] = osc_float(matrix->m[4 * row + column]);
        out[4 * column + 3] = column == 3 ? 1.0f : 0.0f;
    }
}

#endif
