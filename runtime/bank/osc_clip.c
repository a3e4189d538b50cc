/* What the codecs share: finding the parts of a clip, and filling in its constant tracks. */
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

OSC_HOT osc_clip_parts osc_clip_locate(const osc_bank *bank, const uint32_t *entry)
{
    osc_clip_parts parts;
    const uint32_t *data = bank->data + osc_clip_offset(entry);
    uint32_t counts = osc_word(data[0]);
    parts.header_bits = counts & OSC_DATA_HEADER_MASK;
    parts.break_count = counts >> OSC_DATA_BREAKS_SHIFT;
    parts.restart_log2 = osc_clip_restart_log2(entry);
    parts.restart_count = (osc_clip_row_count(entry) - 1u) >> parts.restart_log2;
    parts.breaks = data + 1;
    parts.restarts = parts.breaks + parts.break_count;
    parts.stream = parts.restarts + parts.restart_count;
    parts.stream_words = (uint32_t)(bank->data + bank->data_words - parts.stream);
    return parts;
}

void osc_clip_fill_constants(osc_player *player)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_clip_locate(bank, player->clip);
    osc_bits bits = osc_clip_stream(&parts, parts.header_bits);
    uint32_t left = osc_bits_take_rice_unsigned(&bits, OSC_CONSTANT_COUNT_RICE);
    for (uint32_t subtrack = 0; left != 0u; subtrack++, left--) {
        uint32_t gap = osc_bits_take_rice_unsigned(&bits, OSC_CONSTANT_GAP_RICE);
        if (gap >= osc_subtrack_count(bank) - subtrack)
            break; /* a damaged stream: the next one would lie outside the rows */
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
