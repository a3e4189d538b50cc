/* Codes every frame of a transform track on its own. */
#ifndef ENCODER_CODECS_TRANSFORM_DIRECT_H
#define ENCODER_CODECS_TRANSFORM_DIRECT_H

#include "codecs/transform/fit.h"

/* Codes every frame on its own with the coarsest steps that hold. Returns false if even the finest
 * do not. */
bool enc_transform_fit_direct(enc_transform_fitter *fitter);

#endif
