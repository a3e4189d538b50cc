/* Codes a clip at variable rates (ENC_FORMAT_VARIABLE): in each segment of a few frames, every
 * track has its own range, and its own rate, the lowest with which all joints hold. Alternatively
 * the clip, or each kind of its tracks, has a single rate. */
#ifndef ENCODER_PUBLISHED_RATES_RATES_H
#define ENCODER_PUBLISHED_RATES_RATES_H

#include "model/solution.h"

/* Codes a clip with the scheme of the options. Returns ENC_ERROR_TOLERANCE, with the joint in the
 * report, if the finest rates are too coarse. */
int32_t enc_dense_rates_solve(const enc_source *source, const enc_options *options,
                              enc_solution *out, enc_report *report);

#endif
