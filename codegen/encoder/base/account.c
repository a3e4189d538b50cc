/* Claims bits, and visits the frames of a clip. */
#include "base/account.h"

void enc_account_claim_at(enc_account *account, const enc_place *place, uint32_t subtrack,
                          uint32_t part, uint32_t from, uint32_t to)
{
    uint32_t *claimed = account->claimed + (place->words - account->words);
    uint32_t *count = &account->bits[ENC_BITS_PARTS * subtrack + part];
    for (uint32_t i = from; i < to && i < place->bits; i++) {
        uint32_t bit = 1u << (i & 31u);
        *count += (claimed[i >> 5] & bit) == 0u;
        claimed[i >> 5] |= bit;
    }
}

void enc_account_claim(enc_account *account, uint32_t subtrack, uint32_t part, uint32_t from,
                       uint32_t to)
{
    enc_account_claim_at(account, &account->stream, subtrack, part, from, to);
}

void enc_account_rows(enc_account *account, void *tracks, enc_account_row *row)
{
    const osc_clip_parts *parts = &account->parts;
    osc_bits bits = osc_clip_stream(parts, 0);
    for (uint32_t frame = 0; frame < account->player.row_count; frame++) {
        uint32_t block = frame >> parts->restart_log2;
        uint32_t row_in_block = frame - (block << parts->restart_log2);
        if (row_in_block == 0u)
            bits.position = osc_clip_block_position(&account->player, parts, block);
        if (bits.position < account->stream.bits)
            row(account, tracks, frame, row_in_block, &bits);
    }
}
