/* What the device plays: rows to transforms at every sample, and their error. */
#ifndef ENCODER_MODEL_MEASURE_H
#define ENCODER_MODEL_MEASURE_H

#include "model/solution.h"

/* The local transform of a joint at one position, as the runtime plays its three tracks. */
void enc_play_at(const enc_source *source, const enc_track_choice choices[ENC_KINDS],
                 uint32_t joint, uint32_t position_q11, enc_matrix *out);

/* The same at one sample. */
static inline void enc_play_local(const enc_source *source,
                                  const enc_track_choice choices[ENC_KINDS], uint32_t joint,
                                  uint32_t sample, enc_matrix *out)
{
    enc_play_at(source, choices, joint, enc_sample_q11(source, sample), out);
}

/* Composes `joint` of a chain that begins at `start` under the exact pose; model[] holds the joints
 * of the chain above it. */
void enc_play_below(const enc_source *source, const enc_matrix *local, uint32_t joint,
                    uint32_t sample, uint32_t start, enc_matrix *model);

/* Measures model matrices [joint][sample] against the source: the largest error, and the largest in
 * relation to what its joint may be off by. over: [joint][sample], the error in tolerances, or
 * null. */
void enc_measure_models(const enc_source *source, const enc_matrix *model,
                        const enc_options *options, enc_report *report, double *over);

/* The same of local transforms, of which it makes model matrices; of layers also of every chain
 * that begins at a joint below the roots, under the exact pose (over: the largest of all chains).
 * ENC_ERROR_MEMORY, or ENC_OK. */
int32_t enc_measure_locals(const enc_source *source, enc_matrix *local, const enc_options *options,
                           enc_report *report, double *over);

/* Plays a solution at all samples with the runtime's arithmetic and measures it. */
int32_t enc_measure_solution(const enc_source *source, const enc_solution *solution,
                             const enc_options *options, enc_report *report, double *over);

/* Reports the largest error of a solution for either choice of points. */
int32_t enc_measure_points(const enc_source *source, const enc_solution *solution,
                           const enc_options *options, enc_report *report);

/* Reports that a codec cannot follow a track of `joint` well enough; returns ENC_ERROR_TOLERANCE.
 */
int32_t enc_report_too_coarse(const enc_options *options, uint32_t joint, enc_report *report);

/* What was measured, in tolerances: within them up to one. */
double enc_relative_error(const enc_options *options, const enc_report *report);

#endif
