#include "naive_float.h"

#include <math.h>

static void blend_rotation(const float *left, const float *right, float fraction, float *out)
{
    float dot = left[0] * right[0] + left[1] * right[1] + left[2] * right[2] + left[3] * right[3];
    float near = 1.0f - fraction, far = dot < 0.0f ? -fraction : fraction;
    float x = near * left[0] + far * right[0], y = near * left[1] + far * right[1];
    float z = near * left[2] + far * right[2], w = near * left[3] + far * right[3];
    float scale = 1.0f / sqrtf(x * x + y * y + z * z + w * w);
    out[0] = x * scale;
    out[1] = y * scale;
    out[2] = z * scale;
    out[3] = w * scale;
}

void naive_sample(const naive_clip *clip, float seconds, naive_key *pose)
{
    float last = (float)(clip->frame_count - 1u), place = seconds * clip->frames_per_second;
    place = place < 0.0f ? 0.0f : place > last ? last : place;
    uint32_t frame = (uint32_t)place;
    float fraction = place - (float)frame;
    const naive_key *left = clip->keys + (uintptr_t)frame * clip->joint_count;
    const naive_key *right = frame + 1u < clip->frame_count ? left + clip->joint_count : left;
    for (uint32_t joint = 0; joint < clip->joint_count; joint++) {
        blend_rotation(left[joint].rotation, right[joint].rotation, fraction, pose[joint].rotation);
        for (int i = 0; i < 3; i++)
            pose[joint].translation[i] =
                left[joint].translation[i] +
                fraction * (right[joint].translation[i] - left[joint].translation[i]);
    }
}
