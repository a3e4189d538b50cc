/* Counts the bits of a clip by track.
 *
 * Every codec has a file bits.c that reads a clip with the runtime's own functions, one track after
 * another, and claims the bits between the positions before and after. */
#ifndef ENCODER_BASE_ACCOUNT_H
#define ENCODER_BASE_ACCOUNT_H

#include "bank/osc_internal.h"
#include "encoder.h"

/* Bits of the bank that tracks may claim. */
typedef struct {
    const uint32_t *words;
    uint32_t bits;
} enc_place;

typedef struct {
    const uint32_t *words; /* of the bank */
    osc_player player;     /* has started the clip */
    osc_clip_parts parts;
    enc_place stream;  /* the clip's own part of the words that its reader can reach */
    uint32_t *claimed; /* a bit for each of the bank */
    uint32_t *bits;    /* [sub-track][ENC_BITS_PARTS], counted so far */
} enc_account;

/* Claims the bits `from` .. `to` - 1 of a place for a sub-track. part: ENC_BITS_*. Bits outside the
 * place, and those that are claimed already, are not counted. */
void enc_account_claim_at(enc_account *account, const enc_place *place, uint32_t subtrack,
                          uint32_t part, uint32_t from, uint32_t to);

/* The same in the clip's stream. */
void enc_account_claim(enc_account *account, uint32_t subtrack, uint32_t part, uint32_t from,
                       uint32_t to);

/* Claims the bits of a frame for all tracks. row_in_block: frames since the last restart point.
 * bits: at the frame's first bit; afterwards behind its last. */
typedef void enc_account_row(enc_account *account, void *tracks, uint32_t frame,
                             uint32_t row_in_block, osc_bits *bits);

/* Calls `row` for all frames in order. Skips frames that begin behind the clip's data, which occur
 * only in damaged banks. */
void enc_account_rows(enc_account *account, void *tracks, enc_account_row *row);

#endif
