/* The baseline of a game without a codec: every frame of every joint in floats, and
 * straight-forward interpolation. The yardstick of pose_time.c. */
#ifndef NAIVE_FLOAT_H
#define NAIVE_FLOAT_H

#include <stdint.h>

typedef struct naive_key {
    float rotation[4], translation[3];
} naive_key;

typedef struct naive_clip {
    const naive_key *keys; /* joint_count of each frame, frame after frame */
    uint32_t frame_count, joint_count;
    float frames_per_second;
} naive_clip;

/* The pose at a time, clamped to the clip: normalised linear interpolation of rotations along the
 * shorter way, linear interpolation of translations. pose: joint_count entries. */
void naive_sample(const naive_clip *clip, float seconds, naive_key *pose);

#endif
