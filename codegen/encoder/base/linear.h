/* Matrices of transforms, and linear systems of three unknowns. */
#ifndef ENCODER_BASE_LINEAR_H
#define ENCODER_BASE_LINEAR_H

#include <stdbool.h>

typedef struct {
    double m[12]; /* 3x4, row major */
} enc_matrix;

/* A symmetric 3x3 matrix. */
typedef struct {
    double xx, xy, xz, yy, yz, zz;
} enc_symmetric;

/* The adjugate of a matrix's linear part, row major: its inverse times its determinant, which is
 * returned. */
double enc_adjugate(const enc_matrix *a, double out[9]);

/* Solves a x = b for the linear part of a; false where that is flat. */
bool enc_solve(const enc_matrix *a, const double b[3], double x[3]);

/* Solves a x = b by Cramer's rule, and returns the determinant; x is unchanged where that is zero.
 */
double enc_solve_symmetric(const enc_symmetric *a, const double b[3], double x[3]);

#endif
