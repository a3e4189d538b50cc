/* The compensated solver: codes a clip joint by joint, parents first, each against what the device
 * will make of its ancestors, so that errors are made up for instead of adding up. */
#ifndef ENCODER_SOLVE_COMPENSATED_H
#define ENCODER_SOLVE_COMPENSATED_H

#include "model/solution.h"

/* What the errors of one joint may be, in metres. */
typedef struct {
    double tolerance; /* of the whole */
    double shell;     /* its shell points */
    double origin;    /* its origin, once its translation is coded */
    double carried;   /* its origin as the rotations above place it */
} enc_limits;

/* The clip as played while it is solved. */
typedef struct {
    enc_matrix *model; /* [joint][sample]: model matrices */
    double *turn;      /* [joint][frame][4]: model rotations; for rigid joints only */
    uint8_t *rigid;    /* per joint: no scale above or in it */
} enc_stage;

typedef struct {
    const enc_limits *limits; /* per joint */
    double *tight;            /* [joint][frame]: the part of them that counts there; less of it
                               * beside midpoints that stick out */
    double least_tight;       /* that is always left of them */
    enc_shell shell;
    const enc_stage *stage;
    const enc_solution *known; /* or null: codings of the joints for which same[] is set, under */
    const uint8_t *same;       /* whose ancestors and limits nothing has changed; */
    bool mend; /* it is the one before, still on the stage; the others may be mended */
    const enc_solution *rival; /* or null: give up, with ENC_OK and no tracks, */
    double worth;              /* once the clip is dearer than this many times as much of it */
    bool finest; /* follow the source itself as closely as the steps allow, whatever the limits;
                  * else joints are turned so that they make up for the errors of their ancestors */
} enc_solve_task;

/* Makes limits tighter, down to what is always left of them. */
static inline void enc_tighten(double *tight, double factor, double least)
{
    least = *tight < least ? *tight : least;
    *tight = *tight * factor > least ? *tight * factor : least;
}

/* Codes every track with `codec`; the stage holds then what is played. ENC_ERROR_TOLERANCE, with
 * where in the report, if some track cannot be coded well enough. */
int32_t enc_compensated_solve(const enc_source *source, const enc_codec *codec,
                              const enc_solve_task *task, const enc_options *options,
                              enc_solution *out, enc_report *report);

#endif
