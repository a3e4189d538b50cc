/* Coding a clip as a preset scheme does: every track by itself, none makes up for another. What
 * a track may be off by is its share of one margin; the largest margin is searched with which the
 * whole clip, as played, holds the tolerance. */
#ifndef ENCODER_SOLVE_PRESET_SOLVER_H
#define ENCODER_SOLVE_PRESET_SOLVER_H

#include "model/solution.h"

/* Codes the clip with options->scheme by `codec`. Schemes that are fixed are coded once, whatever
 * comes of it. ENC_ERROR_TOLERANCE, with where in the report, if the formats are too coarse; never
 * of an infinite tolerance. */
int32_t enc_preset_solve(const enc_source *source, const enc_codec *codec,
                         const enc_options *options, enc_solution *out, enc_report *report);

#endif
