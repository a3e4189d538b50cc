/* The quadratic quadratics of a fit: how its error points move with the coded components. */
#ifndef ENCODER_CODECS_TRANSFORM_ERROR_POINTS_H
#define ENCODER_CODECS_TRANSFORM_ERROR_POINTS_H

#include "codecs/transform/fit.h"

/* Sets the axes of the track's packing, which the quadratics need. */
void enc_transform_set_axes(enc_transform_fitter *fitter);

/* Sets the quadratics of all frames, and from them how far each component may be off. */
void enc_transform_set_quadratics(enc_transform_fitter *fitter);

/* Sets the quadratics of one frame. The fit has to know points. */
void enc_transform_set_frame(enc_transform_fitter *fitter, uint32_t frame);

#endif
