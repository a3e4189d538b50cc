/* Measures the error of a clip, as the device plays it, at every sample. */
#ifndef ENCODER_MODEL_MEASURE_H
#define ENCODER_MODEL_MEASURE_H

#include "model/composed.h"
#include "model/play.h"

/* Composes `joint` in a chain that begins at `start` under the exact pose. above: the exact matrix
 * of the parent of `start`; model[]: the joints of the chain above it; receives this one. */
void enc_play_below(const enc_skeleton *skeleton, const enc_matrix *local, uint32_t joint,
                    uint32_t start, const enc_matrix *above, enc_matrix *model);

/* Fills in the local transforms of all joints at `count` samples from `first` on:
 * local[joint * stride + i] at sample first + i. */
typedef void enc_play(const void *context, uint32_t first, uint32_t count, uint32_t stride,
                      enc_matrix *local);

/* Measures the clip played by `play` against the source: the largest error, and the largest
 * relative to its joint's tolerance. Layers: also every chain that begins below the roots, under
 * the exact pose. over: receives the errors in tolerances, [joint][sample], for layers the largest
 * of all chains; may be null. Returns ENC_ERROR_MEMORY or ENC_OK. */
int32_t enc_measure_played(const enc_source *source, enc_play *play, const void *context,
                           const enc_options *options, enc_report *report, double *over);

/* The same for a full-body clip whose matrices are composed. */
int32_t enc_measure_composed(const enc_composed *composed, const enc_options *options,
                             enc_report *report, double *over);

/* Plays a solution at all samples with the runtime's arithmetic and measures it. */
int32_t enc_measure_solution(const enc_source *source, const enc_solution *solution,
                             const enc_options *options, enc_report *report, double *over);

/* Reports the largest error of a measured solution for both choices of points, unless the report
 * has them. */
int32_t enc_measure_points(const enc_source *source, const enc_solution *solution,
                           const enc_options *options, enc_report *report);

/* The same for a clip whose matrices are composed, which takes half of the time. */
int32_t enc_measure_composed_points(const enc_composed *composed, const enc_options *options,
                                    enc_report *report);

/* Measures and reports all in one pass. */
int32_t enc_measure_clip(const enc_source *source, const enc_solution *solution,
                         const enc_options *options, enc_report *report);

/* Reports that a codec cannot follow a track of `joint` closely enough; returns
 * ENC_ERROR_TOLERANCE. */
int32_t enc_report_too_coarse(const enc_options *options, uint32_t joint, enc_report *report);

/* The largest measured error in tolerances. */
double enc_relative_error(const enc_options *options, const enc_report *report);

#endif
