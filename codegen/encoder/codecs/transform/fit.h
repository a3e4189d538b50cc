/* Integers of a transform track that hold. */
#ifndef ENCODER_CODECS_TRANSFORM_FIT_H
#define ENCODER_CODECS_TRANSFORM_FIT_H

#include "codecs/transform/fitter.h"

/* Sets both bases for the frames of the fitter's track. */
void enc_transform_set_basis(enc_transform_fitter *fitter);

/* Makes a row of coded components (Q20) as the device does, and keeps it as the track's; whether it
 * holds. */
bool enc_transform_row_holds(const enc_transform_fitter *fitter, uint32_t frame,
                             const int32_t *values);

/* Whether the steps between the track's rows are short enough wherever they blend. */
bool enc_transform_blends(const enc_transform_fitter *fitter);

/* Measures how far each component may be off, by trying. */
void enc_transform_probe(enc_transform_fitter *fitter);

/* What the track's deviations cost other tracks, in bits, about. */
double enc_transform_price(const enc_transform_fitter *fitter);

/* Quantises the ends with the present steps; false when one does not hold. */
bool enc_transform_fit_ends(enc_transform_fitter *fitter);

/* Quantises one end with the present steps; false when it does not hold. */
bool enc_transform_fit_end(const enc_transform_fitter *fitter, uint32_t index);

/* Quantises a segment between its ends, as cheaply as the effort allows; false when some frame does
 * not hold. */
bool enc_transform_fit_segment(const enc_transform_fitter *fitter, uint32_t index);

/* Quantises the track with its present steps; false when some frame does not hold. */
bool enc_transform_solve(enc_transform_fitter *fitter);

/* Drops what such a track does not need, by the fitter's codes; false when some frame does not hold
 * exactly. */
bool enc_transform_save(enc_transform_fitter *fitter);

/* Both at once: for efforts that do not look at the fitter's codes. */
bool enc_transform_fit(enc_transform_fitter *fitter);

#endif
