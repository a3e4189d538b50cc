/* What the device plays: rows to transforms at every sample, and their error. */
#ifndef ENCODER_PLAYING_H
#define ENCODER_PLAYING_H

#include "chain.h"

/* The largest error of model matrices [joint][sample] against the source, in relation to what the
 * joint may be off by, and where. */
void enc_measure_models(const enc_source *source, const enc_matrix *model,
                        const enc_options *options, enc_report *report);

/* Plays a solution at frames and midpoints with the runtime's arithmetic and measures it. */
int32_t enc_measure_solution(const enc_source *source, const enc_solution *solution,
                             const enc_options *options, enc_report *report);

#endif
