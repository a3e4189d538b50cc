/* The table of all codecs. */
#ifndef ENCODER_SOLVE_CODEC_TABLE_H
#define ENCODER_SOLVE_CODEC_TABLE_H

#include "codecs/codecs.h"

#define ENC_CODECS (OSC_CODEC_COUNT - 1u)
extern const enc_codec *const enc_codecs[ENC_CODECS];

/* The codec of this number, OSC_CODEC_*; null if there is none. */
const enc_codec *enc_codec_of(uint32_t codec);

#endif
