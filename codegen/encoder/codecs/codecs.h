/* All codecs: enc_delta_codec, and so on.
 *
 * enc_account_delta claims the bits of the track headers and frames of a clip. It returns false
 * without memory. */
#ifndef ENCODER_CODECS_CODECS_H
#define ENCODER_CODECS_CODECS_H

#include "bank/osc_internal.h"
#include "base/account.h"
#include "base/codec.h"

#define OSC_CODEC(NAME, name, direct)                                                              \
    extern const enc_codec enc_##name##_codec;                                                     \
    bool enc_account_##name(enc_account *account);
#include "osc_codecs.def"
#undef OSC_CODEC

#define ENC_CODECS (OSC_CODEC_COUNT - 1u)
extern const enc_codec *const enc_codecs[ENC_CODECS];

/* The codec of this number, OSC_CODEC_*; null if there is none. */
const enc_codec *enc_codec_of(uint32_t codec);

#endif
