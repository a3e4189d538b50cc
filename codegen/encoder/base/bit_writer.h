/* Writes bit streams for the reader of bank/osc_bits.h. */
#ifndef ENCODER_BASE_BIT_WRITER_H
#define ENCODER_BASE_BIT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bank/osc_format.h"

typedef struct {
    uint32_t *words;
    size_t capacity_words;
    size_t bits;
    bool failed; /* out of memory: everything written since is lost */
} enc_bit_writer;

/* Appends the low `count` bits (0..32) of value, least significant bit first. */
void enc_bits_put(enc_bit_writer *out, uint32_t value, uint32_t count);
void enc_bits_put_rice(enc_bit_writer *out, uint32_t zigzag, uint32_t k);
void enc_bits_append(enc_bit_writer *out, const enc_bit_writer *from);
void enc_bits_release(enc_bit_writer *out);

/* The length of a Rice code in bits. */
static inline uint32_t enc_rice_bits(uint32_t zigzag, uint32_t k)
{
    uint32_t ones = zigzag >> k;
    return ones < OSC_RICE_ESCAPE ? ones + 1u + k : OSC_RICE_ESCAPE + 32u;
}

static inline uint32_t enc_zigzag(int32_t value)
{
    return ((uint32_t)value << 1) ^ (uint32_t)(value >> 31);
}

#endif
