/* SPDX-License-Identifier: MIT */
/* The transform codec: segments of eight frames, in which each component is a chord between shared
 * ends plus a few coefficients of a basis that vanishes at both ends.
 *
 * The state contains one parsed segment, from which its inner frames and its two ends are
 * evaluated. Within a block (the segments of one restart point) the ends are coded as differences,
 * so a seek to a segment reads the ends of the previous segments and skips their coefficients. */
#include "arithmetic/osc_unit.h"
#include "bank/osc_codecs.h"
#include "bank/osc_internal.h"
#include "codecs/osc_port_rows.h"
#include "codecs/osc_transform_records.h"
#include "codecs/osc_transform_segments.h"

/* state: a header; for each track a word and, for each of its components, three words and a word
 * for each coefficient at most; then OSC_TRANSFORM_END */
enum {
    STATE_SEGMENT, /* the parsed segment, or NO_SEGMENT */
    STATE_CLIP,    /* as in the records */
    STATE_FIRST_TRACK
};
OSC_STATIC_ASSERT(STATE_FIRST_TRACK + 1u == OSC_TRANSFORM_STATE_WORDS, a_word_ends_the_components);
#define NO_SEGMENT 0xffffffffu

OSC_STATIC_ASSERT(OSC_MAX_JOINTS * 10u <= 0x4000u, row_offsets_fit_14_bits);

/* ---- records ---- */

bool osc_transform_valid(const osc_bank *bank, const osc_clip_parts *parts)
{
    osc_transform_reader reader;
    uint32_t subtracks = osc_subtrack_count(bank), words = OSC_TRANSFORM_STATE_WORDS;
    uint32_t clip = osc_transform_begin_records(&reader, parts);
    if (OSC_TRANSFORM_CLIP_RESERVED(clip) != 0u)
        return false;
    for (uint32_t tracks = OSC_TRANSFORM_CLIP_TRACKS(clip); tracks != 0u; tracks--) {
        if (osc_transform_take_record(&reader, bank->rotation_subtracks) >= subtracks)
            return false;
        if (reader.packing > OSC_TRANSFORM_VECTOR ||
            (reader.packing == OSC_TRANSFORM_VECTOR) !=
                (reader.subtrack > bank->rotation_subtracks))
            return false;
        words++;
        for (uint32_t i = 0; i < reader.components; i++)
            words += OSC_COMPONENT_WORDS + OSC_TRANSFORM_MOST(reader.words[i]);
    }
    return words <= bank->state_words && reader.bits.position <= parts->header_bits;
}

static void transform_start(osc_player *player)
{
    osc_transform_reader reader;
    osc_clip_parts parts = osc_player_parts(player);
    uint32_t *state = (uint32_t *)player->state, *at = state + STATE_FIRST_TRACK;
    uint32_t clip = osc_transform_begin_records(&reader, &parts);
    state[STATE_SEGMENT] = NO_SEGMENT;
    state[STATE_CLIP] = clip;
    for (uint32_t tracks = OSC_TRANSFORM_CLIP_TRACKS(clip); tracks != 0u; tracks--) {
        uint32_t subtrack = osc_transform_take_record(&reader, player->bank->rotation_subtracks);
        bool direct = OSC_TRANSFORM_STEP(reader.words[0]) >= OSC_TRANSFORM_DIRECT;
        *at++ = osc_transform_track(osc_subtrack_offset(player->bank, subtrack), reader.packing,
                                    reader.width + 1u, reader.grid + 1u, direct);
        if (tracks != 1u)
            reader.words[reader.components - 1u] += sizeof *at; /* the next track's word */
        for (uint32_t i = 0; i < reader.components; i++) {
            at[OSC_COMPONENT_WORD] = reader.words[i];
            at[OSC_COMPONENT_START] = at[OSC_COMPONENT_CHORD] = 0;
            at += OSC_COMPONENT_WORDS + OSC_TRANSFORM_MOST(reader.words[i]);
        }
    }
    *at = OSC_TRANSFORM_END;
    uint32_t words = player->bank->state_words + (uint32_t)player->spare_words - STATE_FIRST_TRACK;
    player->transposed_at = (uint16_t)osc_transpose_tracks(player->state + STATE_FIRST_TRACK,
                                                           OSC_TRANSFORM_CLIP_TRACKS(clip), words);
}

/* ---- segments ---- */

/* Reads a clip of one frame, whose chords are 0. */
static void take_pose(int32_t *tracks, uint32_t count, osc_bits bits)
{
    int32_t *component = tracks + 1;
    for (; count != 0u; count--) {
        uint32_t track = (uint32_t)component[-1];
        bool transposed = OSC_TRANSFORM_IS_TRANSPOSED((uint32_t)component[OSC_COMPONENT_WORD]);
        for (uint32_t i = OSC_TRANSFORM_TRACK_FOUR(track) + 3u; i != 0u; i--) {
            int32_t start = osc_bits_take_signed(&bits, OSC_TRANSFORM_TRACK_WIDTH(track));
            *osc_transform_numbers(tracks, component, transposed) =
                osc_mul(start, OSC_TRANSFORM_TRACK_GRID(track));
            component += osc_transform_component_words(component);
        }
    }
}

/* The numbers that the platform has moved, or null. */
static inline int32_t *transposed_of(const osc_player *player)
{
    uint32_t at = player->transposed_at;
    return at != 0u ? player->state + STATE_FIRST_TRACK + at : 0;
}

OSC_HOT_TRANSFORM static void parse_segment(osc_player *player, uint32_t wanted)
{
    osc_clip_parts parts = osc_player_parts(player);
    int32_t *tracks = player->state + STATE_FIRST_TRACK;
    uint32_t clip = (uint32_t)player->state[STATE_CLIP], count = OSC_TRANSFORM_CLIP_TRACKS(clip);
    uint32_t segment = (uint32_t)player->state[STATE_SEGMENT];
    uint32_t last = osc_transform_segments(player->row_count) - 1u;
    uint32_t block = (wanted * OSC_TRANSFORM_FRAMES) >> parts.restart_log2;
    uint32_t begin = (block << parts.restart_log2) / OSC_TRANSFORM_FRAMES;
    segment = segment < wanted && segment >= begin ? segment + 1u : begin;
    osc_bits bits = osc_clip_stream(&parts, player->bit_position);
    osc_window_store store;
    if (player->row_count == 1u) {
        bits.position = osc_clip_block_position(player, &parts, 0u);
        take_pose(tracks, count, bits);
    }
    for (; player->row_count != 1u; segment++) {
        uint32_t size = 0;
        if (segment == begin) {
            bits.position = osc_clip_block_position(player, &parts, block);
            osc_window_open(&store, bits);
            osc_transform_take_first_ends(tracks, count, &store);
        } else {
            osc_window_open(&store, bits);
            osc_transform_take_ends(tracks, count, &store);
        }
        bits.position = osc_window_stored_position(&store);
        if (segment != last && !osc_transform_begins_block(segment + 1u, parts.restart_log2))
            size = osc_bits_take(&bits, OSC_TRANSFORM_CLIP_SIZE_BITS(clip));
        player->bit_position = bits.position + size; /* of the next, on every way to it */
        if (segment == wanted)
            break;
        bits.position = player->bit_position;
    }
    uint32_t length = osc_transform_length(player->row_count, wanted);
    osc_window_open(&store, bits);
    osc_clear_coefficients(transposed_of(player));
    if (count != 0u) /* a clip without tracks has no component before the last word */
        osc_transform_take_coefficients(tracks, &store, length == 0u ? 0u : length - 1u);
    player->state[STATE_SEGMENT] = (int32_t)wanted;
}

/* ---- rows ---- */

OSC_HOT_TRANSFORM void osc_transform_finish(int32_t q[4], uint32_t packing)
{
    if (packing >= OSC_TRANSFORM_FOUR) {
        if (packing == OSC_TRANSFORM_FOUR)
            osc_near_unit(q);
        return;
    }
    osc_rebuild(q, packing & 3u, false);
    if (packing >= 4u)
        osc_turn(q, packing >= 8u);
}

/* Evaluates the parsed segment at its frame `frame`. */
OSC_HOT_TRANSFORM OSC_NOINLINE void fill_transform_row(const osc_player *player, int32_t *row,
                                                       const int32_t *previous, uint32_t frame,
                                                       uint32_t length)
{
    static const int16_t left[OSC_TRANSFORM_FRAMES] = {0}, right[OSC_TRANSFORM_FRAMES] = {1024};
    osc_rows rows;
    rows.row = row;
    rows.previous = previous;
    rows.chords = player->chords;
    rows.weights = frame == 0u       ? left
                   : frame == length ? right
                                     : osc_transform_row_weights(length, frame);
    rows.frame = frame;
    rows.length = length;
    osc_fill_tracks(player->state + STATE_FIRST_TRACK,
                    OSC_TRANSFORM_CLIP_TRACKS((uint32_t)player->state[STATE_CLIP]),
                    transposed_of(player), &rows);
}

OSC_HOT_TRANSFORM static void transform_unpack(osc_player *player, uint32_t frame)
{
    uint32_t parsed = (uint32_t)player->state[STATE_SEGMENT];
    uint32_t segment = frame / OSC_TRANSFORM_FRAMES;
    /* a shared end is evaluated in the parsed segment, and the clip's end in the last segment */
    if (segment * OSC_TRANSFORM_FRAMES == frame && segment != 0u &&
        (parsed == segment - 1u || frame == player->row_count - 1u))
        segment--;
    if (segment != parsed)
        parse_segment(player, segment);
    fill_transform_row(player, player->rows[frame & 1u], player->rows[(frame & 1u) ^ 1u],
                       frame - segment * OSC_TRANSFORM_FRAMES,
                       osc_transform_length(player->row_count, segment));
}

const osc_codec osc_transform_codec = {transform_start, transform_unpack};
