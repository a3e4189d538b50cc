/* Tracks of the curve codec with a key on every frame. */
#ifndef ENCODER_CURVE_DENSE_H
#define ENCODER_CURVE_DENSE_H

#include "codec.h"
#include "curve_code.h"

/* Codes a track whose target holds with steps of 2^shift, in coarser ones where that is possible.
 * chart: not the moving one. rows: [frame][4 or 3], filled. False: it fails, or no memory. */
bool curve_dense_fit(const enc_fit *fit, uint32_t chart, uint32_t shift, int32_t *rows,
                     curve_code *code, bool *out_of_memory);

#endif
