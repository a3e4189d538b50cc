/* The values of a prepared source, and their matrices. */
#include <math.h>
#include <string.h>

#include "model/source.h"
#include "ossicle.h"

#define HEADROOM_M 5e-7     /* half the last place of a coordinate of a few metres */
#define HEADROOM_SHARE 0.01 /* the largest headroom, as a share of the tolerance */

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
    else
        for (uint32_t i = 0; i < 3u; i++)
            value[i] = kind == ENC_SCALE ? over[i] * value[i] : over[i] + value[i];
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

/* The values of a joint at a frame, in the reference. */
static void open_values(const enc_source *source, uint32_t joint, uint32_t frame,
                        double value[ENC_KINDS][4])
{
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        enc_source_open_value(source, kind, joint, frame, value[kind]);
}

/* The same at the midpoint after a frame. */
static void middle_values(const enc_source *source, uint32_t joint, uint32_t frame,
                          const double left[ENC_KINDS][4], const double right[ENC_KINDS][4],
                          double value[ENC_KINDS][4])
{
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        if (source->middles != NULL)
            enc_source_midpoint(source, kind, joint, frame, value[kind]);
        else if (is_held(source, kind, joint, frame))
            memcpy(value[kind], left[kind], sizeof value[kind]);
        else
            blend_values(kind, left[kind], right[kind], 0.5, value[kind]);
}

void enc_source_locals(const enc_source *source, uint32_t joint, enc_matrix *out)
{
    double values[2][ENC_KINDS][4], middle[ENC_KINDS][4];
    for (uint32_t f = 0; f < source->frame_count; f++) {
        double(*here)[4] = values[f & 1u], (*before)[4] = values[(f & 1u) ^ 1u];
        open_values(source, joint, f, here);
        if (f > 0u) {
            middle_values(source, joint, f - 1u, before, here, middle);
            enc_source_matrix(source, joint, middle[ENC_ROTATION], middle[ENC_TRANSLATION],
                              middle[ENC_SCALE], &out[2u * (size_t)f - 1u]);
        }
        enc_source_matrix(source, joint, here[ENC_ROTATION], here[ENC_TRANSLATION], here[ENC_SCALE],
                          &out[2u * (size_t)f]);
    }
    for (uint32_t sample = source->grid_count; sample < source->sample_count; sample++)
        enc_source_local_at(source, joint, sample, &out[sample]);
}
