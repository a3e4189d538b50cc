/* Plays a clip as the device does, from rows to transforms. */
#ifndef ENCODER_MODEL_PLAY_H
#define ENCODER_MODEL_PLAY_H

#include "model/solution.h"

/* A joint that plays at several positions. Tracks that do not move are computed once. */
typedef struct {
    const enc_source *source;
    const enc_track_choice *choices; /* [ENC_KINDS] */
    uint32_t joint;
    bool moves;
    double value[ENC_KINDS][4];
    enc_matrix still; /* its local transform if it does not move */
} enc_joint_player;

void enc_joint_begin(enc_joint_player *player, const enc_source *source,
                     const enc_track_choice choices[ENC_KINDS], uint32_t joint);

/* The local transform at a sample. */
void enc_joint_play(enc_joint_player *player, uint32_t sample, enc_matrix *out);

/* The local transform of a joint at a position, as the runtime plays its three tracks. */
void enc_play_at(const enc_source *source, const enc_track_choice choices[ENC_KINDS],
                 uint32_t joint, uint32_t position_q11, enc_matrix *out);

/* The local transform of a joint at a sample. */
static inline void enc_play_local(const enc_source *source,
                                  const enc_track_choice choices[ENC_KINDS], uint32_t joint,
                                  uint32_t sample, enc_matrix *out)
{
    enc_play_at(source, choices, joint, enc_sample_q11(source, sample), out);
}

#endif
