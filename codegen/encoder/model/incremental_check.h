/* Checks the tolerance of a clip as played while the tracks of single joints change. */
#ifndef ENCODER_MODEL_INCREMENTAL_CHECK_H
#define ENCODER_MODEL_INCREMENTAL_CHECK_H

#include "model/measure.h"

typedef struct {
    const enc_source *source;
    const enc_options *options;
    enc_matrix *local;   /* [joint][sample], as played */
    enc_matrix *changed; /* [sample]: of the joint being checked */
    enc_matrix *model;   /* [joint]: of one chain at one sample */
    double *limit2;      /* [joint]: square of the permitted error, metres */
    uint32_t *path;      /* the joint being checked and its ancestors, up to the root */
    uint32_t hint;       /* a sample at which a change failed before */
} enc_check;

int32_t enc_check_prepare(enc_check *check, const enc_source *source, const enc_options *options);
void enc_check_release(enc_check *check);

/* Replaces one joint's tracks, without a check. */
void enc_check_set(enc_check *check, uint32_t joint, const enc_track_choice choices[ENC_KINDS]);

/* Replaces one joint's tracks if the tolerance then still holds. Returns whether it did. */
bool enc_check_change(enc_check *check, uint32_t joint, const enc_track_choice choices[ENC_KINDS]);

/* Returns whether the present clip keeps the tolerance. */
bool enc_check_holds(enc_check *check);

#endif
