/* The pose hash of a clip, with which the page of `ossicle view` shows that it plays the same poses
 * as this computer. It uses only the runtime, because the page compiles it, too. */
#ifndef ENC_POSE_HASH_H
#define ENC_POSE_HASH_H

#include "ossicle.h"

/* Continues a hash over the local poses and the model matrices of a player's bank at every frame
 * and midpoint of a clip. The clip is played once, forward. pose, model: joint_count elements each,
 * which are overwritten. Returns 0 if there is no such clip. */
uint32_t enc_pose_hash(uint32_t hash, osc_player *player, uint32_t clip, const osc_pose *pose,
                       osc_matrix *model);

#endif
