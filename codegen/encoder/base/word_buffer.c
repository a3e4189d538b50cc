#include "base/word_buffer.h"

#include <stdlib.h>

void enc_words_put(enc_word_buffer *out, uint32_t word)
{
    if (out->count == out->capacity) {
        size_t capacity = out->capacity * 2u + 256u;
        uint32_t *words = realloc(out->words, capacity * sizeof *words);
        if (words == NULL) {
            out->failed = true;
            return;
        }
        out->words = words;
        out->capacity = capacity;
    }
    out->words[out->count++] = word;
}

void enc_words_append(enc_word_buffer *out, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        enc_words_put(out, words[i]);
}

void enc_words_append_bits(enc_word_buffer *out, const enc_bit_writer *bits)
{
    enc_words_append(out, bits->words, (bits->bits + 31u) / 32u);
    out->failed = out->failed || bits->failed;
}

void enc_words_release(enc_word_buffer *out)
{
    free(out->words);
    *out = (enc_word_buffer){0};
}

uint32_t enc_words_crc(uint32_t crc, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        crc ^= words[i];
        for (int bit = 0; bit < 32; bit++)
            crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    return crc;
}
