/* How the compensated solver divides the tolerance: how far each joint's origin may be off, and
 * what midpoints demand beyond that. */
#ifndef ENCODER_SOLVE_ALLOCATION_H
#define ENCODER_SOLVE_ALLOCATION_H

#include "solve/compensated.h"

#define ENC_RAMPS 8u

typedef struct {
    const enc_source *source;
    const enc_options *options;
    double *share;      /* per joint: how far its origin may be off, of its tolerance */
    double *tight;      /* [joint][frame]: what midpoints demand, a part of the limits */
    double *over;       /* [joint][sample]: the errors last measured, in tolerances */
    enc_limits *limits; /* per joint */
    enc_stage stage;    /* of the last try */
    uint8_t *same;      /* per joint: nothing has changed for it since the last try */
    uint32_t *depth;
    uint32_t deepest;
    const enc_solution *rival; /* see enc_solve_task */
    double worth;
    bool relax; /* the joints above a pinned one need not place it */
} enc_allocation;

/* False: no memory. Release in any case. */
bool enc_allocation_prepare(enc_allocation *allocation, const enc_source *source,
                            const enc_options *options);
void enc_allocation_release(enc_allocation *allocation);

/* Shares that rise from the roots to the deepest joints. ramp: 0 .. ENC_RAMPS - 1, in the order of
 * how often they are best. */
void enc_allocation_set_ramp(enc_allocation *allocation, uint32_t ramp);

/* Shares for a codec whose errors are seldom as large as they may be. */
void enc_allocation_set_large(enc_allocation *allocation);

/* Codes the clip with these allocation, tighter where midpoints stick out. `effort`: of the fits.
 * Gives up with ENC_OK and no tracks in `out` once it takes `most_bits`. */
int32_t enc_allocation_solve(const enc_allocation *allocation, const enc_codec *codec,
                             uint32_t effort, uint64_t most_bits, enc_solution *out,
                             enc_report *report);

/* Follows the source as closely as the steps allow, whatever the allocation. */
int32_t enc_allocation_finest(const enc_allocation *allocation, const enc_codec *codec,
                              enc_solution *out, enc_report *report);

/* Moves one joint's share after the other while that makes `best` cheaper, which was solved with
 * the allocation as they are, the same codec and effort. */
int32_t enc_allocation_refine(enc_allocation *allocation, const enc_codec *codec, uint32_t effort,
                              uint32_t passes, enc_solution *best, enc_report *report);

#endif
