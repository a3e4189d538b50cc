/* Writes or reads an encoded clip: one description of the fields serves both directions. All data
 * are words, so that machines of any byte order can exchange encoded clips.
 *
 * The input is untrusted. Arrays are allocated only if the archive has their words; after the first
 * failure all numbers read as zeros and arrays are null. Numbers are unchecked: the reader requires
 * (enc_archive_require) the properties that it relies on. */
#ifndef ENCODER_BASE_ARCHIVE_H
#define ENCODER_BASE_ARCHIVE_H

#include "base/word_buffer.h"

typedef struct {
    enc_word_buffer out;   /* written so far */
    const uint32_t *words; /* still to be read; null: this archive is written */
    size_t left;
    bool failed; /* too few words, unsound ones, or no memory for their arrays */
} enc_archive;

/* Numbers of 32 bits, with or without a sign. */
void enc_archive_words(enc_archive *archive, void *numbers, size_t count);
void enc_archive_bytes(enc_archive *archive, uint8_t *bytes, size_t count);
void enc_archive_doubles(enc_archive *archive, double *numbers, size_t count);
void enc_archive_flag(enc_archive *archive, bool *flag);

/* Fails reading unless the values read are sound. */
static inline void enc_archive_require(enc_archive *archive, bool sound)
{
    archive->failed = archive->failed || !sound;
}

/* A number of 32 bits. */
static inline void enc_archive_word(enc_archive *archive, void *number)
{
    enc_archive_words(archive, number, 1);
}

/* An array of `count` structures that consist of `each` words, or of bytes. Returns the given array
 * or, when reading, a new one, to be released with free(). */
void *enc_archive_array(enc_archive *archive, void *array, size_t count, size_t each);
uint8_t *enc_archive_byte_array(enc_archive *archive, uint8_t *array, size_t count);

/* Written bits. */
void enc_archive_bits(enc_archive *archive, enc_bit_writer *bits);

#endif
