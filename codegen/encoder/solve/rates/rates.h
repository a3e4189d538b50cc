/* Coding a clip in variable rates (ENC_FORMAT_VARIABLE): segments of a few frames, in each of which
 * every track has a range and a rate of its own, the lowest ones with which all joints hold; or the
 * clip, or each kind of its tracks, has one rate. */
#ifndef ENCODER_SOLVE_RATES_RATES_H
#define ENCODER_SOLVE_RATES_RATES_H

#include "model/solution.h"

/* ENC_ERROR_TOLERANCE, with where in the report, where the finest rates are too coarse. */
int32_t enc_dense_rates_solve(const enc_source *source, const enc_options *options,
                              enc_solution *out, enc_report *report);

#endif
