/* The fit of one transform track: what its parts share. */
#ifndef ENCODER_CODECS_TRANSFORM_FITTER_H
#define ENCODER_CODECS_TRANSFORM_FITTER_H

#include "codecs/transform/code.h"
#include "codecs/transform/track.h"

/* The squared length of an error point (enc_error_point) for deviations d of the coded components,
 * Q20: at + 2 slope * d + d * bend * d, which must not exceed 1. bend is symmetric; elements beyond
 * the components are 0. */
typedef struct {
    double at, slope[ENC_TRANSFORM_COMPONENTS];
    double price; /* bits that a unit costs other tracks */
    double bend[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_COMPONENTS];
} enc_transform_quadratic;

/* The weights of the basis in segments of one length: of the chord and of the coefficients by
 * frame, and of the coefficients by order. Unused frames and orders are 0. */
typedef struct {
    double chord[OSC_TRANSFORM_FRAMES];
    double at[ENC_TRANSFORM_ORDERS][OSC_TRANSFORM_FRAMES];
    double of[OSC_TRANSFORM_FRAMES][OSC_TRANSFORM_FRAMES];
} enc_transform_basis;

/* A fit of one track in one packing. */
typedef struct {
    const enc_fit *fit;
    enc_transform_track *track;
    double *values; /* [frame][ENC_TRANSFORM_COMPONENTS]: coded components of the target, Q20;
                       unused ones are 0 */
    enc_transform_quadratic *quadratics; /* [frame][points], at most ENC_TRANSFORM_POINTS */
    uint32_t points;
    enc_transform_basis basis[2]; /* for whole segments, and for the last one */
    enc_slopes axes;              /* derivatives of the rotation by the coded components, */
    double dropped_axis[4];       /* and by the dropped one */
    double holding[ENC_TRANSFORM_COMPONENTS];            /* approximate permitted error, Q20 */
    enc_transform_codes codes[ENC_TRANSFORM_COMPONENTS]; /* for estimates of costs */
    uint32_t hint, end_hint; /* the segment and the end that failed last */
} enc_transform_fitter;

static inline const enc_transform_basis *enc_transform_basis_of(const enc_transform_fitter *fitter,
                                                                uint32_t segment)
{
    return &fitter->basis[segment + 1u == fitter->track->segments ? 1 : 0];
}

#endif
