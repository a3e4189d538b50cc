/* One block of a variable track at one rate: the best part of the track's range, its keys, and the
 * rows that the device computes from them. */
#ifndef ENCODER_PUBLISHED_DENSE_BLOCK_H
#define ENCODER_PUBLISHED_DENSE_BLOCK_H

#include "published/dense/codec.h"

#define ENC_DENSE_CONSTANT_BITS 16u /* of a component at rate 0 */
#define ENC_DENSE_BLOCK_MAX 64u     /* most frames in a block of variable tracks */

/* The published rates: none, every one from 3 to 19 bits, and raw values, which here are as fine as
 * rows. */
#define ENC_DENSE_RATES 19u
extern const uint8_t enc_dense_rates[ENC_DENSE_RATES];

/* A value as keys represent it: three components in Q20, and their position in the track's range,
 * in 1/256 of it. */
typedef struct {
    uint32_t flipped; /* the negative of the rotation is written, with a sign bit */
    double value[3], part[3];
} enc_dense_sample;

/* Converts values to samples. values: [count][4 or 3], those for which the format was chosen, or
 * part of them. */
void enc_dense_sample_values(const enc_key_format *format, const double *values, uint32_t count,
                             enc_dense_sample *samples);

/* Codes a block. block: has its rate, 0 or 1..24, and is otherwise 0; receives its range. keys,
 * rows: receive [count] and [count][4 or 3]. Returns false if a row is not a rotation because its
 * three components are longer than one. */
bool enc_dense_code_block(const enc_key_format *format, const enc_dense_sample *samples,
                          uint32_t count, enc_dense_block *block, enc_dense_key *keys,
                          int32_t *rows);

/* The bits of a block of `count` frames. */
uint32_t enc_dense_block_bits(const enc_key_format *format, uint32_t count, uint32_t rate);

#endif
