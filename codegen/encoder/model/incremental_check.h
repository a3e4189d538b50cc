/* A clip as played whose joints can be changed one at a time: whether a change keeps the
 * tolerance. */
#ifndef ENCODER_MODEL_INCREMENTAL_CHECK_H
#define ENCODER_MODEL_INCREMENTAL_CHECK_H

#include "model/measure.h"

typedef struct {
    const enc_source *source;
    const enc_options *options;
    enc_matrix *local;   /* [joint][sample], as played */
    enc_matrix *changed; /* [sample]: of the joint on check */
    enc_matrix *model;   /* [joint], of one chain at one sample */
    double *limit2;      /* [joint]: square of the error allowed, metres */
    uint32_t *path;      /* [joint]: from the joint on check up to its root */
    uint32_t hint;       /* a sample at which changes failed before */
} enc_check;

int32_t enc_check_prepare(enc_check *check, const enc_source *source, const enc_options *options);
void enc_check_release(enc_check *check);

/* Replaces one joint's tracks, whatever the tolerance. */
void enc_check_set(enc_check *check, uint32_t joint, const enc_track_choice choices[ENC_KINDS]);

/* Replaces one joint's tracks if the tolerance then holds, having held before; whether it did. */
bool enc_check_change(enc_check *check, uint32_t joint, const enc_track_choice choices[ENC_KINDS]);

/* Whether the clip as it is keeps the tolerance. */
bool enc_check_holds(enc_check *check);

#endif
