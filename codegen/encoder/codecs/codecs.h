/* Declares all codecs, those in published/ as well: enc_delta_codec, and so on.
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
#include "bank/osc_codecs.def"
#undef OSC_CODEC

#endif
