/* The compensated solver: codes a clip joint by joint, parents first, each joint against its
 * ancestors as the device will play them, so that errors are compensated instead of adding up. */
#ifndef ENCODER_SOLVE_COMPENSATED_H
#define ENCODER_SOLVE_COMPENSATED_H

#include "model/composed.h"

/* The permitted errors of one joint, in metres. */
typedef struct {
    double tolerance; /* of the joint */
    double shell;     /* of its shell points */
    double origin;    /* of its origin, once its translation is coded */
    double carried;   /* of its origin as placed by the rotations above */
} enc_limits;

/* The clip as played while it is solved. */
typedef struct {
    enc_composed *played; /* model matrices */
    uint8_t *rigid;       /* [joint]: it and its ancestors scale all axes alike */
} enc_stage;

typedef struct {
    const enc_limits *limits; /* [joint] */
    double *tight;            /* [joint][frame]: the fraction of the limits in force there */
    double least_tight;       /* the smallest such fraction */
    enc_shell shell;
    const enc_stage *stage;

    /* The known codings of the joints for which same[] is set, whose ancestors and limits have not
     * changed since; may be null. mend: they are those of the previous try, still on the stage, and
     * other joints may be mended instead of coded from the start. */
    const enc_solution *known;
    const uint8_t *same;
    bool mend;

    /* May be null; otherwise the solver gives up, with ENC_OK and no tracks, once the clip costs
     * more than `worth` times as much as the same part of the rival. */
    const enc_solution *rival;
    double worth;

    /* Follow the source as closely as the steps allow, regardless of the limits; otherwise joints
     * turn so that they compensate for the errors of their ancestors. */
    bool finest;
} enc_solve_task;

/* Tightens a limit by a factor, but not below `least`. */
static inline void enc_tighten(double *tight, double factor, double least)
{
    least = *tight < least ? *tight : least;
    *tight = *tight * factor > least ? *tight * factor : least;
}

/* Codes every track with `codec`; the stage then holds the clip as played. Returns
 * ENC_ERROR_TOLERANCE, with the joint in the report, if a track cannot be coded closely enough. */
int32_t enc_compensated_solve(const enc_source *source, const enc_codec *codec,
                              const enc_solve_task *task, const enc_options *options,
                              enc_solution *out, enc_report *report);

#endif
