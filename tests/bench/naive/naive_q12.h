/* The baseline of a game without a codec on machines without floating point: every frame of every
 * joint in 20.12 fixed point, and straight-forward interpolation in products of 32 bits. The
 * yardstick of targets that count cycles. */
#ifndef NAIVE_Q12_H
#define NAIVE_Q12_H

#include <stdint.h>

typedef struct naive_q12_key {
    int32_t rotation[4], translation[3];
} naive_q12_key;

typedef struct naive_q12_matrix {
    int32_t row[3][4];
} naive_q12_matrix;

typedef struct naive_q12_clip {
    const naive_q12_key *keys;             /* joint_count of each frame, frame after frame */
    const naive_q12_matrix *inverse_binds; /* null: model matrices are wanted */
    const int16_t *parents;                /* before their children; -1: none */
    uint32_t frame_count, joint_count;
} naive_q12_clip;

/* Model matrices, and skinning matrices if there are inverse bind matrices, of a position in
 * 1/4096 frames, clamped to the clip: normalised linear interpolation of rotations along the
 * shorter way, linear interpolation of translations. Joints stay within 30 m. */
void naive_q12_play(const naive_q12_clip *clip, uint32_t position_q12, naive_q12_matrix *model,
                    naive_q12_matrix *skin);

#endif
