/* Writes the tiers of a bank, and the section that lists them. */
#ifndef ENCODER_WRITER_TIER_WRITER_H
#define ENCODER_WRITER_TIER_WRITER_H

#include "writer/clip_writer.h"

typedef struct {
    enc_word_buffer table;            /* the directory; empty without tiers */
    enc_word_buffer words[ENC_TIERS]; /* the chunks of each tier */
} enc_tier_words;

/* Writes all versions, and the keys of dense clips. keys: [clip][ENC_TIERS]. Returns ENC_OK,
 * ENC_ERROR_MEMORY or ENC_ERROR_TOO_LARGE; to be released in any case. */
int32_t enc_tiers_write(enc_tier_words *out, const enc_bank_content *content,
                        const enc_bit_writer *keys, const enc_subtracks *subtracks,
                        uint32_t *state_words);
void enc_tier_words_release(enc_tier_words *tiers);

#endif
