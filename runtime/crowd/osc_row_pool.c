/* SPDX-License-Identifier: MIT */
/* Row pools. The memory contains the rows of the clips in the order of their records, without
 * gaps. */
#include "bank/osc_internal.h"
#include "osc_crowd.h"
#include "pose/osc_evaluate.h"

void osc_row_pool_init(osc_row_pool *pool, osc_player *player, osc_row_pool_clip *clips,
                       uint32_t most_clips, int32_t *memory, uint32_t memory_words)
{
    OSC_ASSERT(pool != 0 && player != 0 && clips != 0 && memory != 0);
    pool->player = player;
    pool->clips = clips;
    pool->memory = memory;
    pool->most_clips = most_clips;
    pool->clip_count = 0;
    pool->memory_words = memory_words;
    pool->used_words = 0;
    pool->tick = 0;
}

void osc_row_pool_tick(osc_row_pool *pool)
{
    OSC_ASSERT(pool != 0);
    pool->tick++;
}

/* Returns the ticks since a pose of a clip was last requested. After 0 or 1 ticks, its characters
 * may still be on the screen. */
static uint32_t idle_ticks(const osc_row_pool *pool, const osc_row_pool_clip *record)
{
    return pool->tick - record->tick;
}

static uint32_t longest_idle(const osc_row_pool *pool)
{
    uint32_t longest = 0;
    for (uint32_t i = 1; i < pool->clip_count; i++)
        if (idle_ticks(pool, &pool->clips[i]) > idle_ticks(pool, &pool->clips[longest]))
            longest = i;
    return longest;
}

/* Removes a clip, and moves the clips behind it into its memory. */
static void drop(osc_row_pool *pool, uint32_t index)
{
    osc_row_pool_clip *record = pool->clips + index;
    const uint32_t words = record->words;
    int32_t *to = pool->memory;
    for (uint32_t i = 0; i < index; i++)
        to += pool->clips[i].words;
    pool->used_words -= words;
    for (const int32_t *end = pool->memory + pool->used_words; to != end; to++)
        *to = to[words];
    pool->clip_count--;
    for (const osc_row_pool_clip *last = pool->clips + pool->clip_count; record != last; record++) {
        *record = record[1];
        record->rows.chords -= words;
        record->rows.rows -= words;
        record->rows.seams -= words;
    }
}

/* Removes idle clips until there is room for another clip. Returns false, and removes none, if that
 * does not suffice. */
static bool make_room(osc_row_pool *pool, uint32_t words)
{
    uint32_t busy = 0, busy_words = 0;
    for (uint32_t i = 0; i < pool->clip_count; i++)
        if (idle_ticks(pool, &pool->clips[i]) <= 1u) {
            busy++;
            busy_words += pool->clips[i].words;
        }
    if (busy == pool->most_clips || words > pool->memory_words - busy_words)
        return false;
    while (pool->clip_count == pool->most_clips || words > pool->memory_words - pool->used_words)
        drop(pool, longest_idle(pool));
    return true;
}

/* Unpacks the rows of another clip. Returns null if it has no room. */
static const osc_shared_rows *share(osc_row_pool *pool, uint32_t clip, osc_play_mode mode)
{
    /* For more than 2 GiB this is an error: as an unsigned number, more than any memory. */
    uint32_t most_words = (uint32_t)osc_shared_rows_most_words(pool->player->bank, clip);
    if (!make_room(pool, most_words))
        return 0;
    osc_row_pool_clip *record = pool->clips + pool->clip_count;
    int32_t words = osc_shared_rows_fill(&record->rows, pool->player, clip, mode,
                                         pool->memory + pool->used_words, most_words);
    OSC_ASSERT(words > 0);
    record->words = (uint32_t)words;
    record->clip = clip;
    record->tick = pool->tick;
    pool->used_words += record->words;
    pool->clip_count++;
    return &record->rows;
}

static const osc_shared_rows *find(osc_row_pool *pool, uint32_t clip, osc_play_mode mode)
{
    const osc_bank *bank = pool->player->bank;
    bool loop = osc_clip_plays_in_loop(bank->clips + clip * OSC_CLIP_ENTRY_WORDS, mode);
    osc_row_pool_clip *end = pool->clips + pool->clip_count;
    for (osc_row_pool_clip *record = pool->clips; record != end; record++)
        if (record->clip == clip && record->rows.loop == loop) {
            record->tick = pool->tick;
            return &record->rows;
        }
    return share(pool, clip, mode);
}

OSC_HOT osc_row_pair osc_row_pool_at(osc_row_pool *pool, uint32_t clip, osc_play_mode mode,
                                     int32_t position_q11)
{
    OSC_ASSERT(pool != 0 && clip < pool->player->bank->clip_count);
    const osc_shared_rows *rows = find(pool, clip, mode);
    if (rows != 0)
        return osc_shared_rows_at(rows, position_q11);
    (void)osc_player_start(pool->player, clip, mode);
    (void)osc_player_seek_q11(pool->player, position_q11);
    return osc_player_pair(pool->player);
}

OSC_HOT void osc_row_pool_evaluate(osc_row_pool *pool, uint32_t clip, osc_play_mode mode,
                                   int32_t position_q11, const osc_pose *pose)
{
    osc_row_pair pair = osc_row_pool_at(pool, clip, mode, position_q11);
    osc_evaluate_pair(pool->player->bank, &pair, pose);
}
