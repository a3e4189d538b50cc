/* Tracks that do not move in a clip: default tracks stay at the bind pose, constant tracks at
 * another value. */
#ifndef ENCODER_MODEL_CONSTANT_TRACK_H
#define ENCODER_MODEL_CONSTANT_TRACK_H

#include "base/codec.h"

/* The behaviour of a track in a clip. */
enum { ENC_TRACK_DEFAULT, ENC_TRACK_CONSTANT, ENC_TRACK_ANIMATED };

/* The value of a track for a whole clip, as the device unpacks it. */
typedef struct {
    int32_t row[4];
    uint32_t track_kind; /* ENC_TRACK_DEFAULT or ENC_TRACK_CONSTANT */
    uint32_t packing;    /* dropped component, or OSC_PACKING_VECTOR */
    uint32_t shift, width;
    uint32_t bits;
} enc_constant;

/* Returns whether the track can stay at rest_q20 for the whole clip. *constant: filled in if so. */
bool enc_track_is_default(const enc_fit *fit, const int32_t *rest_q20, enc_constant *constant);

/* Returns whether one value is good enough for the whole clip. *constant: the one with the coarsest
 * step that holds. */
bool enc_track_is_constant(const enc_fit *fit, enc_constant *constant);

void enc_constant_write(const enc_constant *constant, enc_bit_writer *out);

#endif
