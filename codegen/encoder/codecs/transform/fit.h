/* Fits the integers of a transform track. */
#ifndef ENCODER_CODECS_TRANSFORM_FIT_H
#define ENCODER_CODECS_TRANSFORM_FIT_H

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

/* Computes both bases for the number of frames of the fitter's track. */
void enc_transform_set_basis(enc_transform_fitter *fitter);

static inline const enc_transform_basis *enc_transform_basis_of(const enc_transform_fitter *fitter,
                                                                uint32_t segment)
{
    return &fitter->basis[segment + 1u == fitter->track->segments ? 1 : 0];
}

/* Computes a row from coded components (Q20) as the device does, and stores it in the track.
 * Returns whether it holds. */
bool enc_transform_row_holds(const enc_transform_fitter *fitter, uint32_t frame,
                             const int32_t *values);

/* Whether the motion between the track's rows is short enough wherever they blend. */
bool enc_transform_blends(const enc_transform_fitter *fitter);

/* Measures the permitted error of each component by trying. */
void enc_transform_probe(enc_transform_fitter *fitter);

/* The approximate bits that the track's deviations cost other tracks. */
double enc_transform_price(const enc_transform_fitter *fitter);

/* Quantises the ends with the present steps. Returns false if one does not hold. */
bool enc_transform_fit_ends(enc_transform_fitter *fitter);

/* Quantises one end with the present steps. Returns false if it does not hold. */
bool enc_transform_fit_end(const enc_transform_fitter *fitter, uint32_t index);

/* Quantises a segment between its ends, as cheaply as the effort permits. Returns false if a frame
 * does not hold. */
bool enc_transform_fit_segment(const enc_transform_fitter *fitter, uint32_t index);

/* Quantises the track with its present steps. Returns false if a frame does not hold. */
bool enc_transform_solve(enc_transform_fitter *fitter);

/* Removes the bits that the quantised track does not need, according to the fitter's codes. Returns
 * false if a frame does not hold exactly. */
bool enc_transform_save(enc_transform_fitter *fitter);

/* Both in one pass, for efforts that do not use the fitter's codes. */
bool enc_transform_fit(enc_transform_fitter *fitter);

#endif
