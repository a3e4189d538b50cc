/* A growing array of words. */
#ifndef ENCODER_BASE_WORD_BUFFER_H
#define ENCODER_BASE_WORD_BUFFER_H

#include "base/bit_writer.h"

typedef struct {
    uint32_t *words;
    size_t count, capacity;
    bool failed; /* out of memory: everything put since is lost */
} enc_word_buffer;

void enc_words_put(enc_word_buffer *out, uint32_t word);
void enc_words_append(enc_word_buffer *out, const uint32_t *words, size_t count);

/* Appends the bits, and zeros that fill the last word. */
void enc_words_append_bits(enc_word_buffer *out, const enc_bit_writer *bits);
void enc_words_release(enc_word_buffer *out);

/* Continues a CRC-32 over words; begin with, and at the end invert, all ones. */
uint32_t enc_words_crc(uint32_t crc, const uint32_t *words, size_t count);

#endif
