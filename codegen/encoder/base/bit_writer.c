#include "base/bit_writer.h"

#include <stdlib.h>
#include <string.h>

#include "bank/osc_format.h"

void enc_bits_put(enc_bit_writer *out, uint32_t value, uint32_t count)
{
    size_t needed = (out->bits + count + 31u) / 32u;
    if (needed > out->capacity_words) {
        size_t capacity = out->capacity_words * 2u + 8u; /* thousands of tracks have few bits */
        uint32_t *words = realloc(out->words, capacity * sizeof *words);
        if (words == NULL) {
            out->failed = true;
            return;
        }
        memset(words + out->capacity_words, 0, (capacity - out->capacity_words) * sizeof *words);
        out->words = words;
        out->capacity_words = capacity;
    }
    if (count == 0u)
        return;
    uint32_t *word = out->words + out->bits / 32u, at = (uint32_t)(out->bits % 32u);
    value &= UINT32_MAX >> (32u - count);
    word[0] |= value << at;
    if (at + count > 32u)
        word[1] |= value >> (32u - at);
    out->bits += count;
}

void enc_bits_put_rice(enc_bit_writer *out, uint32_t zigzag, uint32_t k)
{
    uint32_t ones = zigzag >> k;
    if (ones < OSC_RICE_ESCAPE) {
        enc_bits_put(out, (1u << ones) - 1u, ones + 1u);
        enc_bits_put(out, zigzag, k);
    } else {
        enc_bits_put(out, (1u << OSC_RICE_ESCAPE) - 1u, OSC_RICE_ESCAPE);
        enc_bits_put(out, zigzag, 32u);
    }
}

void enc_bits_append(enc_bit_writer *out, const enc_bit_writer *from)
{
    for (size_t i = 0; i < from->bits; i += 32u)
        enc_bits_put(out, from->words[i / 32u],
                     from->bits - i < 32u ? (uint32_t)(from->bits - i) : 32u);
    out->failed = out->failed || from->failed;
}

void enc_bits_release(enc_bit_writer *out)
{
    free(out->words);
    memset(out, 0, sizeof *out);
}
