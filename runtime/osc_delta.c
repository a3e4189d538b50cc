/* The delta codec: every frame, each component the Rice-coded residual against the previous row.
 *
 * The previous two rows are the decoder's whole state: a component on the grid of its track is
 * its own integer, so nothing but the bit position is kept beside the rows.
 */
#include "osc_fixed.h"
#include "osc_internal.h"

bool osc_delta_valid(const osc_bank *bank, const osc_clip_parts *parts)
{
    uint32_t lane = 0, lanes = osc_lane_count(bank);
    if ((parts->header_bits & 31u) != 0u)
        return false;
    for (uint32_t i = 0; i < parts->header_bits >> 5; i++) {
        uint32_t record = osc_word(parts->stream[i]);
        uint32_t chart = OSC_TRACK_CHART(record);
        lane += OSC_TRACK_GAP(record);
        if (chart == OSC_CHART_SKIP)
            continue;
        if (lane >= lanes || chart > OSC_CHART_VECTOR)
            return false;
        bool rotation = lane < bank->rotation_lanes;
        if (rotation != (chart <= OSC_CHART_MOVING))
            return false;
        if (rotation && OSC_TRACK_SHIFT(record) > OSC_ROTATION_SHIFT_MAX)
            return false;
        lane++;
    }
    return true;
}

/* The three components that are coded, by the dropped one; a vector's are those of chart 3. */
static const uint8_t coded_components[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

/* At a restart point: plain numbers. */
static void take_plain(osc_bits *bits, uint32_t record, const uint8_t *coded, int32_t *row)
{
    uint32_t shift = OSC_TRACK_SHIFT(record), width = OSC_TRACK_WIDTH(record);
    for (uint32_t c = 0; c < 3u; c++)
        row[coded[c]] = osc_shl(osc_bits_take_signed(bits, width), shift);
}

/* Residuals against `previous`, or against its extrapolation from the row before, which `row`
 * still holds. `grid` has the low bits of the step clear: the prediction is rounded, because the
 * moving chart also predicts a component that was rebuilt and lies off the grid. */
static inline void take_residuals(osc_bits *bits, uint32_t record, bool extrapolated,
                                  const uint8_t *coded, int32_t *row, const int32_t *previous)
{
    uint32_t shift = OSC_TRACK_SHIFT(record), rice = OSC_TRACK_RICES(record);
    int32_t half = (int32_t)((1u << shift) >> 1), grid = osc_shl(-1, shift);
    for (uint32_t c = 0; c < 3u; c++, rice >>= 4) {
        uint32_t i = coded[c], k = rice & 15u;
        int32_t guess = previous[i];
        if (extrapolated)
            guess = osc_sub(osc_add(guess, guess), row[i]);
        guess = osc_add(guess, half) & grid;
        if (k != OSC_RICE_ZERO)
            guess = osc_add(guess, osc_shl(osc_bits_take_rice(bits, k), shift));
        row[i] = guess;
    }
}

/* The moving chart of one frame: said outright, or the largest component of the previous row. */
static uint32_t take_chart(osc_bits *bits, bool restart, const int32_t *previous, bool *negative)
{
    if (restart || osc_bits_take(bits, 1u) != 0u) {
        uint32_t said = osc_bits_take(bits, 3u);
        *negative = (said & 4u) != 0u;
        return said & 3u;
    }
    uint32_t dropped = osc_largest_component(previous);
    *negative = previous[dropped] < 0;
    return dropped;
}

void osc_delta_unpack(osc_player *player, uint32_t frame)
{
    osc_clip_parts parts = osc_clip_locate(player->bank, player->clip);
    uint32_t frame_in_block = frame & ((1u << parts.restart_log2) - 1u);
    if (frame_in_block == 0u)
        player->bit_position = osc_clip_block_position(player, &parts, frame >> parts.restart_log2);
    osc_bits bits = osc_clip_stream(&parts, player->bit_position);
    int32_t *const row0 = player->rows[frame & 1u];
    const int32_t *const previous0 = player->rows[(frame & 1u) ^ 1u];

    uint32_t lane = 0;
    for (uint32_t i = 0; i < parts.header_bits >> 5; i++) {
        uint32_t record = osc_word(parts.stream[i]), chart = OSC_TRACK_CHART(record);
        lane += OSC_TRACK_GAP(record);
        if (chart == OSC_CHART_SKIP)
            continue;
        uint32_t offset = osc_lane_offset(player->bank, lane++), dropped = chart;
        int32_t *row = row0 + offset;
        const int32_t *previous = previous0 + offset;
        bool negative = false;
        if (chart == OSC_CHART_MOVING)
            dropped = take_chart(&bits, frame_in_block == 0u, previous, &negative);
        const uint8_t *coded = coded_components[dropped < 4u ? dropped : 3u];
        if (frame_in_block == 0u)
            take_plain(&bits, record, coded, row);
        else
            take_residuals(&bits, record, frame_in_block > 1u && OSC_TRACK_LINEAR(record) != 0u,
                           coded, row, previous);
        if (chart != OSC_CHART_VECTOR)
            osc_rebuild(row, dropped, negative);
    }
    player->bit_position = bits.position;
}
