/* Searches for a cheap coding of a clip: its codec, and the permitted error of each joint. */
#ifndef ENCODER_SOLVE_SEARCH_H
#define ENCODER_SOLVE_SEARCH_H

#include "model/solution.h"

/* Finds the cheapest solution that the effort and the allowed codecs permit, and its codec. It
 * keeps the tolerance at every sample, and the report has its error. Returns ENC_ERROR_TOLERANCE,
 * with the joint in the report, if there is none. */
int32_t enc_search(const enc_source *source, const enc_options *options, const enc_codec **codec,
                   enc_solution *out, enc_report *report);

#endif
