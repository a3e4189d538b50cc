/* SPDX-License-Identifier: MIT */
/* The delta codec: every frame stores each component as a Rice-coded residual against the previous
 * row.
 *
 * The previous two rows are the decoder's whole state: a component on the grid of its track is its
 * own integer, so only the bit position is kept in addition to the rows.
 */
#include "bank/osc_codecs.h"
#include "bank/osc_internal.h"
#include "bank/osc_window.h"
#include "port/osc_port.h"

bool osc_delta_valid(const osc_bank *bank, const osc_clip_parts *parts)
{
    uint32_t subtrack = 0, subtracks = osc_subtrack_count(bank);
    if ((parts->header_bits & 31u) != 0u)
        return false;
    for (uint32_t i = 0; i < parts->header_bits >> 5; i++) {
        uint32_t record = osc_word(parts->stream[i]);
        uint32_t packing = OSC_TRACK_PACKING(record);
        subtrack += OSC_TRACK_GAP(record);
        if (packing == OSC_PACKING_SKIP)
            continue;
        if (subtrack >= subtracks || packing > OSC_PACKING_VECTOR)
            return false;
        bool rotation = subtrack < bank->rotation_subtracks;
        if (rotation != (packing <= OSC_PACKING_MOVING))
            return false;
        if (rotation && OSC_TRACK_SHIFT(record) > OSC_ROTATION_SHIFT_MAX)
            return false;
        subtrack++;
    }
    return true;
}

/* The three coded components, by the dropped component or the packing. */
OSC_HOT_DATA static const uint8_t coded_components[OSC_PACKING_VECTOR + 1u][4] = {
    {1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}, {0}, {0, 1, 2}};

/* Reads a block's first row: plain numbers. */
OSC_HOT_DELTA static void unpack_plain(const osc_player *player, const osc_clip_parts *parts,
                                       osc_bits *bits, int32_t *row0, const int32_t *previous0)
{
    uint32_t subtrack = 0;
    for (uint32_t i = 0; i < parts->header_bits >> 5; i++) {
        uint32_t record = osc_word(parts->stream[i]), packing = OSC_TRACK_PACKING(record);
        uint32_t shift = OSC_TRACK_SHIFT(record), width = OSC_TRACK_WIDTH(record);
        subtrack += OSC_TRACK_GAP(record);
        if (packing == OSC_PACKING_SKIP)
            continue;
        uint32_t offset = osc_subtrack_offset(player->bank, subtrack), dropped = packing;
        int32_t *row = row0 + offset;
        bool negative = false;
        if (packing == OSC_PACKING_MOVING) {
            uint32_t header = osc_bits_take(bits, 3u);
            dropped = header & 3u;
            negative = (header & 4u) != 0u;
        }
        const uint8_t *coded = coded_components[dropped];
        for (uint32_t c = 0; c < 3u; c++)
            row[coded[c]] = osc_shl(osc_bits_take_signed(bits, width), shift);
        if (packing != OSC_PACKING_VECTOR) {
            osc_rebuild(row, dropped, negative);
            player->chords[subtrack] = osc_chord_q20(previous0 + offset, row);
        }
        subtrack++;
    }
}

/* Reads coded component c: the residual against `previous`, or against its extrapolation from the
 * row before, which *value still contains. */
OSC_INLINE int32_t take_delta_component(osc_window *window, uint32_t record, bool rounded,
                                        uint32_t c, int32_t *value, int32_t previous)
{
    uint32_t k = OSC_TRACK_RICE(record, c);
    int32_t guess = previous;
    if ((record & OSC_TRACK_LINEAR_BIT) != 0u)
        guess = osc_sub(osc_add(previous, previous), *value);
    if (rounded) {
        uint32_t shift = OSC_TRACK_SHIFT(record);
        guess = osc_add(guess, (int32_t)((1u << shift) >> 1)) & osc_shl(-1, shift);
    }
    if (!OSC_UNLIKELY(k == OSC_RICE_ZERO))
        guess = osc_add(guess, osc_shl(osc_window_take_rice(window, k), OSC_TRACK_SHIFT(record)));
    *value = guess;
    return guess;
}

/* Rebuilds the dropped component from three that are multiples of the step. */
static inline int32_t rebuild_on_grid_q20(uint32_t record, int32_t a, int32_t b, int32_t c)
{
    if (OSC_TRACK_SHIFT(record) < OSC_ROOT_COARSE)
        return osc_rebuild_q20(a, b, c);
    uint32_t m_q28 = osc_root_coarse_q28(a, b, c);
    return m_q28 < OSC_ROOT_NEAR_LENGTH_Q28 ? osc_root_near_q20(m_q28) : osc_rebuild_q20(a, b, c);
}

/* Reads a vector, or a rotation in a fixed packing, whose coded components are multiples of the
 * step. */
OSC_HOT_DELTA OSC_NOINLINE void take_fixed(osc_window_store *store, uint32_t record, int32_t *row,
                                           const int32_t *previous)
{
    osc_window window = osc_window_resume(store);
    uint32_t packing = OSC_TRACK_PACKING(record);
    const uint8_t *coded = coded_components[packing];
    uint32_t x = coded[0], y = coded[1], z = coded[2];
    int32_t a = take_delta_component(&window, record, false, 0, &row[x], previous[x]);
    int32_t b = take_delta_component(&window, record, false, 1u, &row[y], previous[y]);
    int32_t c = take_delta_component(&window, record, false, 2u, &row[z], previous[z]);
    osc_window_suspend(&window);
    if (packing != OSC_PACKING_VECTOR)
        row[packing] =
            OSC_SQRT ? osc_rebuild_here_q20(a, b, c) : rebuild_on_grid_q20(record, a, b, c);
}

/* Reads a rotation in the moving packing: a bit of 0 means that the largest component of the
 * previous row is dropped. Components that were rebuilt in earlier rows are off the grid, to which
 * the prediction is rounded. */
OSC_HOT_DELTA OSC_NOINLINE void take_moving(osc_window_store *store, uint32_t record, int32_t *row,
                                            const int32_t *previous)
{
    osc_window window = osc_window_resume(store);
    uint32_t dropped;
    bool negative;
    if (osc_window_take(&window, 1u) != 0u) {
        uint32_t header = osc_window_take(&window, 3u);
        dropped = header & 3u;
        negative = (header & 4u) != 0u;
    } else {
        dropped = osc_largest_component(previous);
        negative = previous[dropped] < 0;
    }
    const uint8_t *coded = coded_components[dropped];
    for (uint32_t c = 0; c < 3u; c++)
        (void)take_delta_component(&window, record, true, c, &row[coded[c]], previous[coded[c]]);
    osc_window_suspend(&window);
    osc_rebuild(row, dropped, negative);
}

/* Reads any other row. linear: all bits; in a block's second row, all but that bit. */
OSC_HOT_DELTA static void unpack_residuals(const osc_player *player, const osc_clip_parts *parts,
                                           osc_bits *bits, int32_t *row0, const int32_t *previous0,
                                           uint32_t linear)
{
    uint32_t subtrack = 0, rotation_subtracks = player->bank->rotation_subtracks;
    uint32_t *chords = player->chords;
    osc_window_store store;
    osc_window_open(&store, *bits);
    const uint32_t *track = parts->stream, *const end = track + (parts->header_bits >> 5);
    for (; track != end; track++) {
        uint32_t record = osc_word(*track) & linear, packing = OSC_TRACK_PACKING(record);
        subtrack += OSC_TRACK_GAP(record);
        if (packing < OSC_PACKING_VECTOR) {
            int32_t *row = row0 + 4u * subtrack;
            const int32_t *previous = previous0 + 4u * subtrack;
            if (packing == OSC_PACKING_MOVING)
                take_moving(&store, record, row, previous);
            else
                take_fixed(&store, record, row, previous);
            chords[subtrack++] = osc_chord_q20(previous, row);
        } else if (packing == OSC_PACKING_VECTOR) {
            uint32_t offset = 3u * subtrack++ + rotation_subtracks;
            take_fixed(&store, record, row0 + offset, previous0 + offset);
        }
    }
    bits->position = osc_window_stored_position(&store);
}

OSC_HOT_DELTA static void delta_unpack(osc_player *player, uint32_t frame)
{
    osc_clip_parts parts = osc_player_parts(player);
    uint32_t frame_in_block = frame & ((1u << parts.restart_log2) - 1u);
    if (frame_in_block == 0u)
        player->bit_position = osc_clip_block_position(player, &parts, frame >> parts.restart_log2);
    osc_bits bits = osc_clip_stream(&parts, player->bit_position);
    int32_t *row = player->rows[frame & 1u];
    const int32_t *previous = player->rows[(frame & 1u) ^ 1u];
    if (frame_in_block == 0u)
        unpack_plain(player, &parts, &bits, row, previous);
    else
        unpack_residuals(player, &parts, &bits, row, previous,
                         frame_in_block > 1u ? ~0u : ~OSC_TRACK_LINEAR_BIT);
    player->bit_position = bits.position;
}

const osc_codec osc_delta_codec = {0, delta_unpack};
