/* How far two placements of a joint's shell are apart. */
#ifndef ENCODER_BASE_SHELL_H
#define ENCODER_BASE_SHELL_H

#include "base/linear.h"
#include "encoder.h"

/* The largest squared distance between the shell points of two joints: the three points on the
 * axes, or all points of the sphere. For the sphere the result is exact but for rounding, and errs
 * on the large side. */
double enc_shell_error2(const enc_matrix *a, const enc_matrix *b, const enc_shell *shell);

#endif
