/* The three kinds of tracks (enc_kind): how many components each has, and where. */
#ifndef ENCODER_BASE_KINDS_H
#define ENCODER_BASE_KINDS_H

#include "encoder.h"

static inline uint32_t enc_components(uint32_t kind)
{
    return kind == ENC_ROTATION ? 4u : 3u;
}

/* Where a kind begins in a transform of ten numbers. */
static inline uint32_t enc_first(uint32_t kind)
{
    return kind == ENC_ROTATION ? 0u : kind == ENC_TRANSLATION ? 4u : 7u;
}

#endif
