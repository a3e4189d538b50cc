/* Finding a cheap coding of a clip: which error each joint may have. */
#ifndef ENCODER_SOLVE_SEARCH_H
#define ENCODER_SOLVE_SEARCH_H

#include "model/solution.h"

/* The cheapest solution that effort and the allowed codecs give, and its codec; every sample of it
 * is within the tolerance, and `report` says how far. ENC_ERROR_TOLERANCE, with where, when there
 * is none. */
int32_t enc_search(const enc_source *source, const enc_options *options, const enc_codec **codec,
                   enc_solution *out, enc_report *report);

#endif
