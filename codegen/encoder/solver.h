/* Choosing an option for every track so that the measured error of the whole pose holds. */
#ifndef ENCODER_SOLVER_H
#define ENCODER_SOLVER_H

#include "track.h"

/* The choice made so far and what the device plays with it. Tracks are numbered joint * 3 + kind.
 */
typedef struct {
    const enc_source *source;
    enc_coder coder;
    double shell_m, limit_m; /* shell distance; largest error allowed */
    double limit2;           /* its square */
    enc_options_list *lists; /* [track] */
    uint32_t *level;         /* [track]: option chosen */
    uint32_t *subtree_end;   /* per joint: descendants are (joint, end) where in_subtree says so */
    uint8_t *in_subtree;     /* [joint][joint]: column is below or equal to row */
    double *values;          /* [track][sample][4]: as played */
    enc_matrix *local;       /* [joint][sample] */
    enc_matrix *model;       /* [joint][sample] */
    double *trial_values;    /* [sample][4] */
    enc_matrix *trial_local; /* [sample] */
    enc_matrix *trial_model; /* [joint][sample] */
    uint32_t hint;           /* sample where the last trial failed */
} enc_solver;

int32_t enc_solver_prepare(enc_solver *solver, const enc_source *source,
                           const enc_options *options);
void enc_solver_release(enc_solver *solver);

/* Finds the cheapest choice that effort allows. ENC_ERROR_TOLERANCE when none holds. */
int32_t enc_solver_run(enc_solver *solver, enc_effort effort);

/* The largest error of the present choice, and where. */
void enc_solver_measure(const enc_solver *solver, enc_report *report);

const enc_option *enc_solver_option(const enc_solver *solver, uint32_t joint, uint32_t kind);

/* One played track at all samples, four doubles each, from rows as the device unpacks them. */
void enc_play_rows(const enc_source *source, uint32_t kind, uint32_t joint, const int32_t *rows,
                   double *out);

/* The largest error of model matrices against the source, and where. */
void enc_measure_models(const enc_source *source, const enc_matrix *model, double shell_m,
                        enc_report *report);

#endif
