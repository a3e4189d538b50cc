/* Mending a transform track of which a few frames do not hold. */
#ifndef ENCODER_CODECS_TRANSFORM_MEND_H
#define ENCODER_CODECS_TRANSFORM_MEND_H

#include "codecs/transform/fit.h"

/* Fits what is not good enough of a track that has all its numbers and rows, with its steps; false
 * when that cannot be. finely: ends need not keep to their grid, those of faulty segments neither.
 * All else stays as it is, so that what was built on it holds. */
bool enc_transform_mend(enc_transform_fitter *fitter, bool finely);

#endif
