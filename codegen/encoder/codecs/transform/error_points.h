/* The quadratic forms of a fit: how its error points move with the coded components. */
#ifndef ENCODER_CODECS_TRANSFORM_ERROR_POINTS_H
#define ENCODER_CODECS_TRANSFORM_ERROR_POINTS_H

#include "codecs/transform/fit.h"

/* Sets the axes of the track's chart, which the forms need. */
void enc_transform_set_axes(enc_transform_fitter *fitter);

/* Sets the forms of all frames, and from them how far each component may be off. */
void enc_transform_set_forms(enc_transform_fitter *fitter);

/* Sets the forms of one frame. The fit has to know places. */
void enc_transform_set_frame(enc_transform_fitter *fitter, uint32_t frame);

#endif
