/* The bits of velocity clips: the time, kind and value of each key. */
#define osc_velocity_codec enc_account_velocity_codec
#define osc_velocity_valid enc_account_velocity_valid
#include "published/osc_velocity.c"

#include "codecs/codecs.h"

static void claim_headers(enc_account *account)
{
    const osc_bank *bank = account->player.bank;
    osc_headers headers = osc_headers_open(&account->parts);
    uint32_t shift = 0, from = headers.bits.position;
    velocity_track unused;
    while (osc_headers_next(&headers, bank)) {
        take_velocity_header(&headers, bank, &shift, &unused);
        enc_account_claim(account, headers.subtrack, ENC_BITS_HEADER, from, headers.bits.position);
        from = headers.bits.position;
    }
}

/* Claims a key, a seed or both, and its duration. */
static void claim_key(enc_account *account, velocity_track *track, bool first, osc_bits *bits)
{
    uint32_t subtrack = SUBTRACK(track->form), from = bits->position;
    bool rotation = subtrack < account->player.bank->rotation_subtracks, seed = first;
    if (!first) {
        osc_bits kind = *bits;
        (void)take_kind(&kind, MOST_KIND(track->form));
        enc_account_claim(account, subtrack, ENC_BITS_KEYS, from, kind.position);
        from = kind.position;
        seed = take_velocity(bits, track, rotation);
    } else {
        track->velocity = (osc_velocity){{0, 0, 0}, OSC_ONE_Q20};
    }
    if (seed) {
        int32_t row[4];
        take_seed(bits, track->form, rotation, row);
    }
    enc_account_claim(account, subtrack, ENC_BITS_VALUES, from, bits->position);
    from = bits->position;
    track->lasts = osc_bits_take_rice_unsigned(bits, GAP_RICE(track->form));
    enc_account_claim(account, subtrack, ENC_BITS_KEYS, from, bits->position);
}

static void claim_row(enc_account *account, void *tracks, uint32_t frame, uint32_t row_in_block,
                      osc_bits *bits)
{
    velocity_track *track = tracks;
    (void)frame;
    for (uint32_t count = (uint32_t)account->player.state[0]; count != 0u; count--, track++) {
        if (row_in_block == 0u || track->lasts == 0u)
            claim_key(account, track, row_in_block == 0u, bits);
        else
            track->lasts--;
    }
}

bool enc_account_velocity(enc_account *account)
{
    claim_headers(account);
    enc_account_rows(account, account->player.state + 1, claim_row);
    return true;
}
