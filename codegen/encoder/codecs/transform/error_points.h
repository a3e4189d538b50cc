/* The quadratic forms of a fit: how its error points depend on the coded components. */
#ifndef ENCODER_CODECS_TRANSFORM_ERROR_POINTS_H
#define ENCODER_CODECS_TRANSFORM_ERROR_POINTS_H

#include "codecs/transform/fit.h"

/* Computes the axes of the track's packing, which the quadratics depend on. */
void enc_transform_set_axes(enc_transform_fitter *fitter);

/* Computes the quadratics of all frames, and from them the permitted error of each component. */
void enc_transform_set_quadratics(enc_transform_fitter *fitter);

/* Computes the quadratics of one frame. The fit must have error points. */
void enc_transform_set_frame(enc_transform_fitter *fitter, uint32_t frame);

#endif
