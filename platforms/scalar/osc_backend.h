/* The scalar backend: plain C, and the definition that every other backend must match bit for bit.
 *
 * Contract of a backend (generated evaluators call nothing else):
 *   OSC_BACKEND_NAME            a string
 *   osc_blend_at                what one fraction means for all tracks, once per pose
 *   osc_blend_rotation          one rotation lane of two key rows to a quaternion
 *   osc_blend_vector            one translation or scale lane
 *   osc_local_matrix            rotation, translation, scale (or null) to a 3x4 matrix
 *   osc_matrix_multiply         parent * local
 * The formulas are in runtime/SPEC.md.
 */
#ifndef OSC_BACKEND_H
#define OSC_BACKEND_H

#include "osc_kernels.h"

#define OSC_BACKEND_NAME "scalar"

#endif
