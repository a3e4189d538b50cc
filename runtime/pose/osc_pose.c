/* SPDX-License-Identifier: MIT */
/* The generic evaluator and composition: small, driven by tables, and the reference for generated
 * code. */
#include "bank/osc_internal.h"
#include "port/osc_port.h"
#include "pose/osc_compose_joint.h"
#include "pose/osc_evaluate.h"

static osc_quaternion bind_rotation(const uint32_t *bind)
{
    osc_quaternion q;
    q.x = (int32_t)osc_word(bind[0]);
    q.y = (int32_t)osc_word(bind[1]);
    q.z = (int32_t)osc_word(bind[2]);
    q.w = (int32_t)osc_word(bind[3]);
    return q;
}

static osc_vector bind_vector(const uint32_t *bind)
{
    osc_vector v;
    v.x = (int32_t)osc_word(bind[0]);
    v.y = (int32_t)osc_word(bind[1]);
    v.z = (int32_t)osc_word(bind[2]);
    return v;
}

OSC_HOT void osc_evaluate_pair(const osc_bank *bank, const osc_row_pair *pair, const osc_pose *pose)
{
    OSC_ASSERT(pose->scales != 0 || !bank->has_scale);
    const int32_t *left = pair->left, *right = pair->right;
    const uint32_t *bind = bank->bind, *chord = pair->chords;
    uint32_t rotation = 0, translation = 4u * bank->rotation_subtracks;
    uint32_t scale = translation + 3u * bank->translation_subtracks;
    osc_blend blend = osc_blend_at(pair->fraction_q11);

    for (uint32_t joint = 0; joint < bank->joint_count; joint++) {
        if (osc_has_subtrack(bank, 0, joint)) {
            osc_blend_rotation(left + rotation, right + rotation, *chord++, blend,
                               &pose->rotations[joint]);
            rotation += 4u;
        } else {
            pose->rotations[joint] = bind_rotation(bind);
        }
        if (osc_has_subtrack(bank, 1u, joint)) {
            osc_blend_vector(left + translation, right + translation, blend,
                             &pose->translations[joint]);
            translation += 3u;
        } else {
            pose->translations[joint] = bind_vector(bind + 4);
        }
        if (osc_has_subtrack(bank, 2u, joint)) {
            osc_blend_vector(left + scale, right + scale, blend, &pose->scales[joint]);
            scale += 3u;
        } else if (bank->has_scale) {
            pose->scales[joint] = bind_vector(bind + 7);
        }
        bind += osc_bind_words(bank);
    }
}

void osc_bind_pose(const osc_bank *bank, const osc_pose *pose)
{
    OSC_ASSERT(pose->scales != 0 || !bank->has_scale);
    const uint32_t *bind = bank->bind;
    for (uint32_t joint = 0; joint < bank->joint_count; joint++, bind += osc_bind_words(bank)) {
        pose->rotations[joint] = bind_rotation(bind);
        pose->translations[joint] = bind_vector(bind + 4);
        if (bank->has_scale)
            pose->scales[joint] = bind_vector(bind + 7);
    }
}

OSC_HOT void osc_player_evaluate(const osc_player *player, const osc_pose *pose)
{
    OSC_ASSERT(player->primed);
    osc_row_pair pair = osc_player_pair(player);
    osc_evaluate_pair(player->bank, &pair, pose);
}

OSC_HOT void osc_compose(const osc_bank *bank, const osc_pose *pose, osc_matrix *model)
{
    OSC_ASSERT(pose->scales != 0 || !bank->has_scale);
    for (uint32_t joint = 0; joint < bank->joint_count; joint++)
        osc_compose_joint(bank, pose, joint, osc_parent(bank, joint), model);
}

uint32_t osc_hash_words(uint32_t hash, const void *words, size_t count)
{
    const uint32_t *word = (const uint32_t *)words;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ word[i]) * 16777619u;
    return hash;
}
