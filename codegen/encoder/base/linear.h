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

/* The matrix T * R * S of a rotation of any length, a translation and a scale. */
static inline void enc_matrix_local(const double *q, const double *t, const double *s,
                                    enc_matrix *out)
{
    double length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double n = length2 > 0.0
                   ? 2.0 / length2
                   : 0.0; /* a quaternion of length zero is the identity, as on the device */
    double xx = q[0] * q[0] * n, yy = q[1] * q[1] * n, zz = q[2] * q[2] * n;
    double xy = q[0] * q[1] * n, xz = q[0] * q[2] * n, yz = q[1] * q[2] * n;
    double wx = q[3] * q[0] * n, wy = q[3] * q[1] * n, wz = q[3] * q[2] * n;
    double s0 = s[0], s1 = s[1], s2 = s[2], t0 = t[0], t1 = t[1], t2 = t[2];
    double *m = out->m; /* without a temporary array, through which some compilers copy slowly */
    m[0] = (1.0 - yy - zz) * s0;
    m[1] = (xy - wz) * s1;
    m[2] = (xz + wy) * s2;
    m[3] = t0;
    m[4] = (xy + wz) * s0;
    m[5] = (1.0 - xx - zz) * s1;
    m[6] = (yz - wx) * s2;
    m[7] = t1;
    m[8] = (xz - wy) * s0;
    m[9] = (yz + wx) * s1;
    m[10] = (1.0 - xx - yy) * s2;
    m[11] = t2;
}

/* The three rows are multiplied separately: compilers that see all of them at once shuffle more
 * than they compute. */
static inline void enc_multiply_row(const double *restrict p, const double *restrict l,
                                    double *restrict out)
{
    double x = p[0], y = p[1], z = p[2];
    for (int i = 0; i < 4; i++)
        out[i] = x * l[i] + y * l[4 + i] + z * l[8 + i];
    out[3] += p[3];
}

/* out = parent * local; out must be neither of them. */
static inline void enc_matrix_multiply(const enc_matrix *restrict parent,
                                       const enc_matrix *restrict local, enc_matrix *restrict out)
{
    enc_multiply_row(parent->m, local->m, out->m);
    enc_multiply_row(parent->m + 4, local->m, out->m + 4);
    enc_multiply_row(parent->m + 8, local->m, out->m + 8);
}

#endif
