/* The bits of velocity clips: when a key comes, of which kind it is, and what it says. */
#include "codecs/codecs.h"
#include "published/osc_velocity_reader.h"

static void claim_headers(enc_account *account)
{
    const osc_bank *bank = account->player.bank;
    osc_headers headers = osc_headers_open(&account->parts);
    uint32_t shift = 0, from = headers.bits.position;
    osc_velocity_track unused;
    while (osc_headers_next(&headers, bank)) {
        osc_velocity_take_header(&headers, bank, &shift, &unused);
        enc_account_claim(account, headers.subtrack, ENC_BITS_HEADER, from, headers.bits.position);
        from = headers.bits.position;
    }
}

/* A key, a seed or both; then how long it lasts. */
static void claim_key(enc_account *account, osc_velocity_track *track, bool first, osc_bits *bits)
{
    uint32_t subtrack = OSC_VELOCITY_SUBTRACK(track->form), from = bits->position;
    bool rotation = subtrack < account->player.bank->rotation_subtracks, seed = first;
    if (!first) {
        osc_bits kind = *bits;
        (void)osc_velocity_take_kind(&kind, OSC_VELOCITY_MOST_KIND(track->form));
        enc_account_claim(account, subtrack, ENC_BITS_KEYS, from, kind.position);
        from = kind.position;
        seed = osc_velocity_take(bits, track, rotation);
    } else {
        track->velocity = (osc_velocity){{0, 0, 0}, OSC_ONE_Q20};
    }
    if (seed) {
        int32_t row[4];
        osc_velocity_take_seed(bits, track->form, rotation, row);
    }
    enc_account_claim(account, subtrack, ENC_BITS_VALUES, from, bits->position);
    from = bits->position;
    track->lasts = osc_bits_take_rice_unsigned(bits, OSC_VELOCITY_GAP_RICE(track->form));
    enc_account_claim(account, subtrack, ENC_BITS_KEYS, from, bits->position);
}

static void claim_row(enc_account *account, void *tracks, uint32_t frame, uint32_t row_in_block,
                      osc_bits *bits)
{
    osc_velocity_track *track = tracks;
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
