/* The runtime for the page. Nothing is ever freed but all of it, with the module. */
#include "player.h"

#include "bank/osc_internal.h"
#include "bank/osc_tiers.h"
#include "osc_mix.h"
#include "writer/pose_hash.h"

static bool reserve_pose(osc_pose *pose, uint32_t joints)
{
    pose->rotations = reserve(joints * sizeof *pose->rotations);
    pose->translations = reserve(joints * sizeof *pose->translations);
    pose->scales = reserve(joints * sizeof *pose->scales);
    return pose->rotations != 0 && pose->translations != 0 && pose->scales != 0;
}

static void copy_pose(const osc_pose *to, const osc_pose *from, uint32_t joints)
{
    for (uint32_t joint = 0; joint < joints; joint++) {
        to->rotations[joint] = from->rotations[joint];
        to->translations[joint] = from->translations[joint];
        to->scales[joint] = from->scales[joint];
    }
}

/* Adds additive clips to a pose from now on: ten Q20 numbers for each joint, as the bank has its
 * bind pose; or with null to that. */
EXPORT("add_to") void add_to(stage *stage, const uint32_t *transforms);
void add_to(stage *stage, const uint32_t *transforms)
{
    const osc_bank *bank = &stage->opened->bank;
    const uint32_t *from = transforms != 0 ? transforms : bank->bind;
    uint32_t words = transforms != 0 ? 10u : osc_bind_words(bank);
    for (uint32_t joint = 0; joint < bank->joint_count; joint++, from += words) {
        int32_t number[10] = {[7] = OSC_ONE_Q20, [8] = OSC_ONE_Q20, [9] = OSC_ONE_Q20};
        for (uint32_t i = 0; i < words; i++)
            number[i] = (int32_t)osc_word(from[i]);
        osc_quaternion rotation = {number[0], number[1], number[2], number[3]};
        osc_vector translation = {number[4], number[5], number[6]};
        osc_vector scale = {number[7], number[8], number[9]};
        stage->over.rotations[joint] = rotation;
        stage->over.translations[joint] = translation;
        stage->over.scales[joint] = scale;
    }
}

/* Returns a stage of a bank, with a player of its own, or null; *error then says why. */
static stage *stage_of(opened_bank *opened, int32_t *error)
{
    stage *made = reserve(sizeof *made);
    *error = OSC_ERROR_MEMORY;
    if (made == 0)
        return 0;
    made->opened = opened;
    const osc_bank *bank = &opened->bank;
    uint32_t joints = bank->joint_count, memory_words = osc_player_memory_words(bank);
    int32_t *memory = reserve(4u * memory_words);
    made->model = reserve(joints * sizeof *made->model);
    if (memory == 0 || made->model == 0 || !reserve_pose(&made->pose, joints) ||
        !reserve_pose(&made->over, joints) || !reserve_pose(&made->sum, joints))
        return 0;
    add_to(made, 0);
    *error = osc_player_init(&made->player, bank, memory, memory_words);
    return *error == OSC_OK ? made : 0;
}

/* Opens a bank that lies in reserved memory. Returns a stage for it, or null; *error then says why.
 */
EXPORT("open") stage *open_bank(const uint32_t *words, uint32_t size_bytes, int32_t *error);
stage *open_bank(const uint32_t *words, uint32_t size_bytes, int32_t *error)
{
    opened_bank *opened = reserve(sizeof *opened);
    *error = OSC_ERROR_MEMORY;
    if (opened == 0)
        return 0;
    *error = osc_bank_open(&opened->bank, words, size_bytes);
    if (*error != OSC_OK)
        return 0;
    for (uint32_t tier = 0; tier < OSC_MAX_TIERS; tier++)
        opened->tiers[tier] = opened->bank.tiers[tier];
    return stage_of(opened, error);
}

/* Returns another stage of the same bank, with the same tiers at any time; or null, as above. */
EXPORT("beside") stage *stage_beside(stage *stage, int32_t *error);
stage *stage_beside(stage *stage, int32_t *error)
{
    return stage_of(stage->opened, error);
}

/* Chooses a clip, to be played once. Returns OSC_OK or an error. */
EXPORT("start") int32_t start(stage *stage, uint32_t clip);
int32_t start(stage *stage, uint32_t clip)
{
    return osc_player_start(&stage->player, clip, OSC_PLAY_ONCE);
}

/* Plays with the first tiers alone, of those that the bank contains: 0 for none. */
EXPORT("keep_tiers") void keep_tiers(stage *stage, uint32_t count);
void keep_tiers(stage *stage, uint32_t count)
{
    osc_bank *bank = &stage->opened->bank;
    for (uint32_t tier = 1; tier <= bank->tier_count; tier++) {
        const uint32_t *words = tier <= count ? stage->opened->tiers[tier - 1u] : 0;
        uint32_t size_bytes = 4u * osc_tier_record(bank, tier)[OSC_TIER_SIZE_WORDS];
        (void)osc_bank_attach_tier(bank, tier, words, size_bytes);
    }
}

/* Plays the pose at a position, that of an additive clip in the pose that it is added to, and
 * returns its model matrices: 12 numbers in Q20 for each joint. */
EXPORT("pose") const osc_matrix *pose_at(stage *stage, int32_t position_q11);
const osc_matrix *pose_at(stage *stage, int32_t position_q11)
{
    (void)osc_player_seek_q11(&stage->player, position_q11);
    osc_player_evaluate(&stage->player, &stage->pose);
    const osc_bank *bank = &stage->opened->bank;
    bool adds = osc_shape_additive(osc_clip_shape(stage->player.clip));
    if (adds) {
        copy_pose(&stage->sum, &stage->over, bank->joint_count);
        osc_mix_add(bank, &stage->sum, &stage->pose, OSC_ONE_Q15, 0);
    }
    osc_compose(bank, adds ? &stage->sum : &stage->pose, stage->model);
    return stage->model;
}

/* Continues the hash of all poses over those of a clip, which is started. The host's is made by the
 * same function. */
EXPORT("hash") uint32_t hash_clip(stage *stage, uint32_t hash, uint32_t clip);
uint32_t hash_clip(stage *stage, uint32_t hash, uint32_t clip)
{
    return enc_pose_hash(hash, &stage->player, clip, &stage->pose, stage->model);
}
