/* What the error of one track does when every other track is exact: how far it moves the shell
 * points of the joints that it carries. Of all tracks of a chain these displacements add up to the
 * error of the chain, at most to their sum where nothing scales; so a limit on each of them is how
 * tracks that do not make up for each other share a tolerance. */
#ifndef ENCODER_MODEL_ISOLATED_ERROR_H
#define ENCODER_MODEL_ISOLATED_ERROR_H

#include "model/source.h"

typedef struct {
    const double *raw; /* [frame][4 or 3]: the source */
    uint32_t kind, frame_count;
    double
        *points; /* of rotations: [frame][point][3], carried joints in the joint's axes, metres */
    double *tolerance; /* [point]: of the carried joint, metres */
    uint32_t point_count;
    double shell_m;
    double lever; /* what a deviation of one (radian, metre, scale) does at most, in tolerances */
    double limit; /* of the displacements, in relation to the tolerances; the caller's to set */
} enc_isolated_error;

/* Describes one track; `limit` is one. ENC_ERROR_MEMORY, or ENC_OK. */
int32_t enc_isolated_error_prepare(enc_isolated_error *error, const enc_source *source,
                                   const enc_options *options, uint32_t joint, uint32_t kind);
void enc_isolated_error_release(enc_isolated_error *error);

/* enc_fit.holds: whether a row of the track, `context`, keeps its limit. */
bool enc_isolated_error_holds(const void *context, uint32_t frame, const int32_t *row);

/* enc_fit.slack of the track. */
double enc_isolated_error_slack(const enc_isolated_error *error);

#endif
