/* The bits of sparse clips: the times and tags of keys, and the keys. */
#include "codecs/codecs.h"
#include "published/osc_sparse_reader.h"

static void claim_headers(enc_account *account)
{
    const osc_bank *bank = account->player.bank;
    osc_headers headers = osc_headers_open(&account->parts);
    headers.bits.position += OSC_SPARSE_TIME_BITS;
    uint32_t from = headers.bits.position;
    while (osc_headers_next(&headers, bank)) {
        osc_key_format format;
        uint32_t shape, kind = osc_subtrack_kind(bank, headers.subtrack);
        (void)osc_sparse_take_header(&headers.bits, kind, &format, &shape);
        enc_account_claim(account, headers.subtrack, ENC_BITS_HEADER, from, headers.bits.position);
        from = headers.bits.position;
    }
}

/* A key with its time, which is clamped to the limits. */
static void claim_timed(enc_account *account, osc_sparse_reader *reader, osc_sparse_track *track,
                        uint32_t earliest, uint32_t latest)
{
    uint32_t subtrack = OSC_KEY_OWN(track->format.form), from = reader->bits.position;
    osc_sparse_see_key(reader, track, earliest, latest);
    enc_account_claim(account, subtrack, ENC_BITS_KEYS, from, track->ahead);
    enc_account_claim(account, subtrack, ENC_BITS_VALUES, track->ahead, reader->bits.position);
}

static void claim_next(enc_account *account, osc_sparse_reader *reader, osc_sparse_track *track)
{
    if (track->seen != reader->end)
        claim_timed(account, reader, track, track->seen + 1u, reader->end);
}

/* The keys that start_track and next_section see. */
static void claim_timed_row(enc_account *account, osc_sparse_reader *reader,
                            osc_sparse_track *track, uint32_t frame, bool first)
{
    bool ahead = osc_sparse_looks_ahead(OSC_SPARSE_BASIS(track->shape));
    if (first) {
        claim_timed(account, reader, track, frame, frame);
        claim_next(account, reader, track);
        track->to = track->seen;
        if (ahead)
            claim_next(account, reader, track);
    } else if (frame == track->to) {
        track->to = track->seen;
        claim_next(account, reader, track);
        if (!ahead)
            track->to = track->seen;
    }
}

static void claim_every(enc_account *account, osc_sparse_reader *reader,
                        const osc_sparse_track *track)
{
    uint32_t from = reader->bits.position;
    reader->bits.position += osc_key_bits(track->format.form, 0);
    enc_account_claim(account, OSC_KEY_OWN(track->format.form), ENC_BITS_VALUES, from,
                      reader->bits.position);
}

static void claim_row(enc_account *account, void *tracks, uint32_t frame, uint32_t row_in_block,
                      osc_bits *bits)
{
    const osc_player *player = &account->player;
    uint32_t word = (uint32_t)player->state[0], log2 = account->parts.restart_log2;
    uint32_t last = player->row_count - 1u, begin = frame - row_in_block;
    int32_t *at = tracks;
    osc_sparse_reader reader = {*bits, OSC_SPARSE_CLIP_TIME_BITS(word), last};
    if ((last - begin) >> log2 != 0u)
        reader.end = begin + (1u << log2);
    for (uint32_t count = OSC_SPARSE_CLIP_TRACKS(word); count != 0u; count--) {
        osc_sparse_track *track = (osc_sparse_track *)at;
        if (OSC_SPARSE_BASIS(track->shape) == OSC_SPARSE_EVERY)
            claim_every(account, &reader, track);
        else
            claim_timed_row(account, &reader, track, frame, row_in_block == 0u);
        at += osc_sparse_track_words(OSC_SPARSE_BASIS(track->shape), osc_sparse_components(track));
    }
    *bits = reader.bits;
}

bool enc_account_sparse(enc_account *account)
{
    claim_headers(account);
    enc_account_rows(account, account->player.state + OSC_SPARSE_STATE_WORDS, claim_row);
    return true;
}
