/* The plain codec: every component of every frame in 32 bits. */
#include "arithmetic/osc_quaternion.h"
#include "bank/osc_codecs.h"
#include "bank/osc_internal.h"

bool osc_plain_valid(const osc_bank *bank, const osc_clip_parts *parts)
{
    uint32_t next = 0, subtracks = osc_subtrack_count(bank);
    if ((parts->header_bits & 31u) != 0u)
        return false;
    for (uint32_t i = 0; i < parts->header_bits >> 5; i++) {
        uint32_t subtrack = osc_word(parts->stream[i]);
        if (subtrack < next || subtrack >= subtracks)
            return false;
        next = subtrack + 1u;
    }
    return true;
}

static void plain_unpack(osc_player *player, uint32_t frame)
{
    osc_clip_parts parts = osc_player_parts(player);
    if ((frame & ((1u << parts.restart_log2) - 1u)) == 0u)
        player->bit_position = osc_clip_block_position(player, &parts, frame >> parts.restart_log2);
    osc_bits bits = osc_clip_stream(&parts, player->bit_position);
    for (uint32_t i = 0; i < parts.header_bits >> 5; i++) {
        uint32_t subtrack = osc_word(parts.stream[i]),
                 offset = osc_subtrack_offset(player->bank, subtrack);
        bool rotation = subtrack < player->bank->rotation_subtracks;
        int32_t *row = player->rows[frame & 1u] + offset;
        for (uint32_t c = 0; c < (rotation ? 4u : 3u); c++)
            row[c] = osc_bits_take_signed(&bits, 32u);
        if (rotation)
            player->chords[subtrack] = osc_chord_q20(player->rows[(frame & 1u) ^ 1u] + offset, row);
    }
    player->bit_position = bits.position;
}

const osc_codec osc_plain_codec = {0, plain_unpack};
