/* Tracks of the curve codec with a key on every frame. */
#ifndef ENCODER_CURVE_DENSE_H
#define ENCODER_CURVE_DENSE_H

#include "codec.h"
#include "curve_code.h"

/* Codes a track with as coarse steps as hold. rows: [frame][4 or 3], filled. False: the finest
 * steps do not hold, or no memory. */
bool curve_dense_fit(const enc_fit *fit, uint32_t chart, int32_t *rows, curve_code *code,
                     bool *out_of_memory);

#endif
