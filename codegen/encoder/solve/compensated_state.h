/* State that the parts of the compensated solver share: the clip so far, and the test of one
 * track. */
#ifndef ENCODER_SOLVE_COMPENSATED_STATE_H
#define ENCODER_SOLVE_COMPENSATED_STATE_H

#include <math.h>
#include <string.h>

#include "ossicle.h"
#include "solve/compensated.h"

/* A descendant that the present joint carries: all joints between them are constant. */
typedef struct {
    uint32_t joint;
    double offset[3]; /* in the present joint's space */
} solver_carried;

/* The clip so far: all joints before the present one are decided. */
typedef struct {
    const enc_source *source;
    const enc_codec *codec;
    const enc_solve_task *task;
    const enc_options *options;
    enc_solution *out;
    const enc_stage *stage;
    double *target;          /* [frame][4]: target of the present track */
    solver_carried *carried; /* carried by the present joint */
    uint32_t carried_count;
    bool out_of_memory;
} solver;

/* The context with which one track is tested. */
typedef struct {
    const solver *solver;
    uint32_t joint;
    uint32_t kind;
    double origin, shell; /* limits in metres */
    double scale_limit;
} track_test;

static inline const enc_matrix *solver_source(const solver *c, uint32_t joint, uint32_t frame)
{
    if (frame == 0u && c->source->loop)
        return &c->source->wrap[joint];
    return &c->source->model[(size_t)joint * c->source->sample_count + 2u * (size_t)frame];
}

/* The limit at a frame: tightened, and at the wrap of a loop reduced by the error that closing it
 * causes. */
static inline double solver_limit(const solver *c, uint32_t joint, uint32_t frame, double limit)
{
    limit *= c->task->tight[(size_t)joint * c->source->frame_count + frame];
    if (frame != 0u || !c->source->loop)
        return limit;
    return limit * (1.0 - c->source->wrap_m[joint] / enc_limit_m(c->options, joint));
}

static inline const enc_matrix *solver_played_at(const solver *c, int32_t joint, uint32_t sample)
{
    static const enc_matrix world = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    return joint < 0 ? &world : &c->stage->model[(size_t)joint * c->source->sample_count + sample];
}

static inline const enc_matrix *solver_played(const solver *c, int32_t joint, uint32_t frame)
{
    return solver_played_at(c, joint, 2u * frame);
}

static inline enc_track_choice *solver_choice(const solver *c, uint32_t joint, uint32_t kind)
{
    return &c->out->tracks[joint * ENC_KINDS + kind];
}

static inline void solver_row(const int32_t *row, uint32_t components, double *out)
{
    for (uint32_t i = 0; i < components; i++)
        out[i] = row[i] / (double)OSC_ONE_Q20;
}

static inline void solver_values(const solver *c, uint32_t joint, uint32_t kind, uint32_t frame,
                                 double *out)
{
    solver_row(enc_choice_row(solver_choice(c, joint, kind), kind, frame), enc_components(kind),
               out);
}

/* The values of a row, in the pose that an additive clip is added to. */
static inline void solver_pose(const solver *c, uint32_t joint, uint32_t kind, uint32_t frame,
                               double *out)
{
    solver_values(c, joint, kind, frame, out);
    enc_source_add(c->source, kind, joint, out);
}

/* Where the source places a joint in its parent's space. */
static inline void solver_offset(const solver *c, uint32_t joint, uint32_t frame, double *out)
{
    const double *raw = enc_track(c->source, ENC_TRANSLATION, joint) + 3u * (size_t)frame;
    memcpy(out, raw, 3u * sizeof *raw);
    enc_source_add(c->source, ENC_TRANSLATION, joint, out);
}

/* The distance of a shell point from its joint along an axis, in the joint's own space. */
static inline double solver_shell_m(const solver *c, uint32_t joint, int axis)
{
    return c->task->shell.distance_m * c->source->skeleton->spaces[joint].axis[axis];
}

static inline void solver_transform(const enc_matrix *m, const double *v, double *out)
{
    for (int row = 0; row < 3; row++)
        out[row] = m->m[row * 4] * v[0] + m->m[row * 4 + 1] * v[1] + m->m[row * 4 + 2] * v[2] +
                   m->m[row * 4 + 3];
}

static inline double solver_distance2(const double *a, const enc_matrix *b)
{
    double x = a[0] - b->m[3], y = a[1] - b->m[7], z = a[2] - b->m[11];
    return x * x + y * y + z * z;
}

/* Where a track's points are (enc_fit.error_points): compensated_points.c. context: a track_test.
 */
uint32_t enc_rotation_error_points(const void *context, uint32_t frame, const enc_slopes *slopes,
                                   enc_error_point *out);
uint32_t enc_translation_error_points(const void *context, uint32_t frame, const enc_slopes *slopes,
                                      enc_error_point *out);
uint32_t enc_scale_error_points(const void *context, uint32_t frame, const enc_slopes *slopes,
                                enc_error_point *out);

#endif
