/* The runtime as the npm package calls it: an instance of the module has one bank and any number of
 * players. Poses are computed when they are read. */
#include "bank/osc_codecs.h"
#include "bank/osc_internal.h"
#include "codecs/osc_port_rows.h"
#include "module_memory.h"
#include "osc_mix.h"

#include <wasm_simd128.h>

#define LOCAL_FLOATS 10u
#define MATRIX_FLOATS 16u

static osc_bank bank;
static bool has_transform_clips;

typedef struct web_player {
    osc_player player;
    osc_playback playback;
    osc_pose pose;
    osc_matrix *model;
    float *floats; /* the output: at most joint_count matrices */
    struct web_player *next_unused;
    bool has_pose, has_model; /* whether they are those of the player's position */
} web_player;

static web_player *unused;

/* The codecs of published schemes would add half to the module. */
static const osc_codec *const codecs[OSC_CODEC_COUNT] = {
    [OSC_CODEC_DELTA] = &osc_delta_codec,
    [OSC_CODEC_BASE_ROW] = &osc_base_row_codec.entry,
    [OSC_CODEC_CURVE] = &osc_curve_codec,
    [OSC_CODEC_TRANSFORM] = &osc_transform_codec,
};
static osc_codec_check *const checks[OSC_CODEC_COUNT] = {
    [OSC_CODEC_DELTA] = osc_delta_valid,
    [OSC_CODEC_CURVE] = osc_curve_valid,
    [OSC_CODEC_TRANSFORM] = osc_transform_valid,
};

/* ---- the bank ---- */

/* Opens a bank in reserved memory. Returns OSC_OK or an error. */
EXPORT("open") int32_t open_bank(const uint32_t *words, uint32_t size_bytes);
int32_t open_bank(const uint32_t *words, uint32_t size_bytes)
{
    int32_t status = osc_bank_open_codecs(&bank, words, size_bytes, codecs, checks);
    if (status != OSC_OK)
        return status;
    for (uint32_t clip = 0; clip < bank.clip_count; clip++) {
        uint32_t shape = osc_clip_shape(bank.clips + clip * OSC_CLIP_ENTRY_WORDS);
        has_transform_clips = has_transform_clips || osc_shape_codec(shape) == OSC_CODEC_TRANSFORM;
    }
    return OSC_OK;
}

EXPORT("joint_count") uint32_t joint_count(void);
uint32_t joint_count(void)
{
    return bank.joint_count;
}

EXPORT("clip_count") uint32_t clip_count(void);
uint32_t clip_count(void)
{
    return bank.clip_count;
}

/* The number of a joint's parent; -1 for roots. */
EXPORT("parent") int32_t parent(uint32_t joint);
int32_t parent(uint32_t joint)
{
    uint32_t number = osc_parent(&bank, joint);
    return number == OSC_NO_PARENT ? -1 : (int32_t)number;
}

EXPORT("has_skin") uint32_t has_skin(void);
uint32_t has_skin(void)
{
    return bank.inverse_bind != 0;
}

/* Writes the number of frames, frames per second in Q16, the hash of the name, and a bit each for
 * loop, additive and mirrored. */
EXPORT("describe") void describe(uint32_t clip, uint32_t out[4]);
void describe(uint32_t clip, uint32_t out[4])
{
    osc_clip_info info;
    (void)osc_clip_describe(&bank, clip, &info);
    out[0] = info.frame_count;
    out[1] = info.rate_q16;
    out[2] = info.name_hash;
    out[3] = (info.loop ? 1u : 0u) | (info.additive ? 2u : 0u) | (info.mirrored ? 4u : 0u);
}

/* ---- players ---- */

/* Words that the rows of transform clips use if they are there. */
static uint32_t transposed_words(void)
{
    uint32_t groups = (bank.rotation_subtracks + 3u) / 4u;
    groups += (bank.translation_subtracks + 3u) / 4u + (bank.scale_subtracks + 3u) / 4u;
    return has_transform_clips ? (groups + 1u) * OSC_TRANSPOSED_ROOM_WORDS : 0u;
}

/* Vectors of three, which are also read as vectors of four. */
static osc_vector *reserve_vectors(uint32_t count)
{
    return reserve(count * sizeof(osc_vector) + sizeof(int32_t));
}

static web_player *new_player(void)
{
    uint32_t joints = bank.joint_count;
    uint32_t words = osc_player_memory_words(&bank) + transposed_words();
    web_player *made = reserve(sizeof *made);
    int32_t *memory = reserve(4u * words);
    if (made == 0 || memory == 0)
        return 0;
    made->pose.rotations = reserve(joints * sizeof *made->pose.rotations);
    made->pose.translations = reserve_vectors(joints);
    made->pose.scales = reserve_vectors(joints);
    made->model = reserve(joints * sizeof *made->model);
    made->floats = reserve(joints * MATRIX_FLOATS * sizeof *made->floats);
    if (made->pose.rotations == 0 || made->pose.translations == 0 || made->pose.scales == 0 ||
        made->model == 0 || made->floats == 0)
        return 0;
    return osc_player_init(&made->player, &bank, memory, words) == OSC_OK ? made : 0;
}

/* Returns a player, or null if there is not enough memory. It plays nothing yet. */
EXPORT("create") web_player *create(void);
web_player *create(void)
{
    web_player *made = unused;
    if (made != 0)
        unused = made->next_unused;
    else
        made = new_player();
    return made;
}

/* Gives a player's memory to the next one that is created. */
EXPORT("dispose") void dispose(web_player *player);
void dispose(web_player *player)
{
    player->next_unused = unused;
    unused = player;
}

/* The address of the floats that the functions below write. */
EXPORT("floats") float *floats(web_player *player);
float *floats(web_player *player)
{
    return player->floats;
}

static void moved(web_player *player)
{
    player->has_pose = player->has_model = false;
}

/* Starts a clip at its first frame, or with a negative speed at its last. loops: as
 * osc_player_play. */
EXPORT("play") void play(web_player *player, uint32_t clip, uint32_t loops, int32_t speed_q16);
void play(web_player *player, uint32_t clip, uint32_t loops, int32_t speed_q16)
{
    osc_playback *playback = &player->playback;
    (void)osc_player_play(&player->player, playback, clip, loops);
    playback->speed_q16 = speed_q16;
    if (speed_q16 < 0) {
        playback->position_q11 = playback->end_q11;
        (void)osc_player_seek_q11(&player->player, (int32_t)playback->position_q11);
    }
    moved(player);
}

EXPORT("set_speed") void set_speed(web_player *player, int32_t speed_q16);
void set_speed(web_player *player, int32_t speed_q16)
{
    player->playback.speed_q16 = speed_q16;
}

EXPORT("advance") void advance(web_player *player, uint32_t elapsed_us);
void advance(web_player *player, uint32_t elapsed_us)
{
    (void)osc_player_advance(&player->player, &player->playback, elapsed_us);
    moved(player);
}

/* Moves to a position, clamped to the clip. */
EXPORT("seek") void seek(web_player *player, uint32_t position_q11);
void seek(web_player *player, uint32_t position_q11)
{
    osc_playback *playback = &player->playback;
    playback->position_q11 = position_q11 < playback->end_q11 ? position_q11 : playback->end_q11;
    playback->fraction_q32 = 0;
    playback->time_fraction_q16 = 0;
    (void)osc_player_seek_q11(&player->player, (int32_t)playback->position_q11);
    moved(player);
}

EXPORT("position") uint32_t position(const web_player *player);
uint32_t position(const web_player *player)
{
    return player->playback.position_q11;
}

EXPORT("finished") uint32_t finished(const web_player *player);
uint32_t finished(const web_player *player)
{
    return osc_playback_finished(&player->playback);
}

/* ---- poses ---- */

static const osc_pose *pose_of(web_player *player)
{
    if (!player->has_pose)
        osc_player_evaluate(&player->player, &player->pose);
    player->has_pose = true;
    return &player->pose;
}

static osc_matrix *model_of(web_player *player)
{
    const osc_pose *pose = pose_of(player);
    if (!player->has_model)
        osc_compose(&bank, pose, player->model);
    player->has_model = true;
    return player->model;
}

/* Blends the pose of another player into this one's, until it moves. */
EXPORT("blend") void blend(web_player *player, web_player *with, uint32_t weight_q15);
void blend(web_player *player, web_player *with, uint32_t weight_q15)
{
    osc_mix_blend(&bank, pose_of(player), pose_of(with), weight_q15, 0);
    player->has_model = false;
}

/* Adds the pose of a player of an additive clip to this one's, until it moves. */
EXPORT("add") void add(web_player *player, web_player *with, uint32_t weight_q15);
void add(web_player *player, web_player *with, uint32_t weight_q15)
{
    osc_mix_add(&bank, pose_of(player), pose_of(with), weight_q15, 0);
    player->has_model = false;
}

/* Four numbers in Q20 as floats: exact, or rounded to the nearest. */
static inline v128_t floats_of(const int32_t *words)
{
    v128_t numbers = wasm_f32x4_convert_i32x4(wasm_v128_load(words));
    return wasm_f32x4_mul(numbers, wasm_f32x4_splat(1.0f / 1048576.0f));
}

/* Writes translation, rotation and scale of each joint: vectors of four, of which the next covers
 * the last number. */
EXPORT("read_local") void read_local(web_player *player);
void read_local(web_player *player)
{
    const osc_pose *pose = pose_of(player);
    float *out = player->floats;
    for (uint32_t joint = 0; joint < bank.joint_count; joint++, out += LOCAL_FLOATS) {
        wasm_v128_store(out, floats_of(&pose->translations[joint].x));
        wasm_v128_store(out + 3, floats_of(&pose->rotations[joint].x));
        wasm_v128_store(out + 7, bank.has_scale ? floats_of(&pose->scales[joint].x)
                                                : wasm_f32x4_const(1.0f, 1.0f, 1.0f, 1.0f));
    }
}

static void write_matrices(const osc_matrix *matrices, float *out)
{
    const v128_t last = wasm_f32x4_const(0.0f, 0.0f, 0.0f, 1.0f);
    for (uint32_t joint = 0; joint < bank.joint_count; joint++, out += MATRIX_FLOATS) {
        const int32_t *m = matrices[joint].m;
        v128_t columns[4] = {floats_of(m), floats_of(m + 4), floats_of(m + 8), last};
        osc_v4_transpose(columns);
        for (uint32_t i = 0; i < 4u; i++)
            wasm_v128_store(out + 4u * i, columns[i]);
    }
}

/* Writes model matrices. */
EXPORT("read_model") void read_model(web_player *player);
void read_model(web_player *player)
{
    write_matrices(model_of(player), player->floats);
}

/* Writes skinning matrices, of a bank with inverse bind matrices. */
EXPORT("read_skin") void read_skin(web_player *player);
void read_skin(web_player *player)
{
    osc_matrix *model = model_of(player);
    (void)osc_skin(&bank, model, model);
    player->has_model = false;
    write_matrices(model, player->floats);
}

/* Continues a hash over the pose and its model matrices, as `ossicle` does on a PC. */
EXPORT("hash") uint32_t hash_pose(web_player *player, uint32_t hash);
uint32_t hash_pose(web_player *player, uint32_t hash)
{
    const osc_pose *pose = pose_of(player);
    const osc_matrix *model = model_of(player);
    size_t joints = bank.joint_count;
    hash = osc_hash_words(hash, pose->rotations, joints * sizeof *pose->rotations / 4u);
    hash = osc_hash_words(hash, pose->translations, joints * sizeof *pose->translations / 4u);
    if (bank.has_scale)
        hash = osc_hash_words(hash, pose->scales, joints * sizeof *pose->scales / 4u);
    return osc_hash_words(hash, model, joints * sizeof *model / 4u);
}
