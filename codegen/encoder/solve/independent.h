/* The independent solver: codes every track against its own source. No joint makes up for another;
 * how much each may be off by is searched, and what comes of it is measured. */
#ifndef ENCODER_SOLVE_INDEPENDENT_H
#define ENCODER_SOLVE_INDEPENDENT_H

#include "model/solution.h"

/* Codes every track with `codec` so that the tolerance holds, as measured: of a layer in every
 * chain, else in the chains from the roots. ENC_ERROR_TOLERANCE, with where in the report, if no
 * choice of errors holds. */
int32_t enc_independent_solve(const enc_source *source, const enc_codec *codec,
                              const enc_options *options, enc_solution *out, enc_report *report);

#endif
