#include "base/linear.h"

#include <math.h>
#include <string.h>

#define FLAT 1e-9 /* a matrix whose axes span a smaller volume has no inverse */

double enc_adjugate(const enc_matrix *a, double out[9])
{
    const double *m = a->m;
    const double adjugate[9] = {
        m[5] * m[10] - m[6] * m[9], m[2] * m[9] - m[1] * m[10], m[1] * m[6] - m[2] * m[5],
        m[6] * m[8] - m[4] * m[10], m[0] * m[10] - m[2] * m[8], m[2] * m[4] - m[0] * m[6],
        m[4] * m[9] - m[5] * m[8],  m[1] * m[8] - m[0] * m[9],  m[0] * m[5] - m[1] * m[4]};
    memcpy(out, adjugate, sizeof adjugate);
    return m[0] * adjugate[0] + m[1] * adjugate[3] + m[2] * adjugate[6];
}

bool enc_solve(const enc_matrix *a, const double b[3], double x[3])
{
    double adjugate[9], volume = enc_adjugate(a, adjugate);
    if (!(fabs(volume) > FLAT))
        return false;
    for (int i = 0; i < 3; i++)
        x[i] = (b[0] * adjugate[3 * i] + b[1] * adjugate[3 * i + 1] + b[2] * adjugate[3 * i + 2]) /
               volume;
    return true;
}

double enc_solve_symmetric(const enc_symmetric *a, const double b[3], double x[3])
{
    double xx = a->xx, xy = a->xy, xz = a->xz, yy = a->yy, yz = a->yz, zz = a->zz;
    double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
    double cyy = xx * zz - xz * xz, cyz = xy * xz - xx * yz, czz = xx * yy - xy * xy;
    double determinant = xx * cxx + xy * cxy + xz * cxz;
    if (determinant == 0.0)
        return 0.0;
    x[0] = (cxx * b[0] + cxy * b[1] + cxz * b[2]) / determinant;
    x[1] = (cxy * b[0] + cyy * b[1] + cyz * b[2]) / determinant;
    x[2] = (cxz * b[0] + cyz * b[1] + czz * b[2]) / determinant;
    return determinant;
}

bool enc_solve_definite(double *a, uint32_t stride, uint32_t count, double *x)
{
    for (uint32_t i = 0; i < count; i++) {
        const double *pivot = a + (size_t)i * stride;
        if (!(pivot[i] > 0.0))
            return false;
        for (uint32_t k = i + 1u; k < count; k++) {
            double *row = a + (size_t)k * stride, factor = row[i] / pivot[i];
            for (uint32_t j = i; j < count; j++)
                row[j] -= factor * pivot[j];
            x[k] -= factor * x[i];
        }
    }
    for (uint32_t i = count; i-- > 0u;) {
        const double *row = a + (size_t)i * stride;
        for (uint32_t j = i + 1u; j < count; j++)
            x[i] -= row[j] * x[j];
        x[i] /= row[i];
    }
    return true;
}
