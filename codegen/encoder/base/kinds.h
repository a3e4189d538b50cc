/* The three kinds of tracks: their number of components and their position in a transform. */
#ifndef ENCODER_BASE_KINDS_H
#define ENCODER_BASE_KINDS_H

#include "encoder.h"

static inline uint32_t enc_components(uint32_t kind)
{
    return kind == ENC_ROTATION ? 4u : 3u;
}

/* The index of a kind's first number in a transform of ten. */
static inline uint32_t enc_first(uint32_t kind)
{
    return kind == ENC_ROTATION ? 0u : kind == ENC_TRANSLATION ? 4u : 7u;
}

#endif
