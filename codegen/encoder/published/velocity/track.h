/* A track of the velocity codec: the fields of its header, and its keys. */
#ifndef ENCODER_PUBLISHED_VELOCITY_TRACK_H
#define ENCODER_PUBLISHED_VELOCITY_TRACK_H

#include "base/codec.h"
#include "published/osc_velocity_arithmetic.h"

#define ENC_VELOCITY_REST 4u /* the start of a block: a seed without velocity */

/* A key, which determines the row of `frame`. */
typedef struct {
    uint32_t frame, kind; /* OSC_VELOCITY_*, ENC_VELOCITY_REST */
    int32_t code[3]; /* in steps: a difference or a velocity; element 0: change of speed, or the
                        rebuilt component of a seed */
    int32_t step[3]; /* difference from the previous velocity, rounded to steps */
    uint32_t lasts;  /* frames after `frame` until the next key, as written */
} enc_velocity_key;

typedef struct {
    uint32_t kind, frame_count, restart_log2;
    uint32_t shift, seed_shift, seed_width, gap_rice, most_kind, speed_precision;
    uint32_t keys_as; /* enc_keys */
    bool ranged; /* differences have one width; otherwise each component has a Rice parameter */
    uint32_t range_width; /* bits; without `ranged`, where a search begins */
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

/* The bits of a key's kind. */
static inline uint32_t enc_velocity_kind_bits(const enc_velocity_track *track, uint32_t kind)
{
    return kind < track->most_kind ? kind + 1u : track->most_kind;
}

/* The bits of a key's kind and number, without its gap. */
uint32_t enc_velocity_key_bits(const enc_velocity_track *track, uint32_t kind,
                               const int32_t code[3]);

/* Counts the bits of the whole track, including its header. */
void enc_velocity_count_bits(enc_velocity_track *track);

#endif
