/* Clips without a codec as a programmer of a small machine would store them: 16 bits a number,
 * products of 32 bits. The yardsticks of bench_hierarchy.py, in four layouts with less and less
 * work per frame. */
#ifndef NAIVE_Q14_H
#define NAIVE_Q14_H

#include <stdint.h>

typedef struct naive_q14_key {
    int16_t rotation[4];    /* Q14 */
    int16_t translation[3]; /* Q12, up to 8 m */
} naive_q14_key;

typedef struct naive_q14_matrix {
    int16_t turn[9]; /* by rows, Q14 */
    int16_t unused;
    int32_t translation[3]; /* Q12 */
} naive_q14_matrix;

typedef struct naive_q14_model {
    int32_t row[3][4]; /* Q14, translations Q12 */
} naive_q14_model;

typedef struct naive_q14_clip {
    const naive_q14_key *local;    /* joint_count of each frame: relative to the parent */
    const naive_q14_key *absolute; /* likewise: the movement from the bind pose in model space */
    const naive_q14_matrix *baked; /* likewise: skinning matrices */
    const naive_q14_model *inverse_binds; /* null: the file has no skin */
    const int16_t *parents;               /* before their children; -1: none */
    uint32_t frame_count, joint_count;
} naive_q14_clip;

/* Positions are in 1/4096 frames and clamped to the clip. Rotations are interpolated and
 * normalised, the rest is interpolated linearly, except in baked frames, the last of which is
 * copied.
 *
 * Local keys to model matrices; then to skinning matrices, for clips with inverse bind matrices. */
void naive_q14_model_of(const naive_q14_clip *clip, uint32_t position_q12, naive_q14_model *model);
void naive_q14_local(const naive_q14_clip *clip, uint32_t position_q12, naive_q14_model *model,
                     naive_q14_matrix *skin);
/* Absolute keys to skinning matrices; baked ones copied. */
void naive_q14_absolute(const naive_q14_clip *clip, uint32_t position_q12, naive_q14_matrix *skin);
void naive_q14_baked(const naive_q14_clip *clip, uint32_t position_q12, naive_q14_matrix *skin);

#endif
