/* The operands of the operations of bench_toolbox.py: an open bank, two poses of its clips, and a
 * third one for the result, which begins as a copy of the first. A view is the same pose for
 * generic functions. */
#ifndef TOOLBOX_H
#define TOOLBOX_H

#include "character.h"

extern osc_bank bank;
extern character_pose pose_a, pose_b, pose_out;
extern osc_pose view_a, view_b, view_out;
extern character_model model;
/* Memory for operations that need it. A bank of 41 joints leaves 1,200 words on the smallest
 * machine. */
#define SCRATCH_WORDS (CHARACTER_JOINT_COUNT > 100 ? 12u * CHARACTER_JOINT_COUNT : 1200u)
extern uint32_t scratch[SCRATCH_WORDS];
#define skinning (*(character_skinning *)scratch)
extern character_player player; /* stands where pose_b was taken: clip 1, frame 7 and a half */

/* An operation: its preparation, which is not measured, and its call. */
typedef struct toolbox_operation {
    void (*prepare)(void);
    void (*measure)(void);
} toolbox_operation;

extern const toolbox_operation toolbox_operations[];
extern const uint32_t toolbox_operation_count;

#endif
