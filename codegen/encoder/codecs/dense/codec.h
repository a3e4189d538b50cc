/* A track coded by the dense codec: keys of one length at every n-th frame (SPEC.md, 14). */
#ifndef ENCODER_CODECS_DENSE_CODEC_H
#define ENCODER_CODECS_DENSE_CODEC_H

#include "bank/osc_format.h"
#include "base/codec.h"
#include "codecs/keys/key_format.h"

#define ENC_DENSE_PERIOD_MAX 32u

/* A block of a variable track: its rate, and the part of the track's range that its keys use; at
 * rate 0 of that nothing. */
typedef struct {
    uint8_t rate, low[3], size[3];
} enc_dense_block;

/* A key of a variable track. */
typedef struct {
    uint32_t flipped; /* the rotation is written as its negative */
    uint32_t code[3];
} enc_dense_key;

typedef struct {
    enc_key_format format;
    uint32_t frame_count, restart_log2, period;
    int32_t *rows;           /* [frame][4 or 3] */
    enc_key *keys;           /* [frame], those that the period leaves; not of variable tracks */
    enc_dense_block *blocks; /* of variable tracks: [block] */
    enc_dense_key *codes;    /* and [frame]; of blocks with rate 0 the first one counts */
    uint8_t *tiers; /* [frame]: 0 in the clip, or the tier; the same of all tracks. Null: no
                     * tiers */
    uint32_t tier_count;
} enc_dense_track;

static inline uint32_t enc_dense_block_frames(uint32_t frame_count, uint32_t restart_log2)
{
    return restart_log2 < 31u && 1u << restart_log2 < frame_count ? 1u << restart_log2
                                                                  : frame_count;
}

/* Whether a frame has a key, and whether that is at an end of its block. */
bool enc_dense_has_key(const enc_dense_track *track, uint32_t frame);
bool enc_dense_is_end(const enc_dense_track *track, uint32_t frame);

/* The row between the keys of two frames, as the device mixes it. */
void enc_dense_mix(const enc_dense_track *track, uint32_t frame, uint32_t left, uint32_t right,
                   int32_t *row);

/* Null: no memory. */
enc_dense_track *enc_dense_track_new(const enc_key_format *format, uint32_t frame_count,
                                     uint32_t restart_log2, uint32_t period);
void enc_dense_track_release(void *track);

/* The track as the solver takes it, which then owns it: also on null, no memory. */
enc_coded *enc_dense_wrap(enc_dense_track *track);

/* Bits of the track's header and blocks. */
uint32_t enc_dense_bits(const enc_dense_track *track);

/* Makes keys at every n-th frame and at both ends of every block, and the rows of all frames.
 * target: [frame][4 or 3]; not of variable tracks. */
void enc_dense_make_keys(enc_dense_track *track, const double *target);

#endif
