/* Fits the integers of a transform track. */
#ifndef ENCODER_CODECS_TRANSFORM_FIT_H
#define ENCODER_CODECS_TRANSFORM_FIT_H

#include "codecs/transform/fitter.h"

/* Computes both bases for the number of frames of the fitter's track. */
void enc_transform_set_basis(enc_transform_fitter *fitter);

/* Computes a row from coded components (Q20) as the device does, and stores it in the track.
 * Returns whether it holds. */
bool enc_transform_row_holds(const enc_transform_fitter *fitter, uint32_t frame,
                             const int32_t *values);

/* Returns whether the motion between the track's rows is short enough wherever they blend. */
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
