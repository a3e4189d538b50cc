/* A track coded by the sparse codec: keys at frames of their own, and what lies between them. */
#ifndef ENCODER_CODECS_SPARSE_CODEC_H
#define ENCODER_CODECS_SPARSE_CODEC_H

#include "base/codec.h"
#include "codecs/keys/key_format.h"
#include "codecs/osc_sparse_arithmetic.h"

/* Of the section that begins at a key, Hermite only: written are the tangent at its start, the one
 * at its end, and the value at its end, as singles. */
enum { ENC_SPARSE_START, ENC_SPARSE_STOP, ENC_SPARSE_END, ENC_SPARSE_PARTS };

typedef struct {
    uint32_t frame;
    enc_key key;
    int32_t value[4]; /* the components of the key, Q20; in Hermite not yet unit */
    int32_t row[4];   /* what the device makes of the key alone */
    uint32_t part[ENC_SPARSE_PARTS][4];
} enc_sparse_key;

typedef struct {
    uint32_t kind, frame_count, restart_log2;
    uint32_t basis;               /* OSC_SPARSE_* */
    uint32_t time_bits, tag_bits; /* of a key */
    enc_key_format format;
    enc_sparse_key *keys; /* of all blocks; a block's last and the next one's first are two */
    uint32_t key_count;
    int32_t *rows; /* [frame][4 or 3] */
    uint32_t bits;
} enc_sparse_track;

/* What the fits of one track work with. */
typedef struct {
    const enc_fit *fit;
    enc_sparse_track *track;
    enc_sparse_key *made; /* [frame]: a key there, once it was asked for */
    uint8_t *known;       /* [frame]: not yet asked for, a key that holds, or one that does not */
    uint32_t *at;         /* frames of the keys of a block; room for all */
    double *error;        /* of the sections between them: squared, where they do not hold */
    uint32_t count;       /* keys of the block */
    uint32_t first, end;  /* frames of the block */
} enc_sparse_work;

/* Chooses the keys of a block, frames `first` to `end`; false where no choice holds. */
bool enc_sparse_fit_block(enc_sparse_work *work);

/* Makes what the device makes of the section between two frames of the block: before and behind are
 * the frames of the keys around them, or those frames again where there is none. */
void enc_sparse_play(enc_sparse_work *work, uint32_t before, uint32_t from, uint32_t to,
                     uint32_t behind);

/* Hermite: the tangents of the section between two frames, and its end, by least squares of the
 * rows between; the end is free only if the track jumps there. */
void enc_sparse_fit_tangents(enc_sparse_work *work, uint32_t from, uint32_t to);

#endif
