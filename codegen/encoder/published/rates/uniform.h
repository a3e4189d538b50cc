/* Variable rates that are the same in every segment: one for all tracks of a clip, or one each for
 * its rotations, translations and scales. */
#ifndef ENCODER_PUBLISHED_RATES_UNIFORM_H
#define ENCODER_PUBLISHED_RATES_UNIFORM_H

#include "model/solution.h"
#include "published/rates/search.h"

typedef struct {
    const enc_source *source;
    const enc_options *options;
    const enc_dense_variable *tracks; /* all variable tracks */
    uint32_t track_count;
    const enc_solution *solution; /* the solution to which they belong */
    bool each_kind;               /* one rate for every kind; otherwise one for the clip */
} enc_dense_uniform;

/* Codes the tracks at the lowest rate, or at the rates with the smallest sum of bits, with which
 * the clip as played holds and neighbouring rows blend. *report: its errors. Returns ENC_OK,
 * ENC_ERROR_TOLERANCE if the finest rate is too coarse, or ENC_ERROR_MEMORY. */
int32_t enc_dense_uniform_choose(const enc_dense_uniform *task, enc_report *report);

#endif
