/* What the parts of the closed loop share: the clip so far, and what a test of one track needs. */
#ifndef ENCODER_SOLVE_COMPENSATED_STATE_H
#define ENCODER_SOLVE_COMPENSATED_STATE_H

#include <math.h>

#include "ossicle.h"
#include "solve/compensated.h"

/* A joint further down that the present joint carries along: all joints between them stay still. */
typedef struct {
    uint32_t joint;
    double offset[3]; /* in the present joint's space */
} chain_carried;

/* The clip so far: every joint before the present one is decided. */
typedef struct {
    const enc_source *source;
    const enc_codec *codec;
    const enc_budget *budget;
    const enc_options *options;
    enc_solution *out;
    const enc_stage *stage;
    double *target;         /* [frame][4]: of the present track */
    chain_carried *carried; /* of the present joint */
    uint32_t carried_count;
    bool out_of_memory;
} chain;

/* What a test of one track needs. */
typedef struct {
    const chain *chain;
    uint32_t joint;
    uint32_t kind;
    double origin, shell; /* limits, metres */
    double scale_limit;
} chain_test;

static inline const enc_matrix *chain_source(const chain *c, uint32_t joint, uint32_t frame)
{
    if (frame == 0u && c->source->loop)
        return &c->source->seam[joint];
    return &c->source->model[(size_t)joint * c->source->sample_count + 2u * (size_t)frame];
}

/* What is left of a limit at a frame: that of the seam of a loop is off from the start. */
static inline double chain_limit(const chain *c, uint32_t joint, uint32_t frame, double limit)
{
    limit *= c->budget->tight[(size_t)joint * c->source->frame_count + frame];
    if (frame != 0u || !c->source->loop)
        return limit;
    return limit * (1.0 - c->source->seam_m[joint] / enc_limit_m(c->options, joint));
}

static inline const enc_matrix *chain_played_at(const chain *c, int32_t joint, uint32_t sample)
{
    static const enc_matrix world = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    return joint < 0 ? &world : &c->stage->model[(size_t)joint * c->source->sample_count + sample];
}

static inline const enc_matrix *chain_played(const chain *c, int32_t joint, uint32_t frame)
{
    return chain_played_at(c, joint, 2u * frame);
}

static inline enc_track_choice *chain_choice(const chain *c, uint32_t joint, uint32_t kind)
{
    return &c->out->tracks[joint * ENC_KINDS + kind];
}

static inline void chain_row(const int32_t *row, uint32_t components, double *out)
{
    for (uint32_t i = 0; i < components; i++)
        out[i] = row[i] / (double)OSC_ONE_Q20;
}

static inline void chain_values(const chain *c, uint32_t joint, uint32_t kind, uint32_t frame,
                                double *out)
{
    chain_row(enc_choice_row(chain_choice(c, joint, kind), kind, frame), enc_components(kind), out);
}

static inline void chain_transform(const enc_matrix *m, const double *v, double *out)
{
    for (int row = 0; row < 3; row++)
        out[row] = m->m[row * 4] * v[0] + m->m[row * 4 + 1] * v[1] + m->m[row * 4 + 2] * v[2] +
                   m->m[row * 4 + 3];
}

static inline double chain_distance2(const double *a, const enc_matrix *b)
{
    double x = a[0] - b->m[3], y = a[1] - b->m[7], z = a[2] - b->m[11];
    return x * x + y * y + z * z;
}

/* Where a track's places are (enc_fit.places): chain_places.c. context: a chain_test. */
uint32_t enc_chain_rotation_places(const void *context, uint32_t frame, const enc_slopes *slopes,
                                   enc_place *out);
uint32_t enc_chain_translation_places(const void *context, uint32_t frame, const enc_slopes *slopes,
                                      enc_place *out);
uint32_t enc_chain_scale_places(const void *context, uint32_t frame, const enc_slopes *slopes,
                                enc_place *out);

#endif
