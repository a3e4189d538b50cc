#include "base/archive.h"

#include <stdlib.h>
#include <string.h>

/* Takes words from the archive. Returns null, and discards the rest, if it has too few. */
static const uint32_t *take(enc_archive *archive, size_t count)
{
    const uint32_t *words = archive->words;
    if (archive->failed || count > archive->left) {
        archive->failed = true;
        archive->left = 0;
        return NULL;
    }
    archive->words += count;
    archive->left -= count;
    return words;
}

void enc_archive_words(enc_archive *archive, void *numbers, size_t count)
{
    if (archive->words == NULL) {
        enc_words_append(&archive->out, numbers, count);
        return;
    }
    const uint32_t *words = take(archive, count);
    if (words != NULL)
        memcpy(numbers, words, count * sizeof *words);
    else
        memset(numbers, 0, count * sizeof *words);
}

void enc_archive_bytes(enc_archive *archive, uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i += 4u) {
        size_t some = count - i < 4u ? count - i : 4u;
        uint32_t word = 0;
        for (size_t j = 0; j < some; j++)
            word |= (uint32_t)bytes[i + j] << 8u * j;
        enc_archive_word(archive, &word);
        for (size_t j = 0; j < some; j++)
            bytes[i + j] = (uint8_t)(word >> 8u * j);
    }
}

void enc_archive_doubles(enc_archive *archive, double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t number;
        memcpy(&number, &numbers[i], sizeof number);
        uint32_t halves[2] = {(uint32_t)number, (uint32_t)(number >> 32)};
        enc_archive_words(archive, halves, 2);
        number = halves[0] | (uint64_t)halves[1] << 32;
        memcpy(&numbers[i], &number, sizeof number);
    }
}

void enc_archive_flag(enc_archive *archive, bool *flag)
{
    uint32_t word = *flag;
    enc_archive_word(archive, &word);
    *flag = word != 0u;
}

/* Returns a new array for `count` elements that take this number of words in the archive. */
static void *new_array(enc_archive *archive, size_t count, size_t element_bytes, size_t words)
{
    void *array = NULL;
    if (!archive->failed && words <= archive->left)
        array = calloc(count != 0u ? count : 1u, element_bytes);
    archive->failed = archive->failed || array == NULL;
    return array;
}

void *enc_archive_array(enc_archive *archive, void *array, size_t count, size_t each)
{
    if (archive->words != NULL) {
        size_t most = archive->left / each;
        array = new_array(archive, count, each * sizeof(uint32_t),
                          count <= most ? count * each : archive->left + 1u);
        if (array == NULL)
            return NULL;
    }
    enc_archive_words(archive, array, count * each);
    return array;
}

uint8_t *enc_archive_byte_array(enc_archive *archive, uint8_t *array, size_t count)
{
    if (archive->words != NULL) {
        array = new_array(archive, count, 1, count / 4u);
        if (array == NULL)
            return NULL;
    }
    enc_archive_bytes(archive, array, count);
    return array;
}

void enc_archive_bits(enc_archive *archive, enc_bit_writer *bits)
{
    uint32_t count = (uint32_t)bits->bits;
    enc_archive_word(archive, &count);
    size_t words = (count + (size_t)31u) / 32u;
    bits->words = enc_archive_array(archive, bits->words, words, 1);
    if (archive->words != NULL) {
        bits->capacity_words = words;
        bits->bits = count;
    }
}
