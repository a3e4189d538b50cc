/* Vectors, rotations and matrices in double precision, and to and from Q20. */
#ifndef DOUBLE_MATH_H
#define DOUBLE_MATH_H

#include "check.h"
#include "ossicle.h"

#include <math.h>

#define ONE OSC_ONE_Q20
#define PI 3.14159265358979323846

typedef struct vec {
    double x, y, z;
} vec;

typedef struct quat {
    vec v;
    double w;
} quat;

static inline double uniform(uint64_t *seed, double low, double high)
{
    return low + (high - low) * random_u32(seed) / 4294967296.0;
}

static inline vec scaled(vec a, double k)
{
    return (vec){a.x * k, a.y * k, a.z * k};
}

static inline vec sum(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec difference(vec a, vec b)
{
    return sum(a, scaled(b, -1.0));
}

static inline double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double length(vec a)
{
    return sqrt(dot(a, a));
}

static inline vec unit(vec a)
{
    return scaled(a, 1.0 / length(a));
}

/* Between two directions, exact for small angles, too. */
static inline double degrees_between(vec a, vec b)
{
    return atan2(length(cross(a, b)), dot(a, b)) * 180.0 / PI;
}

static inline quat product(quat a, quat b)
{
    vec v = sum(sum(scaled(b.v, a.w), scaled(a.v, b.w)), cross(a.v, b.v));
    return (quat){v, a.w * b.w - dot(a.v, b.v)};
}

static inline quat conjugate(quat q)
{
    return (quat){scaled(q.v, -1.0), q.w};
}

static inline vec turned(quat q, vec v)
{
    return product(product(q, (quat){v, 0.0}), conjugate(q)).v;
}

static inline quat about(vec axis, double angle)
{
    return (quat){scaled(unit(axis), sin(angle / 2.0)), cos(angle / 2.0)};
}

static inline vec random_direction(uint64_t *seed)
{
    vec v;
    do
        v = (vec){uniform(seed, -1, 1), uniform(seed, -1, 1), uniform(seed, -1, 1)};
    while (dot(v, v) > 1.0 || dot(v, v) < 0.01);
    return unit(v);
}

static inline osc_vector to_q20(vec v)
{
    return (osc_vector){(int32_t)lround(v.x * ONE), (int32_t)lround(v.y * ONE),
                        (int32_t)lround(v.z * ONE)};
}

static inline vec of_q20(osc_vector v)
{
    return (vec){(double)v.x / ONE, (double)v.y / ONE, (double)v.z / ONE};
}

static inline osc_quaternion quaternion_q20(quat q)
{
    osc_vector v = to_q20(q.v);
    return (osc_quaternion){v.x, v.y, v.z, (int32_t)lround(q.w * ONE)};
}

static inline quat quaternion_of(osc_quaternion q)
{
    return (quat){{(double)q.x / ONE, (double)q.y / ONE, (double)q.z / ONE}, (double)q.w / ONE};
}

static inline vec place_of(const osc_matrix *m)
{
    return (vec){(double)m->m[3] / ONE, (double)m->m[7] / ONE, (double)m->m[11] / ONE};
}

static inline vec column_of(const osc_matrix *m, int column)
{
    return (vec){(double)m->m[column] / ONE, (double)m->m[4 + column] / ONE,
                 (double)m->m[8 + column] / ONE};
}

static inline vec carried(const osc_matrix *m, vec v)
{
    vec x = scaled(column_of(m, 0), v.x), y = scaled(column_of(m, 1), v.y);
    return sum(sum(x, y), scaled(column_of(m, 2), v.z));
}

static inline vec to_double_axis(quat q, int axis, double scale)
{
    return scaled(turned(q, (vec){axis == 0, axis == 1, axis == 2}), scale);
}

static inline quat unit_rotation(osc_quaternion q)
{
    quat r = quaternion_of(q);
    double n = sqrt(dot(r.v, r.v) + r.w * r.w);
    return (quat){scaled(r.v, 1.0 / n), r.w / n};
}

/* The difference of two rotations: of their vectors or their w, for the nearer sign. */
static inline double quaternion_error(quat a, quat b)
{
    double sign = dot(a.v, b.v) + a.w * b.w < 0.0 ? -1.0 : 1.0;
    vec v = difference(a.v, scaled(b.v, sign));
    return fmax(length(v), fabs(a.w - sign * b.w));
}

static inline quat random_rotation(uint64_t *seed)
{
    return about(random_direction(seed), uniform(seed, -PI, PI));
}

/* 10^low .. 10^high, and as often below as above zero. */
static inline double small_number(uint64_t *seed, double low, double high)
{
    double size = pow(10.0, uniform(seed, low, high));
    return (random_u32(seed) & 1u) != 0u ? size : -size;
}

#endif
