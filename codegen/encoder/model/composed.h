/* Model matrices at all samples of as many joints as fit into a fixed amount of memory. They are
 * composed on demand, so that long clips do not need all of them together. */
#ifndef ENCODER_MODEL_COMPOSED_H
#define ENCODER_MODEL_COMPOSED_H

#include "model/solution.h"

struct enc_composed {
    const enc_source *source;
    const enc_track_choice *tracks; /* that play, [joint * ENC_KINDS + kind]; null: the source */
    enc_matrix **rows;              /* [joint]: [sample], or null */
    enc_matrix *memory;             /* [slot][sample] */
    uint32_t *joint_of;             /* [slot] */
    uint32_t *path;                 /* work memory: a chain of joints */
    uint32_t slots, next;           /* next: the slot that is used for another joint first */
    double *values[ENC_KINDS];      /* [joint][frame][4 or 3]: the source's, once it is held */
};

/* Returns false without memory; must be released in any case. */
bool enc_composed_prepare(enc_composed *composed, const enc_source *source);
void enc_composed_release(enc_composed *composed);

/* Allocates memory for all joints, and copies all tracks of the source, for solvers that need all
 * of them together. Returns false without memory. */
bool enc_source_hold(const enc_source *source);

/* The values of a track of a source after enc_source_hold: [frame][4 or 3]. */
static inline const double *enc_track(const enc_source *source, uint32_t kind, uint32_t joint)
{
    return source->models->values[kind] +
           (size_t)joint * source->frame_count * enc_components(kind);
}

/* Composes the joint's matrices, in place of those of another joint if there is no room. */
enc_matrix *enc_composed_fill(enc_composed *composed, uint32_t joint);

/* Returns memory for the joint's matrices, which the caller fills in. Those of its parent remain
 * valid. */
enc_matrix *enc_composed_open(enc_composed *composed, uint32_t joint);

/* Forgets the matrices of a joint, whose tracks change. */
void enc_composed_forget(enc_composed *composed, uint32_t joint);

/* The matrices of a joint [sample]. They are valid until those of other joints are requested; the
 * last two requested remain valid if one is the other's parent. */
static inline const enc_matrix *enc_composed_row(enc_composed *composed, uint32_t joint)
{
    return composed->rows[joint] != NULL ? composed->rows[joint]
                                         : enc_composed_fill(composed, joint);
}

/* The matrices of all joints at `count` samples from `first` on: out[joint][0 .. count - 1], which
 * point into rows or, where there is none, into `memory`, [joint][stride]. */
void enc_composed_window(const enc_composed *composed, uint32_t first, uint32_t count,
                         uint32_t stride, enc_matrix *memory, const enc_matrix **out);

/* The exact model matrix of a joint at a sample. */
static inline const enc_matrix *enc_source_model(const enc_source *source, uint32_t joint,
                                                 uint32_t sample)
{
    return enc_composed_row(source->models, joint) + sample;
}

#endif
