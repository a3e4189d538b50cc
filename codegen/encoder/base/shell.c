#include "base/shell.h"

#include <math.h>
#include <stdbool.h>

#define ROOT_STEPS 100 /* of Newton's method; usually two or three are enough */
#define CLOSE 1e-10    /* relative width at which the search for the multiplier ends */

#define SUM_SHARE 1.000001 /* the sum of the eigenvalues times this exceeds any, even rounded */
#define SAME_LENGTH 1e-4   /* rounding of a file, over all joints above */
#define SHEARED 1e-4       /* axes with a smaller cosine between them count as at right angles */
#define FLAT 1e-9          /* unit axes with a smaller volume have no inverse */

/* The cosine between two columns with these lengths, which are not zero. */
static double cosine(const double *m, int i, int k, const double *lengths)
{
    return (m[i] * m[k] + m[4 + i] * m[4 + k] + m[8 + i] * m[8 + k]) / (lengths[i] * lengths[k]);
}

void enc_joint_space_of(const enc_matrix *bind_model, enc_joint_space *out)
{
    const double *m = bind_model->m;
    double lengths[3], inverse[9], volume = enc_adjugate(bind_model, inverse);
    for (int i = 0; i < 3; i++) {
        lengths[i] = sqrt(m[i] * m[i] + m[4 + i] * m[4 + i] + m[8 + i] * m[8 + i]);
        if (!(lengths[i] > 0.0) || fabs(lengths[i] - 1.0) < SAME_LENGTH)
            lengths[i] = 1.0;
        out->axis[i] = 1.0 / lengths[i];
    }
    bool sheared = fabs(cosine(m, 0, 1, lengths)) > SHEARED ||
                   fabs(cosine(m, 0, 2, lengths)) > SHEARED ||
                   fabs(cosine(m, 1, 2, lengths)) > SHEARED;
    sheared = sheared && fabs(volume) > FLAT * lengths[0] * lengths[1] * lengths[2];
    for (int i = 0; i < 9; i++)
        out->sphere[i] = sheared ? inverse[i] / volume : i % 4 == 0 ? out->axis[i / 4] : 0.0;
}

static double axes_error2(const enc_matrix *a, const enc_matrix *b, double shell_m,
                          const double axes[3])
{
    double worst = 0.0;
    double tx = a->m[3] - b->m[3], ty = a->m[7] - b->m[7], tz = a->m[11] - b->m[11];
    for (int axis = 0; axis < 3; axis++) {
        double distance_m = shell_m * axes[axis];
        double x = tx + distance_m * (a->m[axis] - b->m[axis]);
        double y = ty + distance_m * (a->m[4 + axis] - b->m[4 + axis]);
        double z = tz + distance_m * (a->m[8 + axis] - b->m[8 + axis]);
        double error2 = x * x + y * y + z * z;
        if (error2 > worst)
            worst = error2;
    }
    return worst;
}

/* A point p of the unit sphere moves by M p + t, where t is the difference of the two positions,
 * and M the difference of the two sets of axes times the sphere's image in the joint's space: |M p
 * + t|^2 = p.S p + 2 b.p + t.t with S = M^T M and b = M^T t. */
typedef struct {
    double xx, yy, zz, xy, xz, yz; /* S */
    double b[3];
    double t2;
} displacement;

static displacement displacement_of(const enc_matrix *a, const enc_matrix *b,
                                    const enc_joint_space *space)
{
    displacement d = {0};
    const double *s = space->sphere;
    for (int row = 0; row < 12; row += 4) {
        double u = a->m[row] - b->m[row], v = a->m[row + 1] - b->m[row + 1];
        double w = a->m[row + 2] - b->m[row + 2], t = a->m[row + 3] - b->m[row + 3];
        double x = u * s[0] + v * s[3] + w * s[6], y = u * s[1] + v * s[4] + w * s[7];
        double z = u * s[2] + v * s[5] + w * s[8];
        d.xx += x * x;
        d.yy += y * y;
        d.zz += z * z;
        d.xy += x * y;
        d.xz += x * z;
        d.yz += y * z;
        d.b[0] += x * t;
        d.b[1] += y * t;
        d.b[2] += z * t;
        d.t2 += t * t;
    }
    return d;
}

/* The largest eigenvalue of S. Newton's method approaches the smallest one from below (it is zero
 * for a difference of two rotations), which leaves a quadratic equation for the others. */
static double largest_eigenvalue(const displacement *d)
{
    double trace = d->xx + d->yy + d->zz;
    double minors = d->xx * d->yy - d->xy * d->xy + d->xx * d->zz - d->xz * d->xz + d->yy * d->zz -
                    d->yz * d->yz;
    double determinant = d->xx * (d->yy * d->zz - d->yz * d->yz) -
                         d->xy * (d->xy * d->zz - d->yz * d->xz) +
                         d->xz * (d->xy * d->yz - d->yy * d->xz);
    double least = 0.0;
    for (int i = 0; i < ROOT_STEPS; i++) {
        double value = ((trace - least) * least - minors) * least + determinant;
        double slope = (3.0 * least - 2.0 * trace) * least + minors;
        if (!(value > 0.0 && slope > 0.0 && least + value / slope > least))
            break;
        least += value / slope;
    }
    double sum = trace - least, product = minors - least * sum;
    double apart2 = sum * sum - 4.0 * product;
    return (sum + sqrt(apart2 > 0.0 ? apart2 : 0.0)) / 2.0;
}

/* Solves (multiplier I - S) p = b by Cramer's rule; false if the matrix is not positive definite.
 * Returns p.p and b.p. */
static bool stationary(const displacement *d, double multiplier, double *length2, double *along)
{
    const enc_symmetric a = {multiplier - d->xx, -d->xy, -d->xz,
                             multiplier - d->yy, -d->yz, multiplier - d->zz};
    const double *b = d->b;
    double p[3], determinant = enc_solve_symmetric(&a, b, p);
    if (!(a.xx > 0.0 && a.xx * a.yy - a.xy * a.xy > 0.0 && determinant > 0.0))
        return false;
    *length2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    *along = b[0] * p[0] + b[1] * p[1] + b[2] * p[2];
    return true;
}

/* The maximum over |p| = r, by its dual, every value of which is an upper bound: the minimum of
 * m r^2 + b.p(m) + t.t over multipliers m above the largest eigenvalue, where p(m) solves
 * (m I - S) p = b. The minimum is where |p(m)| = r, or at the lower end (More and Sorensen,
 * "Computing a trust region step", 1983). */
double enc_sphere_error2(const enc_matrix *a, const enc_matrix *b, double radius_m,
                         const enc_joint_space *space, double known2)
{
    displacement d = displacement_of(a, b, space);
    double r2 = radius_m * radius_m, length2, along;
    double b_length = sqrt(d.b[0] * d.b[0] + d.b[1] * d.b[1] + d.b[2] * d.b[2]);
    double sum = (d.xx + d.yy + d.zz) * SUM_SHARE;
    double most = sum * r2 + 2.0 * radius_m * b_length + d.t2;
    if (most <= known2)
        return most;
    double largest = largest_eigenvalue(&d);
    most = largest * r2 + 2.0 * radius_m * b_length + d.t2;
    double low = largest, high = largest + b_length / radius_m;
    /* the largest possible multiplier, reached if the placements differ by a rigid motion */
    if (most <= known2 || !stationary(&d, high, &length2, &along) || length2 >= r2 * (1.0 - CLOSE))
        return most;
    while (high - low > CLOSE * high && most > known2) {
        double middle = (low + high) / 2.0;
        if (!stationary(&d, middle, &length2, &along) || length2 > r2) {
            low = middle;
        } else {
            high = middle;
            most = fmin(most, middle * r2 + along + d.t2);
        }
    }
    return most;
}

double enc_shell_error2(const enc_matrix *a, const enc_matrix *b, const enc_shell *shell,
                        const enc_joint_space *space)
{
    return shell->points == ENC_POINTS_SPHERE
               ? enc_sphere_error2(a, b, shell->distance_m, space, -1.0)
               : axes_error2(a, b, shell->distance_m, space->axis);
}
