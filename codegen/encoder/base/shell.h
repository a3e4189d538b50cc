/* The distance between two placements of a joint's shell. */
#ifndef ENCODER_BASE_SHELL_H
#define ENCODER_BASE_SHELL_H

#include "base/linear.h"
#include "encoder.h"

/* The largest squared distance between corresponding shell points of two placements of a joint, in
 * square metres: of the three points on the axes, or of all points of the sphere. For the sphere
 * the result is exact except for rounding, which is upwards. */
double enc_shell_error2(const enc_matrix *a, const enc_matrix *b, const enc_shell *shell);

#endif
