/* SPDX-License-Identifier: MIT */
/* The parts that codecs share: checking a clip's data, finding its parts, and filling in its
 * constant tracks. */
#include "arithmetic/osc_fixed.h"
#include "arithmetic/osc_quaternion.h"
#include "bank/osc_internal.h"

static void take_constant_rotation(osc_bits *bits, int32_t q[4])
{
    uint32_t dropped = osc_bits_take(bits, 2u), shift = osc_bits_take(bits, 5u);
    if (shift > OSC_ROTATION_SHIFT_MAX)
        shift = OSC_ROTATION_SHIFT_MAX;
    for (uint32_t i = 0; i < 4u; i++)
        if (i != dropped)
            q[i] = osc_shl(osc_bits_take_signed(bits, OSC_CONSTANT_ROTATION_WIDTH - shift), shift);
    osc_rebuild(q, dropped, false);
}

static void take_constant_vector(osc_bits *bits, int32_t v[3])
{
    uint32_t shift = osc_bits_take(bits, 5u), width = osc_bits_take(bits, 5u) + 1u;
    for (uint32_t i = 0; i < 3u; i++)
        v[i] = osc_shl(osc_bits_take_signed(bits, width), shift);
}

OSC_HOT osc_clip_parts osc_clip_locate(const uint32_t *data, uint32_t data_words, uint32_t shape)
{
    osc_clip_parts parts;
    uint32_t counts = osc_word(data[0]);
    parts.header_bits = counts & OSC_DATA_HEADER_MASK;
    parts.break_count = counts >> OSC_DATA_BREAKS_SHIFT;
    parts.restart_log2 = osc_shape_restart_log2(shape);
    parts.restart_count = (osc_shape_row_count(shape) - 1u) >> parts.restart_log2;
    parts.breaks = data + 1;
    parts.restarts = parts.breaks + parts.break_count;
    parts.stream = parts.restarts + parts.restart_count;
    parts.stream_words = data_words - 1u - parts.break_count - parts.restart_count;
    return parts;
}

/* Breaks must ascend, lie inside the clip, and fit the player's memory at every frame. */
static bool breaks_valid(const osc_bank *bank, const osc_clip_parts *parts, uint32_t frame_count)
{
    uint32_t previous = 0, same_frame = 0;
    for (uint32_t i = 0; i < parts->break_count; i++) {
        uint32_t entry = osc_word(parts->breaks[i]);
        uint32_t frame = entry >> OSC_BREAK_FRAME_SHIFT;
        if (entry <= previous || frame == 0u || frame >= frame_count ||
            (entry & OSC_BREAK_SUBTRACK_MASK) >= osc_subtrack_count(bank))
            return false;
        same_frame = frame == previous >> OSC_BREAK_FRAME_SHIFT ? same_frame + 1u : 1u;
        if (same_frame > bank->max_held)
            return false;
        previous = entry;
    }
    return true;
}

/* Checks the track headers with the clip's codec. */
static int32_t check_headers(const osc_bank *bank, const osc_clip_parts *parts, uint32_t codec,
                             osc_codec_check *const *checks)
{
    if (codec == 0u || codec > OSC_CODEC_LAST)
        return OSC_ERROR_CLIP;
    if (checks[codec] == 0)
        return OSC_ERROR_CODEC;
    return checks[codec](bank, parts) ? OSC_OK : OSC_ERROR_CLIP;
}

int32_t osc_clip_check(const osc_bank *bank, uint32_t shape, const uint32_t *data,
                       uint32_t data_words, osc_codec_check *const *checks)
{
    uint32_t before_stream = 1u + (osc_word(data[0]) >> OSC_DATA_BREAKS_SHIFT) +
                             ((osc_shape_row_count(shape) - 1u) >> osc_shape_restart_log2(shape));
    if (data_words < before_stream + 2u) /* the reader looks at word pairs */
        return OSC_ERROR_CLIP;
    osc_clip_parts parts = osc_clip_locate(data, data_words, shape);
    if (parts.header_bits >> 5 >= parts.stream_words - 1u)
        return OSC_ERROR_CLIP;
    for (uint32_t i = 0; i < parts.restart_count; i++)
        if (osc_word(parts.restarts[i]) >> 5 >= parts.stream_words)
            return OSC_ERROR_CLIP;
    if (!breaks_valid(bank, &parts, osc_shape_frame_count(shape)))
        return OSC_ERROR_CLIP;
    return check_headers(bank, &parts, osc_shape_codec(shape), checks);
}

void osc_clip_fill_constants(osc_player *player)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_player_parts(player);
    osc_bits bits = osc_clip_stream(&parts, parts.header_bits);
    uint32_t left = osc_bits_take_rice_unsigned(&bits, OSC_CONSTANT_COUNT_RICE);
    for (uint32_t subtrack = 0; left != 0u; subtrack++, left--) {
        uint32_t gap = osc_bits_take_rice_unsigned(&bits, OSC_CONSTANT_GAP_RICE);
        if (gap >= osc_subtrack_count(bank) - subtrack)
            break; /* a damaged stream: the next track would lie outside the rows */
        subtrack += gap;
        int32_t *value = player->rows[0] + osc_subtrack_offset(bank, subtrack);
        int32_t *copy = player->rows[1] + osc_subtrack_offset(bank, subtrack);
        if (subtrack < bank->rotation_subtracks)
            take_constant_rotation(&bits, value);
        else
            take_constant_vector(&bits, value);
        for (uint32_t i = 0; i < osc_subtrack_components(bank, subtrack); i++)
            copy[i] = value[i];
    }
    player->first_position = bits.position;
}
