/* Codes clips with a published scheme: the codecs sparse and dense, which enc_search never chooses
 * alone. Nothing else of this folder is needed to ship an animation. */
#ifndef ENCODER_PUBLISHED_SCHEMES_SCHEMES_H
#define ENCODER_PUBLISHED_SCHEMES_SCHEMES_H

#include "model/solution.h"

/* The codec of published schemes that the options allow; null if there is none. */
const enc_codec *enc_published_codec(const enc_options *options);

/* Codes a clip with the codec that enc_published_codec returned, with options->scheme or, without
 * one, the codec's default scheme. Returns what enc_search does. */
int32_t enc_published_solve(const enc_source *source, const enc_codec *codec,
                            const enc_options *options, enc_solution *out, enc_report *report);

#endif
