/* Searches for a cheap coding of a clip: its codec, and the permitted error of each joint. */
#ifndef ENCODER_SOLVE_SEARCH_H
#define ENCODER_SOLVE_SEARCH_H

#include "model/solution.h"

enum { ENC_FINALISTS = 8 };

/* The allocations that a search has tried with the delta codec, the best first. They do not depend
 * on the allowed codecs. */
typedef struct {
    double *shares;               /* [ENC_FINALISTS][joint]; null: none are known */
    uint64_t bits[ENC_FINALISTS]; /* size with delta */
    bool relax[ENC_FINALISTS];
    uint32_t count;
} enc_tried;

/* Finds the cheapest solution that the effort and the allowed codecs permit, and its codec. It
 * keeps the tolerance at every sample, and the report has its error. Returns ENC_ERROR_TOLERANCE,
 * with the joint in the report, if there is none. known: what a search of the same source has tried
 * with the same options except `codecs`, or null; tried: empty, filled in, and to be released in
 * any case. */
int32_t enc_search(const enc_source *source, const enc_options *options, const enc_tried *known,
                   const enc_codec **codec, enc_solution *out, enc_report *report,
                   enc_tried *tried);

#endif
