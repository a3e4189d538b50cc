/* Affine matrices, and small linear systems. */
#ifndef ENCODER_BASE_LINEAR_H
#define ENCODER_BASE_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    double m[12]; /* 3x4, row major */
} enc_matrix;

/* A symmetric 3x3 matrix. */
typedef struct {
    double xx, xy, xz, yy, yz, zz;
} enc_symmetric;

/* Writes the adjugate of a matrix's linear part, row major: its inverse times its determinant.
 * Returns the determinant. */
double enc_adjugate(const enc_matrix *a, double out[9]);

/* Solves a x = b for the linear part of a. Returns false if the volume that its axes span is below
 * 1e-9. */
bool enc_solve(const enc_matrix *a, const double b[3], double x[3]);

/* Solves a x = b by Cramer's rule and returns the determinant; x is unchanged if that is zero. */
double enc_solve_symmetric(const enc_symmetric *a, const double b[3], double x[3]);

/* Solves a x = b for a symmetric positive definite matrix of `count` rows, `stride` numbers apart,
 * by elimination, which destroys a. x: b on entry, the solution afterwards. Returns false if a is
 * not positive definite. */
bool enc_solve_definite(double *a, uint32_t stride, uint32_t count, double *x);

#endif
