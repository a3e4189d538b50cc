/* The first keys of a track as differences from the base row of the bank. */
#ifndef ENCODER_CODECS_CURVE_FIRST_H
#define ENCODER_CODECS_CURVE_FIRST_H

#include "codecs/curve/code.h"

/* Returns the bits of the first keys. base: the base row's values of the sub-track; *width:
 * receives the width for the header with which they take the fewest. */
uint32_t curve_first_bits(const curve_code *code, const int16_t *base, uint32_t *width);

/* Writes the first keys for a header of that width. */
void curve_put_first(const curve_code *code, const int16_t *base, enc_bit_writer *out);

#endif
