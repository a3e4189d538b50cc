#include "writer/pose_hash.h"

uint32_t enc_pose_hash(uint32_t hash, osc_player *player, uint32_t clip, const osc_pose *pose,
                       osc_matrix *model)
{
    const osc_bank *bank = player->bank;
    size_t joints = bank->joint_count;
    osc_clip_info info;
    if (osc_clip_describe(bank, clip, &info) != OSC_OK ||
        osc_player_start(player, clip, OSC_PLAY_ONCE) != OSC_OK)
        return 0;
    for (uint32_t i = 0; i < 2u * info.frame_count - 1u; i++) {
        (void)osc_player_seek_q11(player, (int32_t)(i * (OSC_ONE_Q11 / 2)));
        osc_player_evaluate(player, pose);
        osc_compose(bank, pose, model);
        hash = osc_hash_words(hash, pose->rotations, joints * sizeof *pose->rotations / 4u);
        hash = osc_hash_words(hash, pose->translations, joints * sizeof *pose->translations / 4u);
        if (bank->has_scale)
            hash = osc_hash_words(hash, pose->scales, joints * sizeof *pose->scales / 4u);
        hash = osc_hash_words(hash, model, joints * sizeof *model / 4u);
    }
    return hash;
}
