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
    for (uint32_t i = 0; i < parts->track_count; i++) {
        uint32_t record = osc_word(parts->tracks[i]);
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

static uint32_t largest_component(const int32_t q[4])
{
    uint32_t best = 0, best_size = 0;
    for (uint32_t i = 0; i < 4u; i++) {
        uint32_t size = q[i] < 0 ? 0u - (uint32_t)q[i] : (uint32_t)q[i];
        if (size > best_size) {
            best = i;
            best_size = size;
        }
    }
    return best;
}

/* One frame of a track: which components are coded, and what they are predicted from. */
typedef struct track_step {
    uint32_t record;
    uint32_t components;
    uint32_t dropped;  /* component that is not coded, or >= components */
    bool restart;      /* components are plain numbers */
    bool extrapolated; /* predicted as 2 * previous - the one before, which `row` still holds */
} track_step;

static void take_components(osc_bits *bits, const track_step *step, int32_t *row,
                            const int32_t *previous)
{
    uint32_t shift = OSC_TRACK_SHIFT(step->record), coded = 0;
    int32_t half = (int32_t)((1u << shift) >> 1);
    for (uint32_t i = 0; i < step->components; i++) {
        if (i == step->dropped)
            continue;
        int32_t value;
        if (step->restart) {
            value = osc_bits_take_signed(bits, OSC_TRACK_WIDTH(step->record));
        } else {
            uint32_t k = OSC_TRACK_RICE(step->record, coded);
            int32_t guess = previous[i];
            if (step->extrapolated)
                guess = osc_sub(osc_add(guess, guess), row[i]);
            /* the moving chart predicts a component that was rebuilt, off the grid, too */
            value = osc_add(guess, half) >> shift;
            if (k != OSC_RICE_ZERO)
                value = osc_add(value, osc_bits_take_rice(bits, k));
        }
        row[i] = osc_shl(value, shift);
        coded++;
    }
}

void osc_delta_unpack(osc_player *player, uint32_t frame)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_clip_parts_of(player);
    uint32_t frame_in_block = frame & ((1u << parts.restart_log2) - 1u);
    if (frame_in_block == 0u)
        player->bit_position = osc_word(parts.restarts[frame >> parts.restart_log2]);
    osc_bits bits = osc_clip_stream(player, &parts, player->bit_position);

    uint32_t lane = 0;
    for (uint32_t i = 0; i < parts.track_count; i++) {
        track_step step;
        step.record = osc_word(parts.tracks[i]);
        lane += OSC_TRACK_GAP(step.record);
        uint32_t chart = OSC_TRACK_CHART(step.record);
        if (chart == OSC_CHART_SKIP)
            continue;
        uint32_t offset = osc_lane_offset(bank, lane++);
        int32_t *row = player->rows[frame & 1u] + offset;
        const int32_t *previous = player->rows[(frame & 1u) ^ 1u] + offset;
        step.components = chart == OSC_CHART_VECTOR ? 3u : 4u;
        step.dropped = chart;
        step.restart = frame_in_block == 0u;
        step.extrapolated = frame_in_block > 1u && OSC_TRACK_LINEAR(step.record) != 0u;
        bool negative = false;
        if (chart == OSC_CHART_MOVING) {
            if (step.restart || osc_bits_take(&bits, 1u) != 0u) {
                uint32_t explicit_chart = osc_bits_take(&bits, 3u);
                step.dropped = explicit_chart & 3u;
                negative = (explicit_chart & 4u) != 0u;
            } else {
                step.dropped = largest_component(previous);
                negative = previous[step.dropped] < 0;
            }
        }
        take_components(&bits, &step, row, previous);
        if (chart <= OSC_CHART_MOVING)
            osc_rebuild(row, step.dropped, negative);
    }
    player->bit_position = bits.position;
}
