/* Streaming tiers: the least important keys of a dense clip, common to all its tracks, move out of
 * the clip, so that a device without room for them, or that has not yet loaded them, plays it more
 * coarsely. */
#ifndef ENCODER_SOLVE_RATES_TIERS_H
#define ENCODER_SOLVE_RATES_TIERS_H

#include "model/solution.h"

/* Moves keys of a coded clip into options->scheme->tiers tiers, and measures the clip without them.
 * Returns ENC_ERROR_MEMORY or ENC_OK. */
int32_t enc_dense_choose_tiers(const enc_source *source, const enc_options *options,
                               enc_solution *solution, enc_report *report);

#endif
