#include "naive_q14.h"

#include "port/osc_fast_memory.h"

#define ONE 16384

typedef struct place {
    uint32_t frame;
    uint32_t next; /* the frame after it, or itself at the end */
    int32_t fraction_q12;
} place;

static inline place place_of(const naive_q14_clip *clip, uint32_t position_q12)
{
    uint32_t last = clip->frame_count - 1u, frame = position_q12 >> 12;
    if (frame >= last)
        return (place){last, last, 0};
    return (place){frame, frame + 1u, (int32_t)(position_q12 & 4095u)};
}

/* Neighbours that were stored in one hemisphere; a step of Newton's for 1 / sqrt(x). */
static inline void blend(const int16_t *left, const int16_t *right, int32_t fraction_q12,
                         int32_t *q)
{
    int32_t square = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = left[i] + ((fraction_q12 * (right[i] - left[i])) >> 12);
        square += q[i] * q[i];
    }
    int32_t scale = (3 * ONE - (square >> 14)) / 2;
    for (int i = 0; i < 4; i++)
        q[i] = (q[i] * scale) >> 14;
}

static inline void turn_of(const int32_t *q, int32_t *r)
{
    int32_t x = q[0], y = q[1], z = q[2], w = q[3];
    int32_t xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
    int32_t wx = w * x, wy = w * y, wz = w * z;
    r[0] = ONE - ((yy + zz) >> 13);
    r[1] = (xy - wz) >> 13;
    r[2] = (xz + wy) >> 13;
    r[3] = (xy + wz) >> 13;
    r[4] = ONE - ((xx + zz) >> 13);
    r[5] = (yz - wx) >> 13;
    r[6] = (xz - wy) >> 13;
    r[7] = (yz + wx) >> 13;
    r[8] = ONE - ((xx + yy) >> 13);
}

static inline void key_at(const naive_q14_key *left, const naive_q14_key *right,
                          int32_t fraction_q12, int32_t *r, int32_t *t)
{
    int32_t q[4];
    blend(left->rotation, right->rotation, fraction_q12, q);
    turn_of(q, r);
    for (int i = 0; i < 3; i++)
        t[i] = left->translation[i] +
               ((fraction_q12 * (right->translation[i] - left->translation[i])) >> 12);
}

OSC_HOT void naive_q14_model_of(const naive_q14_clip *clip, uint32_t position_q12,
                                naive_q14_model *model)
{
    place at = place_of(clip, position_q12);
    const naive_q14_key *left = clip->local + at.frame * clip->joint_count;
    const naive_q14_key *right = clip->local + at.next * clip->joint_count;
    for (uint32_t joint = 0; joint < clip->joint_count; joint++) {
        int32_t r[9], t[3];
        key_at(&left[joint], &right[joint], at.fraction_q12, r, t);
        int32_t(*out)[4] = model[joint].row;
        if (clip->parents[joint] < 0) {
            for (int i = 0; i < 3; i++) {
                out[i][0] = r[3 * i], out[i][1] = r[3 * i + 1], out[i][2] = r[3 * i + 2];
                out[i][3] = t[i];
            }
            continue;
        }
        const int32_t(*p)[4] = (const int32_t(*)[4])model[clip->parents[joint]].row;
        for (int i = 0; i < 3; i++) {
            int32_t a = p[i][0], b = p[i][1], c = p[i][2];
            out[i][0] = (a * r[0] + b * r[3] + c * r[6]) >> 14;
            out[i][1] = (a * r[1] + b * r[4] + c * r[7]) >> 14;
            out[i][2] = (a * r[2] + b * r[5] + c * r[8]) >> 14;
            out[i][3] = ((a * t[0] + b * t[1] + c * t[2]) >> 14) + p[i][3];
        }
    }
}

OSC_HOT void naive_q14_local(const naive_q14_clip *clip, uint32_t position_q12,
                             naive_q14_model *model, naive_q14_matrix *skin)
{
    naive_q14_model_of(clip, position_q12, model);
    for (uint32_t joint = 0; joint < clip->joint_count; joint++) {
        const int32_t(*m)[4] = (const int32_t(*)[4])model[joint].row;
        const int32_t(*b)[4] = (const int32_t(*)[4])clip->inverse_binds[joint].row;
        for (int i = 0; i < 3; i++) {
            int32_t x = m[i][0], y = m[i][1], z = m[i][2];
            for (int j = 0; j < 3; j++)
                skin[joint].turn[3 * i + j] =
                    (int16_t)((x * b[0][j] + y * b[1][j] + z * b[2][j]) >> 14);
            skin[joint].translation[i] =
                ((x * b[0][3] + y * b[1][3] + z * b[2][3]) >> 14) + m[i][3];
        }
    }
}

OSC_HOT void naive_q14_absolute(const naive_q14_clip *clip, uint32_t position_q12,
                                naive_q14_matrix *skin)
{
    place at = place_of(clip, position_q12);
    const naive_q14_key *left = clip->absolute + at.frame * clip->joint_count;
    const naive_q14_key *right = clip->absolute + at.next * clip->joint_count;
    for (uint32_t joint = 0; joint < clip->joint_count; joint++) {
        int32_t r[9];
        key_at(&left[joint], &right[joint], at.fraction_q12, r, skin[joint].translation);
        for (int i = 0; i < 9; i++)
            skin[joint].turn[i] = (int16_t)r[i];
    }
}

OSC_HOT void naive_q14_baked(const naive_q14_clip *clip, uint32_t position_q12,
                             naive_q14_matrix *skin)
{
    const naive_q14_matrix *from =
        clip->baked + place_of(clip, position_q12).frame * clip->joint_count;
    for (uint32_t joint = 0; joint < clip->joint_count; joint++)
        skin[joint] = from[joint];
}
