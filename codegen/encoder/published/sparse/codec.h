/* A track of the sparse codec: keys at its own frames, and the sections between them. */
#ifndef ENCODER_PUBLISHED_SPARSE_CODEC_H
#define ENCODER_PUBLISHED_SPARSE_CODEC_H

#include "base/codec.h"
#include "published/keys/key_format.h"
#include "published/osc_sparse_arithmetic.h"

/* Hermite: a section states, as singles, its tangent at the start, its tangent at the end, and its
 * value at the end. */
enum { ENC_SPARSE_START, ENC_SPARSE_STOP, ENC_SPARSE_END, ENC_SPARSE_PARTS };

typedef struct {
    uint32_t frame;
    enc_key key;
    int32_t value[4]; /* the key's components, Q20; not yet of unit length for Hermite */
    int32_t row[4];   /* as the device computes it from the key alone */
    uint32_t part[ENC_SPARSE_PARTS][4];
} enc_sparse_key;

typedef struct {
    uint32_t kind, frame_count, restart_log2;
    uint32_t basis;               /* OSC_SPARSE_* */
    uint32_t time_bits, tag_bits; /* of each key */
    enc_key_format format;
    enc_sparse_key *keys; /* of all blocks; adjoining blocks share no key */
    uint32_t key_count;
    int32_t *rows; /* [frame][4 or 3] */
    uint32_t bits;
} enc_sparse_track;

/* The state of fitting one track. */
typedef struct {
    const enc_fit *fit;
    enc_sparse_track *track;
    enc_sparse_key *made; /* [frame]: key at that frame, computed on demand */
    uint8_t *known;       /* [frame]: not yet computed, a key that holds, or one that does not */
    uint32_t *at;         /* frames of the keys of the block; room for all frames */
    double *error;        /* of the sections between them: squared error if they do not hold */
    uint32_t count;       /* of the keys of the block */
    uint32_t first, end;  /* of the frames of the block */
} enc_sparse_work;

/* Chooses the keys of a block, frames `first` to `end`. Returns false if no choice holds. */
bool enc_sparse_fit_block(enc_sparse_work *work);

/* Computes the rows of the section between two frames of the block as the device does. before,
 * after: frames of the keys around them, or those frames again if there is none. */
void enc_sparse_play(enc_sparse_work *work, uint32_t before, uint32_t from, uint32_t to,
                     uint32_t after);

/* Hermite: fits the tangents of the section between two frames, and its end value, to the rows
 * between by least squares. The end value is free only if the track jumps there. */
void enc_sparse_fit_tangents(enc_sparse_work *work, uint32_t from, uint32_t to);

#endif
