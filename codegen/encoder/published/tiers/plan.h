/* The keys that a dense clip can spare: for every block, the order in which keys move to tiers, and
 * the steps in which tracks lose keys of that order, the least important first. It is computed
 * once; the steps for each tier are chosen later, for all clips of a bank together. */
#ifndef ENCODER_PUBLISHED_TIERS_PLAN_H
#define ENCODER_PUBLISHED_TIERS_PLAN_H

#include "model/solution.h"
#include "published/dense/codec.h"

/* A track loses the last of its keys. */
typedef struct {
    uint16_t track;    /* of the moving tracks */
    uint8_t keys_left; /* of this block */
    float error;       /* of the block after this and all steps before, in tolerances */
} enc_tier_step;

/* A moving track of the clip. */
typedef struct {
    enc_dense_track *track;
    uint32_t joint, kind;
} enc_tier_track;

typedef struct {
    const enc_source *source; /* these outlive the plan */
    const enc_options *options;
    const enc_solution *solution;
    uint32_t row_count, block_frames, block_count, track_count;
    enc_tier_track *tracks;
    uint8_t *index;           /* [frame]: of a key in the order of its block */
    enc_tier_step **steps;    /* [block]: in the order in which they are taken */
    uint32_t *step_count;     /* [block] */
    enc_dense_tiers in_tiers; /* as assigned; the tracks point to it */
    uint8_t *classes;         /* [track][block] */
    double *ratio; /* [block][ENC_TIERS]: of errors of steps to measured errors of the clip */
} enc_tier_plan;

/* Computes the plan of a solution of the codec dense. kept: [frame], non-zero where keys stay in
 * the clip; may be null. Returns ENC_ERROR_MEMORY or ENC_OK; the plan must be released in any case.
 */
int32_t enc_tier_plan_make(enc_tier_plan *plan, const enc_source *source,
                           const enc_options *options, const enc_solution *solution,
                           const uint8_t *kept);
void enc_tier_plan_release(enc_tier_plan *plan);

static inline uint32_t enc_tier_block_end(const enc_tier_plan *plan, uint32_t block)
{
    uint32_t end = (block + 1u) * plan->block_frames;
    return end < plan->row_count ? end : plan->row_count;
}

/* Orders the keys of a block: both ends, then those that are kept, then the others, so that the
 * first to be moved are last. */
int32_t enc_tier_order_block(enc_tier_plan *plan, uint32_t block, const uint8_t *kept);

/* Finds the steps of all blocks, whose keys are in order. kept: as above */
int32_t enc_tier_find_steps(enc_tier_plan *plan, const uint8_t *kept);

#endif
