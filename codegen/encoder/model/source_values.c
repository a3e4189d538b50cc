/* The values of a prepared source, and their matrices. */
#include <math.h>
#include <string.h>

#include "model/source.h"
#include "ossicle.h"

#define HEADROOM_M 5e-7     /* half the last place of a coordinate of a few metres */
#define HEADROOM_SHARE 0.01 /* the largest headroom, as a share of the tolerance */

void enc_matrix_local(const double *q, const double *t, const double *s, enc_matrix *out)
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
static void multiply_row(const double *restrict p, const double *restrict l, double *restrict out)
{
    double x = p[0], y = p[1], z = p[2];
    for (int i = 0; i < 4; i++)
        out[i] = x * l[i] + y * l[4 + i] + z * l[8 + i];
    out[3] += p[3];
}

void enc_matrix_multiply(const enc_matrix *restrict parent, const enc_matrix *restrict local,
                         enc_matrix *restrict out)
{
    multiply_row(parent->m, local->m, out->m);
    multiply_row(parent->m + 4, local->m, out->m + 4);
    multiply_row(parent->m + 8, local->m, out->m + 8);
}

void enc_quaternion_multiply(const double *a, const double *b, double *out)
{
    const double q[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                         a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                         a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                         a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, q, sizeof q);
}

void enc_source_add(const enc_source *source, uint32_t kind, uint32_t joint, double *value)
{
    if (source->over == NULL)
        return;
    const double *over = source->over + joint * 10u + enc_first(kind);
    if (kind == ENC_ROTATION)
        enc_quaternion_multiply(over, value, value);
    ;;
}

void enc_source_subtract(const enc_source *source, uint32_t kind, uint32_t joint, double *value)
{
    if (source->over == NULL)
        return;
    const double *over = source->over + joint * 10u + enc_first(kind);
    const double back[4] = {-over[0], -over[1], -over[2], over[3]};
    if (kind == ENC_ROTATION)
        enc_quaternion_multiply(back, value, value);
    else
        for (uint32_t i = 0; i < 3u; i++)
            value[i] -= over[i];
}

void enc_source_matrix(const enc_source *source, uint32_t joint, const double *rotation,
                       const double *translation, const double *scale, enc_matrix *out)
{
    double value[ENC_KINDS][4];
    if (source->over == NULL) {
        enc_matrix_local(rotation, translation, scale, out);
        return;
    }
    memcpy(value[ENC_ROTATION], rotation, 4u * sizeof *rotation);
    memcpy(value[ENC_TRANSLATION], translation, 3u * sizeof *translation);
    memcpy(value[ENC_SCALE], scale, 3u * sizeof *scale);
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        enc_source_add(source, kind, joint, value[kind]);
    enc_matrix_local(value[ENC_ROTATION], value[ENC_TRANSLATION], value[ENC_SCALE], out);
}

double enc_limit_m(const enc_options *options, uint32_t joint)
{
    double tolerance = options->joint_tolerance_m != NULL ? options->joint_tolerance_m[joint]
                                                          : options->tolerance_m;
    return tolerance - fmin(HEADROOM_M, tolerance * HEADROOM_SHARE);
}

static bool is_held(const enc_source *source, uint32_t kind, uint32_t joint, uint32_t frame)
{
    return frame + 1u < source->frame_count && enc_breaks(source, kind, joint)[frame + 1u] != 0;
}

/* Blends values of a track at two frames along the shorter path, without normalising. */
static void blend_values(uint32_t kind, const double *left, const double *right, double fraction,
                         double *out)
{
    uint32_t components = enc_components(kind);
    double dot = 1.0;
    if (kind == ENC_ROTATION)
        dot = left[0] * right[0] + left[1] * right[1] + left[2] * right[2] + left[3] * right[3];
    for (uint32_t i = 0; i < components; i++)
        out[i] = left[i] * (1.0 - fraction) + (dot < 0.0 ? -right[i] : right[i]) * fraction;
}

void enc_source_open_value(const enc_source *source, uint32_t kind, uint32_t joint, uint32_t frame,
                           double *out)
{
    const double *const *columns = source->columns + (size_t)joint * 10u + enc_first(kind);
    const size_t *strides = source->strides + (size_t)joint * 10u + enc_first(kind);
    if (kind != ENC_ROTATION) {
        for (uint32_t i = 0; i < 3u; i++)
            out[i] = columns[i][frame * strides[i]];
        return;
    }
    double factor = source->factors[(size_t)joint * source->frame_count + frame];
    for (uint32_t i = 0; i < 4u; i++)
        out[i] = columns[i][frame * strides[i]] * factor;
}

void enc_source_value(const enc_source *source, uint32_t kind, uint32_t joint, uint32_t frame,
                      double *out)
{
    bool last = frame != 0u && frame == source->row_count;
    if (source->closed == NULL || (frame != 0u && !last))
        enc_source_open_value(source, kind, joint, frame, out);
    else
        memcpy(out, source->closed + ((size_t)joint * 2u + last) * 10u + enc_first(kind),
               enc_components(kind) * sizeof *out);
}

void enc_source_values(const enc_source *source, uint32_t kind, uint32_t joint, double *out)
{
    for (uint32_t f = 0; f < source->frame_count; f++, out += enc_components(kind))
        enc_source_value(source, kind, joint, f, out);
}

/* Blends a frame of a track with the next. */
static void blend_track(const enc_source *source, uint32_t kind, uint32_t joint, uint32_t frame,
                        double fraction, double *out)
{
    double left[4], right[4];
    if (fraction == 0.0 || is_held(source, kind, joint, frame)) {
        enc_source_value(source, kind, joint, frame, out);
        return;
    }
    enc_source_value(source, kind, joint, frame, left);
    enc_source_value(source, kind, joint, frame + 1u, right);
    blend_values(kind, left, right, fraction, out);
}

void enc_source_midpoint(const enc_source *source, uint32_t kind, uint32_t joint, uint32_t frame,
                         double *out)
{
    uint32_t components = enc_components(kind);
    size_t at = (size_t)frame * source->skeleton->joint_count + joint;
    if (source->middles == NULL)
        blend_track(source, kind, joint, frame, 0.5, out);
    else
        memcpy(out, source->middles + at * 10u + enc_first(kind), components * sizeof *out);
}

void enc_source_local(const enc_source *source, uint32_t joint, const double *transform,
                      enc_matrix *out)
{
    enc_source_matrix(source, joint, transform + enc_first(ENC_ROTATION),
                      transform + enc_first(ENC_TRANSLATION), transform + enc_first(ENC_SCALE),
                      out);
}

void enc_source_blend(const enc_source *source, uint32_t joint, uint32_t position_q11,
                      enc_matrix *out)
{
    double value[ENC_KINDS][4];
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        blend_track(source, kind, joint, position_q11 / OSC_ONE_Q11,
                    position_q11 % OSC_ONE_Q11 / (double)OSC_ONE_Q11, value[kind]);
    enc_source_matrix(source, joint, value[ENC_ROTATION], value[ENC_TRANSLATION], value[ENC_SCALE],
                      out);
}

/* The value of a track at a sample of the grid, in the reference. */
static void reference_value(const enc_source *source, uint32_t kind, uint32_t joint,
                            uint32_t sample, double *out)
{
    uint32_t frame = sample >> 1;
    if ((sample & 1u) != 0u && source->middles != NULL) {
        enc_source_midpoint(source, kind, joint, frame, out);
        return;
    }
    if ((sample & 1u) == 0u || is_held(source, kind, joint, frame)) {
        enc_source_open_value(source, kind, joint, frame, out);
        return;
    }
    double left[4], right[4];
    enc_source_open_value(source, kind, joint, frame, left);
    enc_source_open_value(source, kind, joint, frame + 1u, right);
    blend_values(kind, left, right, 0.5, out);
}

void enc_source_place(const enc_source *source, uint32_t joint, uint32_t sample, double *out)
{
    reference_value(source, ENC_TRANSLATION, joint, sample, out);
    enc_source_add(source, ENC_TRANSLATION, joint, out);
}

void enc_source_local_at(const enc_source *source, uint32_t joint, uint32_t sample, enc_matrix *out)
{
    double value[ENC_KINDS][4];
    if (sample >= source->grid_count) {
        uint32_t probe = sample - source->grid_count;
        size_t at = (size_t)probe * source->skeleton->joint_count + joint;
        enc_source_local(source, joint, source->probes.transforms + 10u * at, out);
        return;
    }
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        reference_value(source, kind, joint, sample, value[kind]);
    enc_source_matrix(source, joint, value[ENC_ROTATION], value[ENC_TRANSLATION], value[ENC_SCALE],
                      out);
}
