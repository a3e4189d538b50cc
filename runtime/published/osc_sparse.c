/* SPDX-License-Identifier: MIT */
/* The sparse codec: keys at any frames, and a basis that interpolates between them.
 *
 * All tracks share one stream, with the keys in the order in which they are needed. A track reads
 * ahead and keeps only the position of the last key that it has seen, because a key has fewer bits
 * than the words that it would take in the state.
 */
#include "arithmetic/osc_quaternion.h"
#include "bank/osc_codecs.h"
#include "bank/osc_internal.h"
#include "codecs/osc_headers.h"
#include "published/osc_keys.h"
#include "published/osc_sparse_arithmetic.h"
#include "published/osc_sparse_reader.h"

static int32_t *kept_of(osc_sparse_track *track, uint32_t index)
{
    return (int32_t *)(track + 1) + index * osc_sparse_components(track);
}

/* ---- headers ---- */

bool osc_sparse_valid(const osc_bank *bank, const osc_clip_parts *parts)
{
    uint32_t words = OSC_SPARSE_STATE_WORDS;
    if (parts->header_bits == 0u)
        return true;
    osc_headers headers = osc_headers_open(parts);
    headers.bits.position += OSC_SPARSE_TIME_BITS;
    while (osc_headers_next(&headers, bank)) {
        osc_key_format format;
        uint32_t shape, subtrack = headers.subtrack;
        if (!osc_sparse_take_header(&headers.bits, osc_subtrack_kind(bank, subtrack), &format,
                                    &shape))
            return false;
        words += osc_sparse_track_words(OSC_SPARSE_BASIS(shape),
                                        osc_subtrack_components(bank, subtrack));
    }
    return headers.left == 0u && words <= bank->state_words &&
           headers.bits.position <= parts->header_bits;
}

static void sparse_start(osc_player *player)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_player_parts(player);
    if (parts.header_bits == 0u)
        return;
    osc_headers headers = osc_headers_open(&parts);
    int32_t *at = player->state + OSC_SPARSE_STATE_WORDS;
    player->state[0] =
        (int32_t)OSC_SPARSE_CLIP(headers.left, osc_bits_take(&headers.bits, OSC_SPARSE_TIME_BITS));
    while (osc_headers_next(&headers, bank)) {
        osc_key_format format;
        uint32_t shape, subtrack = headers.subtrack;
        (void)osc_sparse_take_header(&headers.bits, osc_subtrack_kind(bank, subtrack), &format,
                                     &shape);
        at[0] = (int32_t)(format.form | subtrack << OSC_KEY_OWN_SHIFT);
        at[1] = (int32_t)format.range_position;
        at[2] = (int32_t)shape;
        at += osc_sparse_track_words(OSC_SPARSE_BASIS(shape),
                                     osc_subtrack_components(bank, subtrack));
    }
}

/* ---- keys ---- */

/* Reads three tangents or values of a Hermite section, or four for a rotation. */
OSC_HOT_SPARSE static void take_floats(osc_bits *bits, uint32_t count, int32_t *to)
{
    for (; count != 0u; count--)
        *to++ = osc_key_float(osc_bits_take(bits, 32u));
}

/* The same for all but a block's first key; does nothing after the last. */
static void see_next_key(osc_sparse_reader *reader, osc_sparse_track *track)
{
    if (track->seen != reader->end)
        osc_sparse_see_key(reader, track, track->seen + 1u, reader->end);
}

/* Reads the key at a position. */
static void take_sparse_key(const osc_sparse_reader *reader, const osc_sparse_track *track,
                            uint32_t position, int32_t *key)
{
    osc_bits bits = reader->bits;
    bits.position = position;
    osc_key_take(&bits, &track->format, 0, key);
}

/* Returns whether there are rows between the section's keys; its tangents do not matter otherwise.
 */
static bool has_inside(const osc_sparse_track *track)
{
    return track->to - track->from > 1u;
}

/* Reads the Hermite section that begins with the key at a position. */
OSC_HOT_SPARSE static void take_section(const osc_sparse_reader *reader, osc_sparse_track *track,
                                        uint32_t position)
{
    uint32_t components = osc_sparse_components(track);
    osc_bits bits = reader->bits;
    bits.position = position;
    take_floats(&bits, components, kept_of(track, 0));
    if (!has_inside(track))
        return;
    take_floats(&bits, 2u * components, kept_of(track, 2));
    take_floats(&bits, components, kept_of(track, 1));
}

/* Computes the tangents of a section of the other bases. before: the previous key, at frame `when`,
 * or null for the block's first section. */
OSC_HOT_SPARSE static void make_tangents(const osc_sparse_reader *reader, osc_sparse_track *track,
                                         const int32_t *before, uint32_t when)
{
    uint32_t basis = OSC_SPARSE_BASIS(track->shape), components = osc_sparse_components(track);
    const int32_t *left = kept_of(track, 0), *right = kept_of(track, 1);
    int32_t *tangents[2], after[4];
    uint32_t length = osc_sparse_length(basis, left, right, components, track->to - track->from);
    tangents[0] = kept_of(track, 2);
    tangents[1] = kept_of(track, 3);
    for (uint32_t i = 0; i < components; i++)
        tangents[0][i] = tangents[1][i] = osc_sub(right[i], left[i]);
    if (before != 0)
        osc_sparse_tangent(before, left, right, components,
                           osc_sparse_length(basis, before, left, components, track->from - when),
                           length, tangents[0]);
    if (track->seen == track->to)
        return;
    take_sparse_key(reader, track, track->ahead, after);
    osc_sparse_tangent(after, right, left, components,
                       osc_sparse_length(basis, right, after, components, track->seen - track->to),
                       length, tangents[1]);
    for (uint32_t i = 0; i < components; i++)
        tangents[1][i] = osc_sub(0, tangents[1][i]);
}

/* A block's first keys. */
static void start_track(osc_sparse_reader *reader, osc_sparse_track *track, uint32_t frame)
{
    uint32_t basis = OSC_SPARSE_BASIS(track->shape);
    osc_sparse_see_key(reader, track, frame, frame);
    uint32_t position = track->ahead;
    see_next_key(reader, track);
    track->from = frame;
    track->to = track->seen;
    if (basis == OSC_SPARSE_HERMITE)
        take_section(reader, track, position);
    else
        take_sparse_key(reader, track, position, kept_of(track, 0));
    if (track->to == frame || basis == OSC_SPARSE_STEP || basis == OSC_SPARSE_HERMITE)
        return;
    take_sparse_key(reader, track, track->ahead, kept_of(track, 1));
    if (!osc_sparse_looks_ahead(basis))
        return;
    see_next_key(reader, track);
    if (has_inside(track))
        make_tangents(reader, track, 0, 0);
}

/* Goes on to the next section, or to the block's last key. */
static void next_section(osc_sparse_reader *reader, osc_sparse_track *track)
{
    uint32_t basis = OSC_SPARSE_BASIS(track->shape), components = osc_sparse_components(track);
    uint32_t position = track->ahead, when = track->from;
    int32_t *left = kept_of(track, 0), *right = left + components, before[4];
    bool ahead = osc_sparse_looks_ahead(basis);
    track->from = track->to;
    if (ahead)
        track->to = track->seen;
    see_next_key(reader, track);
    if (!ahead)
        track->to = track->seen;
    if (basis == OSC_SPARSE_HERMITE) {
        take_section(reader, track, position);
        return;
    }
    if (basis == OSC_SPARSE_STEP) {
        take_sparse_key(reader, track, position, left);
        return;
    }
    for (uint32_t i = 0; i < components; i++) {
        before[i] = left[i];
        left[i] = right[i];
    }
    if (track->to == track->from)
        return;
    take_sparse_key(reader, track, ahead ? position : track->ahead, right);
    if (ahead && has_inside(track))
        make_tangents(reader, track, before, when);
}

/* ---- rows ---- */

static void fill_sparse_row(osc_sparse_track *track, uint32_t frame, int32_t *row)
{
    uint32_t basis = OSC_SPARSE_BASIS(track->shape), components = osc_sparse_components(track);
    const int32_t *left = kept_of(track, 0);
    if (basis != OSC_SPARSE_STEP && frame != track->from) {
        osc_sparse_section span;
        span.left = left;
        span.right = left + components;
        span.left_tangent = left + 2u * components;
        span.right_tangent = left + 3u * components;
        span.from = track->from;
        span.to = track->to;
        osc_sparse_row(basis, &span, components, frame, row);
        return;
    }
    for (uint32_t i = 0; i < components; i++)
        row[i] = left[i];
    if (basis == OSC_SPARSE_HERMITE && components == 4u)
        osc_unit(row); /* all other keys are */
}

/* The row of `frame`: the first of the block, or the one after the last that was taken. */
static void take_sparse_row(osc_sparse_reader *reader, osc_sparse_track *track, uint32_t frame,
                            bool first, int32_t *row)
{
    if (OSC_SPARSE_BASIS(track->shape) == OSC_SPARSE_EVERY) {
        osc_key_take(&reader->bits, &track->format, 0, row);
        return;
    }
    if (first)
        start_track(reader, track, frame);
    else if (frame == track->to)
        next_section(reader, track);
    fill_sparse_row(track, frame, row);
}

OSC_HOT_SPARSE static void sparse_unpack(osc_player *player, uint32_t frame)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_player_parts(player);
    uint32_t block = frame >> parts.restart_log2, begin = block << parts.restart_log2;
    if (parts.header_bits == 0u)
        return;
    if (frame == begin)
        player->bit_position = osc_clip_block_position(player, &parts, block);
    uint32_t last = player->row_count - 1u, word = (uint32_t)player->state[0];
    osc_sparse_reader reader;
    reader.bits = osc_clip_stream(&parts, player->bit_position);
    reader.time_bits = OSC_SPARSE_CLIP_TIME_BITS(word);
    reader.end =
        (last - begin) >> parts.restart_log2 != 0u ? begin + (1u << parts.restart_log2) : last;
    int32_t *at = player->state + OSC_SPARSE_STATE_WORDS;
    for (uint32_t count = OSC_SPARSE_CLIP_TRACKS(word); count != 0u; count--) {
        osc_sparse_track *track = (osc_sparse_track *)at;
        uint32_t subtrack = OSC_KEY_OWN(track->format.form),
                 offset = osc_subtrack_offset(bank, subtrack);
        int32_t *row = player->rows[frame & 1u] + offset;
        take_sparse_row(&reader, track, frame, frame == begin, row);
        if (subtrack < bank->rotation_subtracks)
            player->chords[subtrack] = osc_chord_q20(player->rows[(frame & 1u) ^ 1u] + offset, row);
        at += osc_sparse_track_words(OSC_SPARSE_BASIS(track->shape), osc_sparse_components(track));
    }
    player->bit_position = reader.bits.position;
}

const osc_codec osc_sparse_codec = {sparse_start, sparse_unpack};
