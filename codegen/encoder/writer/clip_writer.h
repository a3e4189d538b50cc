/* Writes a version of a clip to a bank. */
#ifndef ENCODER_WRITER_CLIP_WRITER_H
#define ENCODER_WRITER_CLIP_WRITER_H

#include "base/word_buffer.h"
#include "writer/subtracks.h"

/* The clip's shape, as in its entry of the directory. */
uint32_t enc_clip_shape(const enc_clip *clip);

/* Appends the clip's data, without the words of zeros that a reader needs behind it. keys:
 * [ENC_TIERS], empty; receive the keys that the clip has in tiers. *state_words: raised to the
 * words that the clip's codec keeps. Returns ENC_OK, ENC_ERROR_MEMORY or ENC_ERROR_TOO_LARGE. */
int32_t enc_clip_write(enc_word_buffer *out, const enc_clip *clip, const enc_subtracks *subtracks,
                       enc_bit_writer *keys, uint32_t *state_words);

#endif
