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

/* The bits that a track of the codec curve saves, or loses, if its first keys differ from the base
 * row. base: that row's values of the sub-track */
int32_t enc_curve_saved_bits(const enc_coded *coded, const int16_t *base);

#endif
