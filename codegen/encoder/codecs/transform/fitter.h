/* The fit of one transform track: what its parts share. */
#ifndef ENCODER_CODECS_TRANSFORM_FITTER_H
#define ENCODER_CODECS_TRANSFORM_FITTER_H

#include "codecs/transform/code.h"
#include "codecs/transform/track.h"

/* What a point of the fit (enc_error_point) comes to for coded components that are off by d, Q20:
 * at + 2 slope * d + d * bend * d, up to 1. bend is symmetric; beyond the components all is 0. */
typedef struct {
    double at, slope[ENC_TRANSFORM_COMPONENTS];
    double price; /* in bits of other tracks, of each unit */
    double bend[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_COMPONENTS];
} enc_transform_quadratic;

/* The weights of the basis in segments of one length: of the chord and the coefficients by frame,
 * and of the coefficients by order; 0 where there is no inner frame or no such order. */
typedef struct {
    double chord[OSC_TRANSFORM_FRAMES];
    double at[ENC_TRANSFORM_ORDERS][OSC_TRANSFORM_FRAMES];
    double of[OSC_TRANSFORM_FRAMES][OSC_TRANSFORM_FRAMES];
} enc_transform_basis;

/* A fit of one track in one packing. */
typedef struct {
    const enc_fit *fit;
    enc_transform_track *track;
    double *values; /* [frame][ENC_TRANSFORM_COMPONENTS]: the target's coded components, Q20; 0
                     * beyond them */
    enc_transform_quadratic *quadratics; /* [frame][points], at most ENC_TRANSFORM_POINTS */
    uint32_t points;
    enc_transform_basis basis[2]; /* of whole segments, and of the last one */
    enc_slopes axes;              /* of the rotation's own components by what the packing codes, */
    double dropped_axis[4];       /* and by what it drops */
    double holding[ENC_TRANSFORM_COMPONENTS];            /* how far each may be off about, Q20 */
    enc_transform_codes codes[ENC_TRANSFORM_COMPONENTS]; /* what the search reckons with */
    uint32_t hint, end_hint;                             /* a segment and an end that failed last */
} enc_transform_fitter;

static inline const enc_transform_basis *enc_transform_basis_of(const enc_transform_fitter *fitter,
                                                                uint32_t segment)
{
    return &fitter->basis[segment + 1u == fitter->track->segments ? 1 : 0];
}

#endif
