/* What the files of the runtime share. */
#ifndef OSC_INTERNAL_H
#define OSC_INTERNAL_H

#include "bank/osc_bits.h"
#include "bank/osc_format.h"
#include "ossicle.h"

#define OSC_HELD_WORDS 5u /* number of the sub-track, four components */

static inline uint32_t osc_subtrack_count(const osc_bank *bank)
{
    return (uint32_t)bank->rotation_subtracks + bank->translation_subtracks + bank->scale_subtracks;
}

/* The size of tier i + 1 in words. i: 0, 1 */
static inline uint32_t osc_tier_words(const osc_bank *bank, uint32_t i)
{
    return osc_word(bank->tier_table[i * OSC_TIER_WORDS + OSC_TIER_SIZE_WORDS]);
}

/* Where a sub-track begins in a key row, in words: rotations of four words, then vectors of three.
 */
static inline uint32_t osc_subtrack_offset(const osc_bank *bank, uint32_t subtrack)
{
    return subtrack < bank->rotation_subtracks ? 4u * subtrack
                                               : bank->rotation_subtracks + 3u * subtrack;
}

static inline uint32_t osc_subtrack_components(const osc_bank *bank, uint32_t subtrack)
{
    return subtrack < bank->rotation_subtracks ? 4u : 3u;
}

/* The kind of a sub-track: OSC_KEY_ROTATION, OSC_KEY_TRANSLATION or OSC_KEY_SCALE of osc_keys.h. */
static inline uint32_t osc_subtrack_kind(const osc_bank *bank, uint32_t subtrack)
{
    if (subtrack < bank->rotation_subtracks)
        return 0;
    return subtrack - bank->rotation_subtracks < bank->translation_subtracks ? 1u : 2u;
}

static inline uint32_t osc_row_words(const osc_bank *bank)
{
    return osc_subtrack_offset(bank, osc_subtrack_count(bank));
}

static inline uint32_t osc_bind_words(const osc_bank *bank)
{
    return bank->has_scale ? 10u : 7u;
}

static inline uint32_t osc_parent(const osc_bank *bank, uint32_t joint)
{
    return (osc_word(bank->parents[joint >> 1]) >> (16u * (joint & 1u))) & 0xffffu;
}

/* Whether a joint has an animated sub-track. kind: 0 rotation, 1 translation, 2 scale */
static inline bool osc_has_subtrack(const osc_bank *bank, uint32_t kind, uint32_t joint)
{
    uint32_t words = (bank->joint_count + 31u) >> 5;
    return ((osc_word(bank->subtrack_masks[kind * words + (joint >> 5)]) >> (joint & 31u)) & 1u) !=
           0u;
}

/* The parts of one clip's data that all codecs share. */
typedef struct osc_clip_parts {
    const uint32_t *breaks;   /* break_count, ascending */
    const uint32_t *restarts; /* bit offset in the stream of every restart point but the first */
    const uint32_t *stream;   /* track headers, constants, frames */
    uint32_t stream_words;    /* to the end of DATA: other clips' data may follow */
    uint32_t header_bits, break_count, restart_count;
    uint32_t restart_log2; /* frames between restart points */
} osc_clip_parts;

static inline uint32_t osc_clip_codec(const uint32_t *entry)
{
    return (osc_word(entry[OSC_CLIP_SHAPE]) >> OSC_CLIP_CODEC_SHIFT) & OSC_CLIP_CODEC_MASK;
}

static inline uint32_t osc_clip_restart_log2(const uint32_t *entry)
{
    return (osc_word(entry[OSC_CLIP_SHAPE]) >> OSC_CLIP_RESTART_SHIFT) & OSC_CLIP_RESTART_MASK;
}

static inline uint32_t osc_clip_frame_count(const uint32_t *entry)
{
    return (osc_word(entry[OSC_CLIP_SHAPE]) & OSC_CLIP_LAST_FRAME_MASK) + 1u;
}

/* A loop's last frame is its first. */
static inline bool osc_clip_loops(const uint32_t *entry)
{
    return (osc_word(entry[OSC_CLIP_SHAPE]) & OSC_CLIP_LOOP) != 0u;
}

/* The frames that have a key row of their own. */
static inline uint32_t osc_clip_row_count(const uint32_t *entry)
{
    return osc_clip_frame_count(entry) - (osc_clip_loops(entry) ? 1u : 0u);
}

static inline uint32_t osc_clip_offset(const uint32_t *entry)
{
    return osc_word(entry[OSC_CLIP_PLACE]) & OSC_CLIP_OFFSET_MASK;
}

static inline uint32_t osc_clip_break_count(const osc_bank *bank, const uint32_t *entry)
{
    return osc_word(bank->data[osc_clip_offset(entry)]) >> OSC_DATA_BREAKS_SHIFT;
}

/* Shared by the codecs (osc_clip.c). */

/* Where the parts of a clip lie. */
osc_clip_parts osc_clip_locate(const osc_bank *bank, const uint32_t *entry);

/* A reader on the clip's stream at a bit position. */
static inline osc_bits osc_clip_stream(const osc_clip_parts *parts, uint32_t position)
{
    osc_bits bits = {parts->stream, parts->stream_words - 2u, position};
    return bits;
}

/* Where a block begins in the stream: the first one where the constants end. */
static inline uint32_t osc_clip_block_position(const osc_player *player,
                                               const osc_clip_parts *parts, uint32_t block)
{
    return block == 0u ? player->first_position : osc_word(parts->restarts[block - 1u]);
}

/* Writes the clip's constant subtracks to both rows, and notes where the first block begins. */
void osc_clip_fill_constants(osc_player *player);

#endif
