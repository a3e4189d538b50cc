/* SPDX-License-Identifier: MIT */
/* Declarations that the files of the runtime share. */
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

/* The first word of a sub-track in a key row: rotations of four words, then vectors of three.
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

/* The sub-tracks of a kind among the 32 joints around `joint`, a bit each, from a multiple of 32
 * on. There are none beyond the last joint. kind: 0 rotation, 1 translation, 2 scale */
static inline uint32_t osc_subtrack_bits(const osc_bank *bank, uint32_t kind, uint32_t joint)
{
    uint32_t words = (bank->joint_count + 31u) >> 5;
    return osc_word(bank->subtrack_masks[kind * words + (joint >> 5)]);
}

/* Returns whether a joint has an animated sub-track. kind: 0 rotation, 1 translation, 2 scale */
static inline bool osc_has_subtrack(const osc_bank *bank, uint32_t kind, uint32_t joint)
{
    return ((osc_subtrack_bits(bank, kind, joint) >> (joint & 31u)) & 1u) != 0u;
}

/* A shape describes a version of a clip: in the directory, the bank's own version; as the first
 * word of a tier's chunk, the version in that chunk. */
static inline uint32_t osc_shape_codec(uint32_t shape)
{
    return (shape >> OSC_CLIP_CODEC_SHIFT) & OSC_CLIP_CODEC_MASK;
}

static inline uint32_t osc_shape_restart_log2(uint32_t shape)
{
    return (shape >> OSC_CLIP_RESTART_SHIFT) & OSC_CLIP_RESTART_MASK;
}

static inline uint32_t osc_shape_frame_count(uint32_t shape)
{
    return (shape & OSC_CLIP_LAST_FRAME_MASK) + 1u;
}

/* Returns whether a clip is a loop, whose last frame equals its first. */
static inline bool osc_shape_loops(uint32_t shape)
{
    return (shape & OSC_CLIP_LOOP) != 0u;
}

/* Returns whether key rows are differences from a pose of another clip or from the bind pose. */
static inline bool osc_shape_additive(uint32_t shape)
{
    return (shape & OSC_CLIP_ADDITIVE) != 0u;
}

/* The number of frames with a key row of their own. */
static inline uint32_t osc_shape_row_count(uint32_t shape)
{
    return osc_shape_frame_count(shape) - (osc_shape_loops(shape) ? 1u : 0u);
}

static inline uint32_t osc_clip_shape(const uint32_t *entry)
{
    return osc_word(entry[OSC_CLIP_SHAPE]);
}

static inline uint32_t osc_clip_offset(const uint32_t *entry)
{
    return osc_word(entry[OSC_CLIP_PLACE]) & OSC_CLIP_OFFSET_MASK;
}

/* The words of a clip's rate, OSC_RATE_... */
static inline const uint32_t *osc_clip_rate(const osc_bank *bank, const uint32_t *entry)
{
    uint32_t rate = osc_word(entry[OSC_CLIP_PLACE]) >> OSC_CLIP_RATE_SHIFT;
    return bank->rates + rate * OSC_RATE_WORDS;
}

/* Returns whether a clip is the mirror image of the previous clip, and shares its data. */
static inline bool osc_clip_mirrored(const osc_bank *bank, const uint32_t *entry)
{
    return entry != bank->clips &&
           osc_clip_offset(entry) == osc_clip_offset(entry - OSC_CLIP_ENTRY_WORDS);
}

/* Returns whether positions of a clip wrap in this mode. */
static inline bool osc_clip_plays_in_loop(const uint32_t *entry, osc_play_mode mode)
{
    return mode != OSC_PLAY_ONCE &&
           (mode != OSC_PLAY_AS_MADE || osc_shape_loops(osc_clip_shape(entry)));
}

/* The length of a frame at a rate, in microseconds, rounded down; the most for a rate of nearly 0.
 */
static inline uint32_t osc_frame_us(uint32_t rate_q16)
{
    uint32_t rate_q12 = rate_q16 >> 4;
    return rate_q12 != 0u ? (1000000u << 12) / rate_q12 : ~0u;
}

/* A position in a clip, 0..end_q11: positions outside wrap in a loop, and are clamped otherwise. */
static inline int32_t osc_wrap_or_hold(int32_t position_q11, uint32_t end_q11, bool loop)
{
    int32_t end = (int32_t)end_q11;
    if (loop && end > 0) {
        position_q11 %= end;
        return position_q11 < 0 ? position_q11 + end : position_q11;
    }
    if (position_q11 < 0)
        return 0;
    return position_q11 > end ? end : position_q11;
}

/* The data of a clip version, in the layout that all codecs share. */
typedef struct osc_clip_parts {
    const uint32_t *breaks;   /* break_count, ascending */
    const uint32_t *restarts; /* bit offset in the stream of every restart point but the first */
    const uint32_t *stream;   /* track headers, constants, frames */
    uint32_t
        stream_words; /* to the end of DATA, where other clips' data may follow, or of a chunk */
    uint32_t header_bits, break_count, restart_count;
    uint32_t restart_log2; /* frames between restart points */
} osc_clip_parts;

/* Shared by the codecs (osc_clip.c). */

/* Locates the parts of a clip version. data_words: from its first word to the end of the readable
 * words. */
osc_clip_parts osc_clip_locate(const uint32_t *data, uint32_t data_words, uint32_t shape);

/* The same for the version that plays. */
static inline osc_clip_parts osc_player_parts(const osc_player *player)
{
    return osc_clip_locate(player->data, player->data_words, player->shape);
}

/* Like osc_player_rows_to and osc_player_seek_q11, but keep the current version of the clip even if
 * a better version has arrived. OSC_ROWS_NONE: that version is gone or does not have the frame; do
 * not seek in it. */
#define OSC_ROWS_NONE (~0u)
uint32_t osc_player_rows_as_before(const osc_player *player, int32_t position_q11);
void osc_player_seek_as_before(osc_player *player, int32_t position_q11);

/* Moves within the player's pair of rows, even if its version of the clip is gone. Unpacks nothing.
 * fraction_q11: 0..2047, of the pair */
void osc_player_stay(osc_player *player, uint32_t fraction_q11);

/* Chooses the bank's own version of the player's clip. */
static inline void osc_player_take_base(osc_player *player)
{
    uint32_t offset = osc_clip_offset(player->clip);
    player->data = player->bank->data + offset;
    player->data_words = player->bank->data_words - offset;
    player->shape = osc_clip_shape(player->clip);
    player->first_frame = 0;
    player->tier = 0;
}

/* Checks a clip version except its shape: the data, and the headers with the codec's check. */
int32_t osc_clip_check(const osc_bank *bank, uint32_t shape, const uint32_t *data,
                       uint32_t data_words, osc_codec_check *const *checks);

/* A reader on the clip's stream at a bit position. */
static inline osc_bits osc_clip_stream(const osc_clip_parts *parts, uint32_t position)
{
    osc_bits bits = {parts->stream, parts->stream_words - 2u, position};
    return bits;
}

/* The start of a block in the stream: the first block begins where the constants end. */
static inline uint32_t osc_clip_block_position(const osc_player *player,
                                               const osc_clip_parts *parts, uint32_t block)
{
    return block == 0u ? player->first_position : osc_word(parts->restarts[block - 1u]);
}

/* Writes the clip's constant subtracks to both rows, and stores the start of the first block. */
void osc_clip_fill_constants(osc_player *player);

/* Continues a CRC-32 over words as they lie in memory; begin with, and at the end invert, all ones.
 */
uint32_t osc_crc_words(uint32_t crc, const uint32_t *words, size_t count);

#endif
