/* libFuzzer target: any bytes as a bank. What opens must play: every clip, forward, backward, in
 * jumps, at its ends, without reading outside the bank or writing outside the player's memory, and
 * a position must give the same pose whatever was played before. */
#include "bank/osc_tiers.h"
#include "bank_fuzzer.h"
#include "ossicle.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_CLIPS = 6,       /* clips played an input */
    MAX_POSITIONS = 8,   /* positions in each, played forward and backward */
    MAX_RECORDS = 20000, /* track records that a seek may cost; dearer positions are left out */
    TRANSFORM = 3,       /* codec */
    SEGMENT_FRAMES = 8
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct stage {
    osc_bank bank;
    osc_player player;
    int32_t *memory;
    osc_pose pose;
    osc_matrix *model, *skin;
    osc_matrix_q14 *small_skin;
    uint32_t left; /* frame that the last position lies behind */
} stage;

static void set_up(stage *s)
{
    size_t joints = s->bank.joint_count, words = osc_player_memory_words(&s->bank);
    s->memory = player_memory(&s->player, &s->bank);
    s->pose = pose_of(&s->bank);
    s->model = block_of(joints * sizeof(osc_matrix));
    s->skin = block_of(joints * sizeof(osc_matrix));
    s->small_skin = block_of(joints * sizeof(osc_matrix_q14));
    osc_player other;
    if (words != 0u && osc_player_init(&other, &s->bank, s->memory, words - 1u) != OSC_ERROR_MEMORY)
        fail("a player in too little memory");
}

static void tear_down(stage *s)
{
    free(s->memory);
    free_pose(&s->pose);
    free(s->model);
    free(s->skin);
    free(s->small_skin);
}

/* Skinning matrices of the pose, in place and apart. */
static void skin(stage *s)
{
    size_t joints = s->bank.joint_count;
    int32_t status = s->bank.inverse_bind != 0 ? OSC_OK : OSC_ERROR_SECTION;
    if (osc_skin_pose_q14(&s->bank, &s->pose, 15u, s->skin, s->small_skin) != status)
        fail("small skinning matrices of no matrices, or none of some");
    if (osc_skin(&s->bank, s->model, s->skin) != status)
        fail("skinning matrices of no matrices, or none of some");
    if (status != OSC_OK)
        return;
    osc_matrix *in_place = block_of(joints * sizeof(osc_matrix));
    memcpy(in_place, s->model, joints * sizeof(osc_matrix));
    (void)osc_skin(&s->bank, in_place, in_place);
    if (memcmp(in_place, s->skin, joints * sizeof(osc_matrix)) != 0)
        fail("skinning matrices that differ in place");
    free(in_place);
}

static uint32_t play(stage *s, int32_t position)
{
    size_t joints = s->bank.joint_count;
    int32_t left = osc_player_seek_q11(&s->player, position);
    if (left < 0)
        fail("a seek that failed");
    s->left = (uint32_t)left;
    osc_player_evaluate(&s->player, &s->pose);
    osc_compose(&s->bank, &s->pose, s->model);
    skin(s);
    uint32_t hash = osc_hash_words(OSC_HASH_START, s->pose.rotations, joints * 4u);
    hash = osc_hash_words(hash, s->pose.translations, joints * 3u);
    if (s->bank.has_scale)
        hash = osc_hash_words(hash, s->pose.scales, joints * 3u);
    return osc_hash_words(hash, s->model, joints * 12u);
}

/* The number of frames of a clip or version that can be reached at an acceptable cost: all, unless
 * the way from a restart point is too long. data: its first word says how many track records there
 * are. */
static uint32_t reach_of(uint32_t shape, const uint32_t *data, uint32_t all)
{
    uint32_t log2 = shape >> 24 & 31u, frame_count = (shape & 0xfffffu) + 1u;
    uint32_t records = ((data[0] & 0x3ffffu) >> 5) + 1u, longest = MAX_RECORDS / records + 1u;
    uint32_t block = log2 < 20u ? 1u << log2 : frame_count;
    return frame_count <= longest || block <= longest ? all : longest;
}

static uint32_t frames_within_reach(const stage *s, uint32_t clip, uint32_t frame_count)
{
    const osc_bank *bank = &s->bank;
    const uint32_t *entry = bank->clips + 3u * clip;
    uint32_t reach = reach_of(entry[1], bank->data + (entry[2] & 0x3ffffffu), frame_count);
    for (uint32_t tier = 1; tier <= bank->tier_count; tier++)
        for (uint32_t i = osc_chunks_end(bank, tier - 1u); i < osc_chunks_end(bank, tier); i++) {
            osc_chunk_entry chunk = osc_chunk_describe(bank, tier, i);
            const uint32_t *words = bank->tiers[tier - 1u];
            if (words == 0 || chunk.clip != clip || chunk.codec == 0u)
                continue;
            words += chunk.offset_words;
            uint32_t own = reach_of(words[0], words + 1, frame_count);
            reach = own < reach ? own : reach;
        }
    return reach;
}

static void choose_positions(int32_t positions[MAX_POSITIONS], uint32_t reach, bool all,
                             uint32_t noise)
{
    for (uint32_t i = 0; i < MAX_POSITIONS; i++) {
        noise = noise * 1664525u + 1013904223u;
        positions[i] = (int32_t)((noise >> 4) % reach * 2048u + (noise & 2047u));
        if (i > 0u && (i & 1u) != 0u) /* one frame on: the cheap path */
            positions[i] = (int32_t)((uint32_t)positions[i - 1u] + 2048u);
    }
    if (all) {
        positions[2] = INT32_MAX;
        positions[4] = INT32_MIN;
    }
}

/* Returns whether the last position touches a frame between two segments of the transform codec:
 * where a damaged bank says one thing on either side of it, the player may show both. */
static bool at_seam(const stage *s)
{
    uint32_t codec = s->player.shape >> 20 & 15u, left = s->left - s->player.first_frame;
    uint32_t place = left % SEGMENT_FRAMES;
    return codec == TRANSFORM && ((place == 0u && left != 0u) || place == SEGMENT_FRAMES - 1u);
}

static void play_clip(stage *s, uint32_t clip, uint32_t noise)
{
    osc_clip_info info;
    if (osc_clip_describe(&s->bank, clip, &info) != OSC_OK ||
        osc_clip_find(&s->bank, info.name_hash) > (int32_t)clip)
        fail("a clip that cannot be found");
    (void)osc_clip_position_q11(&info, (int32_t)noise);
    osc_play_mode mode = (osc_play_mode)(noise % 3u);
    if (osc_player_start(&s->player, clip, mode) != OSC_OK)
        fail("a clip that does not start");

    uint32_t reach = frames_within_reach(s, clip, info.frame_count), hashes[MAX_POSITIONS];
    int32_t positions[MAX_POSITIONS];
    choose_positions(positions, reach, reach == info.frame_count, noise);
    for (uint32_t i = 0; i < MAX_POSITIONS; i++)
        hashes[i] = play(s, positions[i]);
    for (uint32_t i = MAX_POSITIONS; i-- > 0u;)
        if (play(s, positions[i]) != hashes[i] && !at_seam(s))
            fail("a pose that depends on what was played before");
    if (osc_player_start(&s->player, clip, mode) != OSC_OK ||
        (play(s, positions[0]) != hashes[0] && !at_seam(s)))
        fail("a pose that depends on what was played before the start");
}

/* Returns whether the bank had tiers. tiers: receives them. */
static bool take_tiers_away(osc_bank *bank, const uint32_t *tiers[OSC_MAX_TIERS])
{
    bool had = bank->tiers_there != 0u;
    memcpy(tiers, bank->tiers, sizeof bank->tiers);
    for (uint32_t tier = 0; tier <= OSC_MAX_TIERS + 1u; tier++) {
        int32_t status = tier != 0u && tier <= bank->tier_count ? OSC_OK : OSC_ERROR_NOT_FOUND;
        if (osc_bank_attach_tier(bank, tier, 0, 0) != status)
            fail("a tier that belongs to the bank and does not, or the other way round");
    }
    if (bank->tiers_there != 0u)
        fail("a tier that was taken away");
    return had;
}

/* The file that the bank was opened with is a tier of it, unless the checksum of a chunk is wrong.
 */
static void bring_tiers_back(osc_bank *bank, const uint32_t *const tiers[OSC_MAX_TIERS])
{
    for (uint32_t tier = bank->tier_count; tier > 0u; tier--) {
        const uint32_t *words = tiers[tier - 1u];
        if (words == 0)
            continue;
        size_t size = osc_tier_record(bank, tier)[OSC_TIER_SIZE_WORDS] * 4u;
        int32_t status = osc_bank_attach_tier(bank, tier, words, size);
        if (status != OSC_OK && status != OSC_ERROR_CRC)
            fail("a tier that the bank had and does not take");
    }
}

static void play_clips(stage *s, uint32_t clips, uint32_t noise)
{
    osc_quality quality;
    osc_bank_quality(&s->bank, &quality);
    if (quality.chunks_there > quality.chunks)
        fail("more chunks than the bank has");
    for (uint32_t clip = 0; clip < clips; clip++)
        play_clip(s, clip, noise + clip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t *words = block_of(size);
    memcpy(words, data, size);
    stage s;
    if (osc_bank_open(&s.bank, words, size) == OSC_OK) {
        set_up(&s);
        uint32_t clips = s.bank.clip_count < MAX_CLIPS ? s.bank.clip_count : MAX_CLIPS;
        const uint32_t *tiers[OSC_MAX_TIERS];
        play_clips(&s, clips, words[3]);
        if (take_tiers_away(&s.bank, tiers)) {
            play_clips(&s, clips, words[3]);
            bring_tiers_back(&s.bank, tiers);
            play_clips(&s, clips, words[3]);
        }
        if (osc_player_start(&s.player, s.bank.clip_count, OSC_PLAY_ONCE) != OSC_ERROR_NOT_FOUND)
            fail("a clip beyond the last");
        tear_down(&s);
    }
    free(words);
    return 0;
}
