/* Curve tracks with a key on every frame. */
#ifndef ENCODER_CODECS_CURVE_DENSE_H
#define ENCODER_CODECS_CURVE_DENSE_H

#include "base/codec.h"
#include "codecs/curve/code.h"
#include "codecs/curve/points.h"

typedef struct {
    const enc_fit *fit;
    curve_points points;
    double (*aim)[CURVE_MAX_COMPONENTS];   /* [frame]: coded components in Q20 */
    int32_t (*kept)[CURVE_MAX_COMPONENTS]; /* with the coarsest grid that held so far */
    curve_header header;                   /* of the present values */
    uint8_t *k;                            /* [component][frame]: see curve_points_code */
    uint32_t hint;                         /* a frame at which the last grid failed */
} curve_dense;

/* Codes a track with the coarsest steps that hold. rows: receives [frame][4 or 3]. Returns false
 * without memory, or if the finest steps do not hold; must be released in any case. */
bool curve_dense_fit(curve_dense *dense, const enc_fit *fit, uint32_t packing, int32_t *rows,
                     curve_code *code, bool *out_of_memory);

/* Moves the values of a fit to neighbouring ones that take fewer bits. Replaces rows and code,
 * which may come from sparse keys, if the result takes fewer than `most` bits. */
void curve_dense_smooth(curve_dense *dense, uint32_t most, int32_t *rows, curve_code *code,
                        bool *out_of_memory);
void curve_dense_release(curve_dense *dense);

#endif
