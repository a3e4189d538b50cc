/* The independent solver: codes every track against its own source, so that no joint compensates
 * for another. It searches how the tracks share the tolerance, and measures the result. */
#ifndef ENCODER_SOLVE_INDEPENDENT_H
#define ENCODER_SOLVE_INDEPENDENT_H

#include "model/solution.h"

/* Codes every track with `codec` so that the measured error keeps the tolerance: for layers in
 * every chain, otherwise in the chains from the roots. Returns ENC_ERROR_TOLERANCE, with the joint
 * in the report, if no choice of errors does. */
int32_t enc_independent_solve(const enc_source *source, const enc_codec *codec,
                              const enc_options *options, enc_solution *out, enc_report *report);

#endif
