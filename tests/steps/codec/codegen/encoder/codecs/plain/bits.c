/* The bits of plain clips. */
#include "codecs/codecs.h"

static void claim_row(enc_account *account, void *unused, uint32_t frame, uint32_t row_in_block,
                      osc_bits *bits)
{
    const osc_clip_parts *parts = &account->parts;
    (void)unused;
    (void)frame;
    (void)row_in_block;
    for (uint32_t i = 0; i < parts->header_bits >> 5; i++) {
        uint32_t subtrack = osc_word(parts->stream[i]), from = bits->position;
        bits->position += 32u * osc_subtrack_components(account->player.bank, subtrack);
        enc_account_claim(account, subtrack, ENC_BITS_VALUES, from, bits->position);
    }
}

bool enc_account_plain(enc_account *account)
{
    const osc_clip_parts *parts = &account->parts;
    for (uint32_t i = 0; i < parts->header_bits >> 5; i++)
        enc_account_claim(account, osc_word(parts->stream[i]), ENC_BITS_HEADER, 32u * i,
                          32u * i + 32u);
    enc_account_rows(account, NULL, claim_row);
    return true;
}
