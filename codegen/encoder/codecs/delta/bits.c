/* The bits of delta clips. Every frame has a key, so no bits state times. */
#include "codecs/codecs.h"

/* A run of skips belongs to the track after it. */
static void claim_records(enc_account *account)
{
    const osc_clip_parts *parts = &account->parts;
    uint32_t subtrack = 0, from = 0;
    for (uint32_t i = 0; i < parts->header_bits >> 5; i++) {
        uint32_t record = osc_word(parts->stream[i]), to = 32u * i + 32u;
        subtrack += OSC_TRACK_GAP(record);
        if (OSC_TRACK_PACKING(record) == OSC_PACKING_SKIP)
            continue;
        enc_account_claim(account, subtrack++, ENC_BITS_HEADER, from, to);
        from = to;
    }
}

static void claim_row(enc_account *account, void *unused, uint32_t frame, uint32_t row_in_block,
                      osc_bits *bits)
{
    const osc_clip_parts *parts = &account->parts;
    uint32_t subtrack = 0;
    (void)unused;
    (void)frame;
    for (uint32_t i = 0; i < parts->header_bits >> 5; i++) {
        uint32_t record = osc_word(parts->stream[i]), packing = OSC_TRACK_PACKING(record);
        uint32_t from = bits->position;
        subtrack += OSC_TRACK_GAP(record);
        if (packing == OSC_PACKING_SKIP)
            continue;
        if (packing == OSC_PACKING_MOVING && (row_in_block == 0u || osc_bits_take(bits, 1u) != 0u))
            bits->position += 3u;
        for (uint32_t c = 0; c < 3u; c++)
            if (row_in_block == 0u)
                bits->position += OSC_TRACK_WIDTH(record);
            else if (OSC_TRACK_RICE(record, c) != OSC_RICE_ZERO)
                (void)osc_bits_take_rice(bits, OSC_TRACK_RICE(record, c));
        enc_account_claim(account, subtrack++, ENC_BITS_VALUES, from, bits->position);
    }
}

bool enc_account_delta(enc_account *account)
{
    claim_records(account);
    enc_account_rows(account, NULL, claim_row);
    return true;
}
