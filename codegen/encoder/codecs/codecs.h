/* All codecs. */
#ifndef ENCODER_CODECS_CODECS_H
#define ENCODER_CODECS_CODECS_H

#include "base/codec.h"

extern const enc_codec enc_delta_codec, enc_curve_codec, enc_transform_codec, enc_velocity_codec,
    enc_sparse_codec, enc_dense_codec;

#endif
