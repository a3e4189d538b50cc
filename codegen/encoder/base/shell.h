/* The shell of a joint, and the distance between two placements of it. */
#ifndef ENCODER_BASE_SHELL_H
#define ENCODER_BASE_SHELL_H

#include "base/linear.h"
#include "encoder.h"

/* The points in a joint's own space that are one metre from the joint in model space at the bind
 * pose. */
typedef struct {
    double axis[3];   /* on the axes: x of the first, y of the second, z of the third point */
    double sphere[9]; /* the image of the unit sphere: a 3x3 matrix, row major */
} enc_joint_space;

/* Finds these points from the joint's model matrix in the bind pose. An axis that is within 1e-4 of
 * one metre long counts as one metre. */
void enc_joint_space_of(const enc_matrix *bind_model, enc_joint_space *out);

/* The largest squared distance between corresponding shell points of two placements of a joint, in
 * square metres: of the three points on the axes, or of all points of the sphere. For the sphere
 * the result is exact except for rounding, which is upwards. */
double enc_shell_error2(const enc_matrix *a, const enc_matrix *b, const enc_shell *shell,
                        const enc_joint_space *space);

/* The same for the sphere, or any number from there up to known2 if it is not larger than that,
 * which takes much less time: for the largest of many errors. */
double enc_sphere_error2(const enc_matrix *a, const enc_matrix *b, double radius_m,
                         const enc_joint_space *space, double known2);

#endif
