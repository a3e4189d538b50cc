/* Variable rates that are not chosen track by track: all of a clip, or all rotations, translations
 * and scales of it, have one rate in every segment. */
#ifndef ENCODER_SOLVE_RATES_UNIFORM_H
#define ENCODER_SOLVE_RATES_UNIFORM_H

#include "model/solution.h"
#include "solve/rates/search.h"

typedef struct {
    const enc_source *source;
    const enc_options *options;
    const enc_dense_variable *tracks; /* all variable ones */
    uint32_t track_count;
    const enc_solution *solution; /* to which they belong */
    bool each_kind;               /* a rate for every kind, else one for the clip */
} enc_dense_uniform;

/* Codes the tracks at the lowest rate, or at the rates of the smallest sum of bits, with which the
 * clip as it is played holds, and its neighbours blend; the report says how. ENC_ERROR_TOLERANCE
 * where the finest is too coarse, or ENC_ERROR_MEMORY. */
int32_t enc_dense_uniform_choose(const enc_dense_uniform *task, enc_report *report);

#endif
