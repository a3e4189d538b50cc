/* Tolerance allocation of the compensated solver: the permitted error of each joint's origin, and
 * how far midpoints reduce it. */
#ifndef ENCODER_SOLVE_ALLOCATION_H
#define ENCODER_SOLVE_ALLOCATION_H

#include "solve/compensated.h"

#define ENC_RAMPS 8u

typedef struct {
    const enc_source *source;
    const enc_options *options;
    double *share;       /* [joint]: permitted error of its origin, relative to its tolerance */
    double *tight;       /* [joint][frame]: the fraction of the limits that midpoints leave */
    double *over;        /* [joint][sample]: the last measured errors, in tolerances */
    enc_limits *limits;  /* [joint] */
    enc_composed played; /* the model matrices of the last try */
    enc_stage stage;
    uint8_t *same; /* [joint]: nothing has changed for it since the last try */
    uint32_t *depth;
    uint32_t deepest;
    const enc_solution *rival; /* see enc_solve_task */
    double worth;
    bool relax; /* the joints above a pinned one need not place it */
} enc_allocation;

/* Returns false without memory; must be released in any case. */
bool enc_allocation_prepare(enc_allocation *allocation, const enc_source *source,
                            const enc_options *options);
void enc_allocation_release(enc_allocation *allocation);

/* Sets shares that rise from the roots to the deepest joints. ramp: 0 .. ENC_RAMPS - 1; low numbers
 * are best most often. */
void enc_allocation_set_ramp(enc_allocation *allocation, uint32_t ramp);

/* Sets shares for a codec whose errors seldom reach their limits. */
void enc_allocation_set_large(enc_allocation *allocation);

/* Codes the clip with this allocation, tightened where midpoints exceed the tolerance. effort: of
 * the fits. Gives up with ENC_OK and no tracks in `out` once the clip takes `most_bits`. */
int32_t enc_allocation_solve(const enc_allocation *allocation, const enc_codec *codec,
                             uint32_t effort, uint64_t most_bits, enc_solution *out,
                             enc_report *report);

/* Follows the source as closely as the steps allow, regardless of the allocation. */
int32_t enc_allocation_finest(const enc_allocation *allocation, const enc_codec *codec,
                              enc_solution *out, enc_report *report);

/* Changes the share of one joint after another if that makes `best` cheaper. `best` was solved with
 * the present allocation, the same codec and the same effort. */
int32_t enc_allocation_refine(enc_allocation *allocation, const enc_codec *codec, uint32_t effort,
                              uint32_t passes, enc_solution *best, enc_report *report);

#endif
