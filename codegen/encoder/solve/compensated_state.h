/* State that the parts of the compensated solver share: the clip so far, and the test of one
 * track. */
#ifndef ENCODER_SOLVE_COMPENSATED_STATE_H
#define ENCODER_SOLVE_COMPENSATED_STATE_H

#include <math.h>
#include <string.h>

#include "ossicle.h"
#include "solve/compensated.h"

/* A point as the present joint's rotation moves it. Shell points need only one number of `offset`.
 */
typedef struct {
    double offset[3]; /* from the joint, scaled by it, in its own axes */
    double target[3]; /* the same in the source, in the axes of the joint's parent as played */
    double limit2;    /* square of the largest error in these axes */
} pulled_point;

/* The clip so far: all joints before the present one are decided. */
typedef struct {
    const enc_source *source;
    const enc_codec *codec;
    const enc_solve_task *task;
    const enc_options *options;
    enc_solution *out;
    const enc_stage *stage;
    double *target;   /* [frame][4]: target of the present track */
    double *held;     /* [frame][6]: translation and scale as coded, for its rotation */
    uint32_t *points; /* the joints whose origins the present joint places: its children, then
                         descendants that it carries, because all joints between are constant */
    double *places;   /* [point][frame][3]: their origins in the source */
    double *offsets;  /* [point][frame][3]: and in the present joint's space */
    bool pulls; /* `pulled` is valid: the joints above keep all shapes, and errors are along axes */
    pulled_point *pulled; /* [frame][axis, then point] */
    uint32_t child_count, point_count;
    uint32_t *nodes; /* [node]: carried joints and those between, parents first */
    uint32_t node_count;
    enc_matrix *chain;       /* [joint]: work memory */
    double *turns[2];        /* [frame][4]: model rotations, of the joint `turned` in the source
                                and of its parent as played */
    int32_t turned;          /* -1: there are none yet */
    uint32_t *path;          /* [joint]: work memory */
    const enc_matrix *exact; /* [sample]: the present joint in the source */
    const enc_matrix *above; /* [sample]: its parent as played; null for roots */
    enc_matrix *played;      /* [sample]: itself as played */
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

/* The present joint in the source at a frame. */
static inline const enc_matrix *solver_exact(const solver *c, uint32_t joint, uint32_t frame)
{
    if (frame == 0u && c->source->loop)
        return &c->source->wrap[joint];
    return &c->exact[2u * (size_t)frame];
}

/* The origin of a point of the present joint in the source at a frame. */
static inline const double *solver_place(const solver *c, uint32_t point, uint32_t frame)
{
    return c->places + ((size_t)point * c->source->frame_count + frame) * 3u;
}

/* The same in the present joint's space. */
static inline double *solver_offset(const solver *c, uint32_t point, uint32_t frame)
{
    return c->offsets + ((size_t)point * c->source->frame_count + frame) * 3u;
}

/* The present joint's shell points and other points at a frame. */
static inline pulled_point *solver_pulled(const solver *c, uint32_t frame)
{
    return c->pulled + (size_t)frame * (3u + c->point_count);
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

/* The present joint's parent as played at a sample. */
static inline const enc_matrix *solver_above_at(const solver *c, uint32_t sample)
{
    static const enc_matrix world = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    return c->above == NULL ? &world : &c->above[sample];
}

static inline const enc_matrix *solver_above(const solver *c, uint32_t frame)
{
    return solver_above_at(c, 2u * frame);
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

static inline void solver_origin(const enc_matrix *m, double *out)
{
    out[0] = m->m[3];
    out[1] = m->m[7];
    out[2] = m->m[11];
}

static inline double solver_distance2(const double *a, const double *b)
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/* Lists the points of the present joint, whose exact matrices are there, and their places. Returns
 * false without memory. */
bool enc_list_points(solver *c, uint32_t joint);

/* Computes the points of a rotation's joint, whose translations and scales are held, in the axes of
 * its parent. */
void enc_pull_points(solver *c, const track_test *test);

/* The positions of a track's points (enc_fit.error_points): compensated_points.c. context: a
 * track_test.
 */
uint32_t enc_rotation_error_points(const void *context, uint32_t frame, const enc_slopes *slopes,
                                   enc_error_point *out);
uint32_t enc_translation_error_points(const void *context, uint32_t frame, const enc_slopes *slopes,
                                      enc_error_point *out);
uint32_t enc_scale_error_points(const void *context, uint32_t frame, const enc_slopes *slopes,
                                enc_error_point *out);

#endif
