/* Finding a cheap coding of a clip: which error each joint may have. */
#ifndef ENCODER_SEARCH_H
#define ENCODER_SEARCH_H

#include "chain.h"

/* The cheapest solution that effort allows; every sample of it is within the tolerance, which
 * `report` states. ENC_ERROR_TOLERANCE, with where, when there is none. */
int32_t enc_search(const enc_source *source, const enc_codec *codec, const enc_options *options,
                   enc_solution *out, enc_report *report);

#endif
