/* SPDX-License-Identifier: MIT */
/* Moves through a clip: keeps two rows in memory, and holds tracks that break between them. */
#include "arithmetic/osc_quaternion.h"
#include "bank/osc_codecs.h"
#include "bank/osc_internal.h"
#include "pose/osc_moved.h"

uint32_t osc_player_memory_words(const osc_bank *bank)
{
    return 2u * osc_row_words(bank) + bank->rotation_subtracks + OSC_HELD_WORDS * bank->max_held +
           bank->state_words;
}

int32_t osc_player_init(osc_player *player, const osc_bank *bank, int32_t *memory,
                        size_t memory_words)
{
    OSC_ASSERT(player != 0 && bank != 0 && memory != 0);
    uint32_t row_words = osc_row_words(bank);
    if (memory_words < osc_player_memory_words(bank))
        return OSC_ERROR_MEMORY;
    player->bank = bank;
    player->clip = 0;
    player->rows[0] = memory;
    player->rows[1] = memory + row_words;
    player->chords = (uint32_t *)(memory + 2u * row_words);
    player->held = memory + 2u * row_words + bank->rotation_subtracks;
    player->state = player->held + OSC_HELD_WORDS * bank->max_held;
    player->home = player;
    player->exchanged = false;
    player->whole = false;
    player->passes = false;
    size_t spare_words = memory_words - osc_player_memory_words(bank);
    player->spare_words = (uint16_t)(spare_words < 0xffffu ? spare_words : 0xffffu);
    return OSC_OK;
}

/* Corrects the pointers of a copied player. Returns false for a copy without memory of its own. */
OSC_NOINLINE bool settle_copy(osc_player *player)
{
    if (!player->whole)
        return false;
    uintptr_t moved = osc_moved_bytes(player);
    player->rows[0] = osc_moved(player->rows[0], moved);
    player->rows[1] = osc_moved(player->rows[1], moved);
    player->chords = (uint32_t *)osc_moved((int32_t *)player->chords, moved);
    player->held = osc_moved(player->held, moved);
    player->state = osc_moved(player->state, moved);
    player->home = player;
    return true;
}

static inline bool settle(osc_player *player)
{
    return player->home == player || settle_copy(player);
}

/* The words that are 1 in a record of ten words with no difference: w of the rotation, and the
 * scale. */
#define ONES ((1u << 3) | (7u << 7))

/* Fills both rows with the values of sub-tracks that the clip does not animate: the bind pose or,
 * in an additive clip, no difference. */
static void fill_unmoved(osc_player *player)
{
    static const uint8_t first_of_kind[3] = {0, 4, 7}, components_of_kind[3] = {4, 3, 3};
    const osc_bank *bank = player->bank;
    bool additive = osc_shape_additive(player->shape);
    uint32_t offset = 0;
    for (uint32_t kind = 0; kind < 3u; kind++) {
        const uint32_t *bind = bank->bind + first_of_kind[kind];
        for (uint32_t joint = 0; joint < bank->joint_count; joint++) {
            if (osc_has_subtrack(bank, kind, joint))
                for (uint32_t i = 0; i < components_of_kind[kind]; i++, offset++) {
                    int32_t value = (int32_t)osc_word(bind[i]);
                    if (additive)
                        value = (ONES >> (first_of_kind[kind] + i) & 1u) != 0u ? OSC_ONE_Q20 : 0;
                    player->rows[0][offset] = player->rows[1][offset] = value;
                }
            bind += osc_bind_words(bank);
        }
    }
}

static const osc_codec *codec_of(const osc_player *player)
{
    return player->bank->codecs[osc_shape_codec(player->shape)];
}

/* Sets the fields that depend on the version, and forgets the rows of another version. */
static void take_version(osc_player *player)
{
    player->row_count = osc_shape_row_count(player->shape);
    player->closed = osc_shape_loops(player->shape);
    player->primed = false;
    player->left_frame = 0;
}

/* Begins to play the chosen version. */
static void begin_version(osc_player *player)
{
    take_version(player);
    player->held_count = 0;
    player->left_slot = 0;
    for (uint32_t subtrack = 0; subtrack < player->bank->rotation_subtracks; subtrack++)
        player->chords[subtrack] = 0; /* remains 0 for tracks that do not move */
    fill_unmoved(player);
    osc_clip_fill_constants(player);
    const osc_codec *codec = codec_of(player);
    if (codec->start != 0)
        codec->start(player);
}

int32_t osc_player_start(osc_player *player, uint32_t clip, osc_play_mode mode)
{
    if (!settle(player))
        return OSC_ERROR_COPY;
    if (clip >= player->bank->clip_count)
        return OSC_ERROR_NOT_FOUND;
    player->clip = player->bank->clips + clip * OSC_CLIP_ENTRY_WORDS;
    player->clip_number = (uint16_t)clip;
    player->loop = osc_clip_plays_in_loop(player->clip, mode);
    player->fraction_q11 = 0;
    player->block = 0;
    player->key_tiers = 0;
    player->tier_changes = 0;
    osc_player_take_base(player);
    if (player->bank->tier_code != 0)
        (void)player->bank->tier_code->choose(player, 0);
    begin_version(player);
    return OSC_OK;
}

/* A track that breaks at the right row keeps its left value until then. The evaluator has no
 * branch for that: the right row gets a copy, and its own value is kept in `held`. */
OSC_HOT OSC_NOINLINE void hold_breaks_of(osc_player *player, uint32_t right_frame)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_player_parts(player);
    uint32_t low = 0, high = parts.break_count;
    while (low < high) {
        uint32_t middle = (low + high) >> 1;
        if (osc_word(parts.breaks[middle]) >> OSC_BREAK_FRAME_SHIFT < right_frame)
            low = middle + 1u;
        else
            high = middle;
    }
    int32_t *saved = player->held;
    for (; low < parts.break_count; low++, saved += OSC_HELD_WORDS) {
        uint32_t entry = osc_word(parts.breaks[low]);
        if (entry >> OSC_BREAK_FRAME_SHIFT != right_frame)
            break;
        uint32_t subtrack = entry & OSC_BREAK_SUBTRACK_MASK,
                 offset = osc_subtrack_offset(bank, subtrack);
        int32_t *right = player->rows[player->left_slot ^ 1u] + offset;
        const int32_t *left = player->rows[player->left_slot] + offset;
        saved[0] = (int32_t)subtrack;
        if (subtrack < bank->rotation_subtracks)
            player->chords[subtrack] = 0;
        for (uint32_t i = 0; i < osc_subtrack_components(bank, subtrack); i++) {
            saved[1u + i] = right[i];
            right[i] = left[i];
        }
        player->held_count++;
    }
}

static inline void hold_breaks(osc_player *player, uint32_t right_frame)
{
    if (osc_word(player->data[0]) >> OSC_DATA_BREAKS_SHIFT != 0u)
        hold_breaks_of(player, right_frame);
}

OSC_HOT static void release_held(osc_player *player)
{
    const int32_t *saved = player->held;
    for (; player->held_count != 0u; player->held_count--, saved += OSC_HELD_WORDS) {
        uint32_t subtrack = (uint32_t)saved[0];
        int32_t *right =
            player->rows[player->newest_frame & 1u] + osc_subtrack_offset(player->bank, subtrack);
        for (uint32_t i = 0; i < osc_subtrack_components(player->bank, subtrack); i++)
            right[i] = saved[1u + i];
    }
}

static void unpack(osc_player *player, uint32_t frame)
{
    codec_of(player)->unpack(player, frame);
}

/* The row after a loop's last one is the first, which may need the slot of the last. */
OSC_HOT static void unpack_first(osc_player *player)
{
    if (((player->row_count - 1u) & 1u) == 0u) {
        int32_t *last = player->rows[0];
        player->rows[0] = player->rows[1];
        player->rows[1] = last;
        player->exchanged = !player->exchanged;
    }
    player->left_slot = 1;
    player->newest_frame = player->unpacked_from = 0;
    unpack(player, 0);
}

/* A rotation by 360 degrees leads from a quaternion to its negative. The last row is then negated
 * where the loop wraps; no other row depends on it. */
OSC_HOT static void align_wrap(osc_player *player)
{
    int32_t *left = player->rows[player->left_slot];
    const int32_t *right = player->rows[player->left_slot ^ 1u];
    for (uint32_t subtrack = 0; subtrack < player->bank->rotation_subtracks;
         subtrack++, left += 4, right += 4)
        if (!osc_same_hemisphere(left, right)) {
            for (uint32_t i = 0; i < 4u; i++)
                left[i] = osc_sub(0, left[i]);
            player->chords[subtrack] = osc_chord_q20(left, right);
        }
}

static bool reaches_any_frame(uint32_t codec)
{
#define OSC_CODEC(NAME, name, direct) (uint32_t) direct << OSC_CODEC_##NAME |
    const uint32_t codecs =
#include "bank/osc_codecs.def"
        0u;
#undef OSC_CODEC
    return (codecs >> codec & 1u) != 0u;
}

/* The work needed to load the pair of a frame. */
typedef struct pair_plan {
    uint32_t right, restart;
    bool wraps;   /* the row on the right is the first */
    bool follows; /* from the rows in memory; otherwise from the restart point */
} pair_plan;

OSC_INLINE pair_plan plan_pair(const osc_player *player, uint32_t left)
{
    pair_plan plan;
    uint32_t last = player->row_count - 1u;
    uint32_t log2 = osc_shape_restart_log2(player->shape);
    plan.right = left < last ? left + 1u : last;
    plan.wraps = player->closed && left == last;
    plan.restart = (left >> log2) << log2;
    if (reaches_any_frame(osc_shape_codec(player->shape))) /* each is a restart point */
        plan.restart = left;
    plan.follows = player->primed && player->newest_frame <= plan.right &&
                   player->unpacked_from <= left && player->newest_frame + 1u >= plan.restart;
    return plan;
}

/* Loads frames `left` and left + 1 into the rows. The last frame of a clip that does not loop has
 * no right row, because its fraction is zero. */
OSC_HOT OSC_NOINLINE void load_pair(osc_player *player, uint32_t left)
{
    pair_plan plan = plan_pair(player, left);
    release_held(player);
    if (!plan.follows) {
        player->unpacked_from = plan.restart;
        player->newest_frame = plan.restart;
        player->passes = plan.restart + 1u < plan.right;
        unpack(player, plan.restart);
    }
    while (player->newest_frame < plan.right) {
        player->newest_frame++;
        player->passes = player->newest_frame + 1u < plan.right;
        unpack(player, player->newest_frame);
    }
    player->primed = true;
    player->left_frame = left;
    player->left_slot = (uint8_t)(left & 1u);
    if (plan.wraps)
        unpack_first(player);
    if (plan.wraps || plan.right > left)
        hold_breaks(player, left + 1u);
    if (plan.wraps)
        align_wrap(player);
}

/* Returns whether load_next can do the work of load_pair: the row of `left` is the newest, because
 * the previous pair needed it, and there is a row after it. */
static bool is_next(const osc_player *player, uint32_t left)
{
    return player->left_frame + 1u == left && left + 1u < player->row_count &&
           player->held_count == 0u;
}

static void load_next(osc_player *player, uint32_t left)
{
    player->newest_frame = left + 1u;
    unpack(player, left + 1u);
    player->left_frame = left;
    player->left_slot = (uint8_t)(left & 1u);
    hold_breaks(player, left + 1u);
}

/* The position in the clip; its rows, unlike those of a version, may be in several blocks. */
static uint32_t position_in_clip(const osc_player *player, int32_t position_q11)
{
    uint32_t last = osc_clip_shape(player->clip) & OSC_CLIP_LAST_FRAME_MASK;
    return (uint32_t)osc_wrap_or_hold(position_q11, last << 11, player->loop);
}

/* The left row, in the current version. */
static uint32_t left_row(const osc_player *player, uint32_t frame)
{
    uint32_t left = frame - player->first_frame;
    if (player->closed && left == player->row_count)
        left = 0; /* the end of a loop that does not wrap equals its start */
    return left;
}

/* Returns whether a frame may need another version. A bank without tiers never changes. */
static bool may_change(const osc_player *player, uint32_t frame)
{
    return player->tier_changes != player->bank->tier_changes ||
           frame >> player->bank->block_log2 != player->block;
}

OSC_INLINE void update_version(osc_player *player, uint32_t frame)
{
    if (may_change(player, frame) && player->bank->tier_code->choose(player, frame))
        begin_version(player);
}

/* Moves to a position within the current version. Returns the frame in the clip. */
OSC_INLINE int32_t move_to(osc_player *player, uint32_t position_q11)
{
    uint32_t frame = position_q11 >> 11, left = left_row(player, frame);
    player->fraction_q11 = (uint16_t)(position_q11 & 2047u);
    if (player->primed && is_next(player, left))
        load_next(player, left);
    else if (!player->primed || left != player->left_frame)
        load_pair(player, left);
    return (int32_t)frame;
}

OSC_HOT int32_t osc_player_seek_q11(osc_player *player, int32_t position_q11)
{
    OSC_ASSERT(player != 0 && player->clip != 0);
    if (!settle(player))
        return OSC_ERROR_COPY;
    uint32_t position = position_in_clip(player, position_q11);
    update_version(player, position >> 11);
    return move_to(player, position);
}

/* osc_player_rows_to for a player with the right version. */
static uint32_t rows_to(const osc_player *player, uint32_t frame)
{
    uint32_t left = left_row(player, frame);
    if (player->primed && left == player->left_frame)
        return 0;
    pair_plan plan = plan_pair(player, left);
    uint32_t rows = plan.wraps ? 1u : 0u;
    return plan.follows ? rows + plan.right - player->newest_frame
                        : rows + plan.right - plan.restart + 1u;
}

/* Out of line, because most calls need no copy of the player. */
OSC_NOINLINE uint32_t rows_to_other(const osc_player *player, uint32_t frame)
{
    osc_player copy;
    osc_copy(&copy, player, sizeof copy);
    if (copy.bank->tier_code->choose(&copy, frame))
        take_version(&copy);
    return rows_to(&copy, frame);
}

uint32_t osc_player_rows_to(const osc_player *player, int32_t position_q11)
{
    OSC_ASSERT(player != 0 && player->clip != 0);
    uint32_t frame = position_in_clip(player, position_q11) >> 11;
    return may_change(player, frame) ? rows_to_other(player, frame) : rows_to(player, frame);
}

int32_t osc_player_approach_q11(osc_player *player, int32_t position_q11, uint32_t most_rows)
{
    OSC_ASSERT(player != 0 && player->clip != 0);
    if (!settle(player))
        return OSC_ERROR_COPY;
    uint32_t frame = position_in_clip(player, position_q11) >> 11;
    if (most_rows < OSC_APPROACH_LEAST_ROWS)
        most_rows = OSC_APPROACH_LEAST_ROWS;
    update_version(player, frame);
    if (rows_to(player, frame) <= most_rows) {
        (void)osc_player_seek_q11(player, position_q11);
        return 0;
    }
    pair_plan plan = plan_pair(player, left_row(player, frame));
    load_pair(player, (plan.follows ? player->newest_frame + 1u : plan.restart) + most_rows - 2u);
    return (int32_t)rows_to(player, frame);
}

/* Returns whether the current version is still in memory and has a frame. The bank's own version
 * always is, but counts as gone if it has keys in tiers. */
static bool has_version(const osc_player *player, uint32_t frame)
{
    const osc_bank *bank = player->bank;
    uint32_t block = player->first_frame >> bank->block_log2;
    if (player->tier == 0u)
        return player->key_tiers == 0u;
    return frame - player->first_frame < osc_shape_frame_count(player->shape) &&
           bank->tier_code->find(bank, player->tier, player->clip_number, block).words ==
               player->data - 1;
}

uint32_t osc_player_rows_as_before(const osc_player *player, int32_t position_q11)
{
    uint32_t frame = position_in_clip(player, position_q11) >> 11;
    return player->primed && has_version(player, frame) ? rows_to(player, frame) : OSC_ROWS_NONE;
}

void osc_player_seek_as_before(osc_player *player, int32_t position_q11)
{
    if (settle(player))
        (void)move_to(player, position_in_clip(player, position_q11));
}

void osc_player_stay(osc_player *player, uint32_t fraction_q11)
{
    if (!player->primed || !settle(player))
        return;
    uint32_t frame = player->first_frame + player->left_frame;
    uint32_t position = position_in_clip(player, (int32_t)(frame << 11 | fraction_q11));
    player->fraction_q11 = (uint16_t)(position & 2047u);
}

int32_t osc_clip_position_q11(const osc_clip_info *info, int32_t time_us)
{
    uint32_t size = time_us < 0 ? 0u - (uint32_t)time_us : (uint32_t)time_us;
    uint32_t position = osc_mulhi_u32(size, info->position_per_us_q32);
    if (time_us >= 0)
        return (int32_t)position;
    bool whole = size * info->position_per_us_q32 == 0u;
    return (int32_t)(whole ? 0u - position : ~position);
}
