/* A track coded by the velocity codec: its header's fields, and its keys. */
#ifndef ENCODER_CODECS_VELOCITY_TRACK_H
#define ENCODER_CODECS_VELOCITY_TRACK_H

#include "base/codec.h"
#include "codecs/osc_velocity_arithmetic.h"

#define ENC_VELOCITY_REST 4u /* what a block begins with: a seed and no velocity */

/* A key: how the row of `frame` is made. */
typedef struct {
    uint32_t frame, kind; /* OSC_VELOCITY_*, ENC_VELOCITY_REST */
    int32_t code[3];      /* in steps: differences or a velocity; first a speed's change, or which
                           * component of a seed is rebuilt */
    int32_t step[3];      /* the velocity less the one before, rounded to steps */
    uint32_t lasts;       /* frames behind `frame` until the next key, as they are written */
} enc_velocity_key;

typedef struct {
    uint32_t kind, frame_count, restart_log2;
    uint32_t shift, seed_shift, seed_width, gap_rice, most_kind, speed_precision;
    uint32_t keys_as;     /* enc_keys */
    bool ranged;          /* differences have one width; else a Rice parameter each */
    uint32_t range_width; /* bits; also, without ranged, where a search begins */
    uint32_t rice[3];
    uint32_t full_width;
    int32_t *rows; /* [frame][4 or 3] */
    enc_velocity_key *keys;
    uint32_t key_count, bits;
} enc_velocity_track;

static inline bool enc_velocity_restarts(const enc_velocity_track *track, uint32_t frame)
{
    return frame == 0u ||
           (track->restart_log2 < 31u && (frame & ((1u << track->restart_log2) - 1u)) == 0u);
}

/* Bits of a key's kind. */
static inline uint32_t enc_velocity_kind_bits(const enc_velocity_track *track, uint32_t kind)
{
    return kind < track->most_kind ? kind + 1u : track->most_kind;
}

/* Bits of a key's kind and number, without its gap. */
uint32_t enc_velocity_key_bits(const enc_velocity_track *track, uint32_t kind,
                               const int32_t code[3]);

/* Sets the bits of the whole track, its header's included. */
void enc_velocity_count_bits(enc_velocity_track *track);

#endif
