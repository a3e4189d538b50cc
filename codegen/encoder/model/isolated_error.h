/* The error that one track causes when all other tracks are exact: how far it moves the shell
 * points of the joints that it carries. The error of a chain is the sum of the displacements that
 * its tracks cause, and at most the sum of their lengths if no joint scales. Limits on these
 * displacements therefore divide a tolerance among tracks that do not compensate for each other. */
#ifndef ENCODER_MODEL_ISOLATED_ERROR_H
#define ENCODER_MODEL_ISOLATED_ERROR_H

#include "model/source.h"

typedef struct {
    const double *raw; /* the source, [frame][4 or 3] */
    uint32_t kind, frame_count;
    double *points; /* rotations: carried joints in the joint's axes, metres, [frame][point][3] */
    double *tolerance; /* [point]: tolerance of the carried joint, metres */
    uint32_t point_count;
    double shell_m;
    double lever; /* largest displacement in tolerances for a deviation of one radian, metre or unit
                     of scale */
    double limit; /* permitted displacement in tolerances; set by the caller */
} enc_isolated_error;

/* Describes one track, with a `limit` of one. Returns ENC_ERROR_MEMORY or ENC_OK. */
int32_t enc_isolated_error_prepare(enc_isolated_error *error, const enc_source *source,
                                   const enc_options *options, uint32_t joint, uint32_t kind);
void enc_isolated_error_release(enc_isolated_error *error);

/* For enc_fit.holds: whether a row of the track, whose enc_isolated_error is `context`, keeps its
 * limit. */
bool enc_isolated_error_holds(const void *context, uint32_t frame, const int32_t *row);

/* For enc_fit.slack: the deviation that the track's limit permits at least. */
double enc_isolated_error_slack(const enc_isolated_error *error);

#endif
