/* SPDX-License-Identifier: MIT */
/* Shared rows. The memory contains the chords of all pairs, then the rows, then the seams. */
#include "arithmetic/osc_fixed.h"
#include "bank/osc_internal.h"
#include "osc_crowd.h"
#include "pose/osc_evaluate.h"

#define MOST_WORDS 0x1fffffffu /* 2 GiB */

/* Frames at which a track of a version breaks, each once. */
static uint32_t breaking_frames(const uint32_t *data, uint32_t data_words, uint32_t shape)
{
    osc_clip_parts parts = osc_clip_locate(data, data_words, shape);
    uint32_t frames = 0, previous = 0; /* none breaks at frame 0 */
    for (uint32_t i = 0; i < parts.break_count; i++) {
        uint32_t frame = osc_word(parts.breaks[i]) >> OSC_BREAK_FRAME_SHIFT;
        frames += frame != previous ? 1u : 0u;
        previous = frame;
    }
    return frames;
}

/* The same for all versions of a clip in the tiers in memory. */
static uint32_t breaking_frames_in_tiers(const osc_bank *bank, uint32_t clip, uint32_t blocks)
{
    uint32_t frames = 0;
    for (uint32_t tier = 1; tier <= bank->tier_count; tier++)
        for (uint32_t block = 0; block <= blocks; block++) {
            osc_chunk chunk = bank->tier_code->find(bank, tier, clip, block);
            if (chunk.words != 0 && chunk.codec != 0u)
                frames += breaking_frames(chunk.words + 1, chunk.word_count - 1u,
                                          osc_word(chunk.words[0]));
        }
    return frames;
}

int32_t osc_shared_rows_most_words(const osc_bank *bank, uint32_t clip)
{
    OSC_ASSERT(bank != 0);
    if (clip >= bank->clip_count)
        return OSC_ERROR_NOT_FOUND;
    const uint32_t *entry = bank->clips + clip * OSC_CLIP_ENTRY_WORDS;
    uint32_t shape = osc_clip_shape(entry), offset = osc_clip_offset(entry);
    uint32_t frames = osc_shape_frame_count(shape), row_words = osc_row_words(bank);
    uint32_t blocks = (frames - 1u) >> bank->block_log2; /* may be of different versions */
    uint32_t seams =
        breaking_frames(bank->data + offset, bank->data_words - offset, shape) + blocks + 1u;
    if (bank->tier_code != 0)
        seams += breaking_frames_in_tiers(bank, clip, blocks);
    if (frames + seams > MOST_WORDS / (row_words + bank->rotation_subtracks + 1u))
        return OSC_ERROR_MEMORY;
    return (int32_t)((frames + seams) * row_words + frames * bank->rotation_subtracks + seams);
}

/* The next row, and the end of the free memory. */
typedef struct filling {
    int32_t *next, *end; /* seams are stored from `end` on */
    uint32_t row_words;
} filling;

static bool append(filling *fill, const int32_t *row)
{
    if ((uint32_t)(fill->end - fill->next) < fill->row_words)
        return false;
    osc_copy(fill->next, row, fill->row_words * sizeof *row);
    fill->next += fill->row_words;
    return true;
}

static bool is_last_row(const filling *fill, const int32_t *row)
{
    for (const int32_t *last = fill->next - fill->row_words; last != fill->next; last++, row++)
        if (*last != *row)
            return false;
    return true;
}

static bool append_seam(filling *fill, uint32_t frame)
{
    if (fill->end == fill->next)
        return false;
    *--fill->end = (int32_t)frame;
    return true;
}

/* Appends the rows of the player's pair. A frame's row is on the right of one pair and on the left
 * of the next, and usually the same. */
static bool append_pair(filling *fill, const osc_player *player, uint32_t frame, bool has_right)
{
    const int32_t *left = player->rows[player->left_slot];
    if (frame == 0u || !is_last_row(fill, left))
        if ((frame != 0u && !append_seam(fill, frame)) || !append(fill, left))
            return false;
    return !has_right || append(fill, player->rows[player->left_slot ^ 1u]);
}

int32_t osc_shared_rows_fill(osc_shared_rows *rows, osc_player *player, uint32_t clip,
                             osc_play_mode mode, int32_t *memory, uint32_t memory_words)
{
    OSC_ASSERT(rows != 0 && player != 0 && memory != 0);
    int32_t status = osc_player_start(player, clip, mode);
    if (status != OSC_OK)
        return status;
    const osc_bank *bank = player->bank;
    uint32_t last = osc_shape_frame_count(osc_clip_shape(player->clip)) - 1u;
    uint32_t lefts = player->loop && last > 0u ? last : last + 1u; /* a loop has no last frame */
    uint32_t rotations = bank->rotation_subtracks;
    if (rotations != 0u && lefts > memory_words / rotations)
        return OSC_ERROR_MEMORY;
    filling fill = {memory + lefts * rotations, memory + memory_words, osc_row_words(bank)};
    for (uint32_t frame = 0; frame < lefts; frame++) {
        (void)osc_player_seek_q11(player, (int32_t)(frame << 11));
        osc_copy(memory + frame * rotations, player->chords, rotations * sizeof *memory);
        if (!append_pair(&fill, player, frame, frame < last))
            return OSC_ERROR_MEMORY;
    }
    rows->bank = bank;
    rows->chords = (const uint32_t *)memory;
    rows->rows = memory + lefts * rotations;
    rows->seams = (const uint32_t *)fill.next;
    rows->seam_count = (uint32_t)(memory + memory_words - fill.end);
    rows->row_words = fill.row_words;
    rows->end_q11 = last << 11;
    rows->rotation_count = rotations;
    rows->loop = player->loop;
    for (uint32_t i = 0; i < rows->seam_count; i++)
        fill.next[i] = fill.end[i]; /* in this order, rows are read before they are overwritten */
    return (int32_t)(fill.next + rows->seam_count - memory);
}

OSC_HOT osc_row_pair osc_shared_rows_at(const osc_shared_rows *rows, int32_t position_q11)
{
    OSC_ASSERT(rows != 0);
    uint32_t position = (uint32_t)osc_wrap_or_hold(position_q11, rows->end_q11, rows->loop);
    uint32_t frame = position >> 11, row = frame;
    for (uint32_t i = 0; i < rows->seam_count; i++)
        row += rows->seams[i] <= frame ? 1u : 0u;
    osc_row_pair pair;
    pair.left = rows->rows + row * rows->row_words;
    pair.right = position < rows->end_q11 ? pair.left + rows->row_words : pair.left;
    pair.chords = rows->chords + frame * rows->rotation_count;
    pair.fraction_q11 = position & 2047u;
    return pair;
}

OSC_HOT void osc_shared_rows_evaluate(const osc_shared_rows *rows, int32_t position_q11,
                                      const osc_pose *pose)
{
    osc_row_pair pair = osc_shared_rows_at(rows, position_q11);
    osc_evaluate_pair(rows->bank, &pair, pose);
}
