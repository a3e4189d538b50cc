#include "naive_q12.h"

#include "port/osc_fast_memory.h"

#define ONE 4096

/* The length of a blend of neighbours is close to one: a step of Newton's for 1 / sqrt(x). */
static inline int32_t near_inverse_root(int32_t square)
{
    return (3 * ONE - square) / 2;
}

static inline void blend_rotation(const int32_t *left, const int32_t *right, int32_t fraction,
                                  int32_t *out)
{
    int32_t dot = left[0] * right[0] + left[1] * right[1] + left[2] * right[2] + left[3] * right[3];
    int32_t near = ONE - fraction, far = dot < 0 ? -fraction : fraction;
    int32_t x = (near * left[0] + far * right[0]) >> 12;
    int32_t y = (near * left[1] + far * right[1]) >> 12;
    int32_t z = (near * left[2] + far * right[2]) >> 12;
    int32_t w = (near * left[3] + far * right[3]) >> 12;
    int32_t scale = near_inverse_root((x * x + y * y + z * z + w * w) >> 12);
    out[0] = (x * scale) >> 12;
    out[1] = (y * scale) >> 12;
    out[2] = (z * scale) >> 12;
    out[3] = (w * scale) >> 12;
}

static inline void local_matrix(const naive_q12_key *left, const naive_q12_key *right,
                                int32_t fraction, naive_q12_matrix *local)
{
    int32_t q[4];
    blend_rotation(left->rotation, right->rotation, fraction, q);
    int32_t x = 2 * q[0], y = 2 * q[1], z = 2 * q[2];
    int32_t xx = x * q[0], yy = y * q[1], zz = z * q[2], xy = x * q[1], xz = x * q[2],
            yz = y * q[2];
    int32_t wx = x * q[3], wy = y * q[3], wz = z * q[3];
    int32_t(*row)[4] = local->row;
    row[0][0] = ONE - ((yy + zz) >> 12);
    row[0][1] = (xy - wz) >> 12;
    row[0][2] = (xz + wy) >> 12;
    row[1][0] = (xy + wz) >> 12;
    row[1][1] = ONE - ((xx + zz) >> 12);
    row[1][2] = (yz - wx) >> 12;
    row[2][0] = (xz - wy) >> 12;
    row[2][1] = (yz + wx) >> 12;
    row[2][2] = ONE - ((xx + yy) >> 12);
    for (int i = 0; i < 3; i++)
        row[i][3] = left->translation[i] +
                    ((fraction * (right->translation[i] - left->translation[i])) >> 12);
}

static inline void multiply(const naive_q12_matrix *left, const naive_q12_matrix *right,
                            naive_q12_matrix *out)
{
    for (int r = 0; r < 3; r++) {
        const int32_t *l = left->row[r];
        for (int c = 0; c < 4; c++) {
            int32_t sum =
                l[0] * right->row[0][c] + l[1] * right->row[1][c] + l[2] * right->row[2][c];
            out->row[r][c] = (sum >> 12) + (c == 3 ? l[3] : 0);
        }
    }
}

OSC_HOT void naive_q12_play(const naive_q12_clip *clip, uint32_t position_q12,
                            naive_q12_matrix *model, naive_q12_matrix *skin)
{
    uint32_t last = clip->frame_count - 1u, frame = position_q12 >> 12;
    int32_t fraction = (int32_t)(position_q12 & (ONE - 1u));
    if (frame >= last) {
        frame = last;
        fraction = 0;
    }
    const naive_q12_key *left = clip->keys + frame * clip->joint_count;
    const naive_q12_key *right = frame < last ? left + clip->joint_count : left;
    for (uint32_t joint = 0; joint < clip->joint_count; joint++) {
        int32_t parent = clip->parents[joint];
        if (parent < 0) {
            local_matrix(&left[joint], &right[joint], fraction, &model[joint]);
        } else {
            naive_q12_matrix local;
            local_matrix(&left[joint], &right[joint], fraction, &local);
            multiply(&model[parent], &local, &model[joint]);
        }
        if (clip->inverse_binds)
            multiply(&model[joint], &clip->inverse_binds[joint], &skin[joint]);
    }
}
