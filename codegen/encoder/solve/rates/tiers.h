/* Streaming tiers: the keys of a dense clip that matter least, for all tracks together, move out of
 * it, so that a device that has no room for them, or not yet, plays the clip coarser. */
#ifndef ENCODER_SOLVE_RATES_TIERS_H
#define ENCODER_SOLVE_RATES_TIERS_H

#include "model/solution.h"

/* Moves keys of a clip that is coded into options->scheme->tiers tiers, and measures what is left
 * without them. ENC_ERROR_MEMORY, or ENC_OK. */
int32_t enc_dense_choose_tiers(const enc_source *source, const enc_options *options,
                               enc_solution *solution, enc_report *report);

#endif
