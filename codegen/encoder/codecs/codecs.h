/* All codecs: enc_delta_codec, and so on. */
#ifndef ENCODER_CODECS_CODECS_H
#define ENCODER_CODECS_CODECS_H

#include "bank/osc_internal.h"
#include "base/codec.h"

#define OSC_CODEC(NAME, name, direct) extern const enc_codec enc_##name##_codec;
#include "osc_codecs.def"
#undef OSC_CODEC

#endif
