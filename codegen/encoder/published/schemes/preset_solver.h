/* Codes a clip as a preset scheme does: every track on its own, without compensation. The permitted
 * error of a track is its share of one margin, and the largest margin is searched with which the
 * clip, as played, keeps the tolerance. */
#ifndef ENCODER_PUBLISHED_SCHEMES_PRESET_SOLVER_H
#define ENCODER_PUBLISHED_SCHEMES_PRESET_SOLVER_H

#include "model/solution.h"

/* Codes the clip with options->scheme by `codec`. Fixed schemes are coded once and only measured.
 * Returns ENC_ERROR_TOLERANCE, with the joint in the report, if the formats are too coarse; never
 * for an infinite tolerance. */
int32_t enc_preset_solve(const enc_source *source, const enc_codec *codec,
                         const enc_options *options, enc_solution *out, enc_report *report);

#endif
