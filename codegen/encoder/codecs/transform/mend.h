/* Mends a transform track of which a few frames do not hold. */
#ifndef ENCODER_CODECS_TRANSFORM_MEND_H
#define ENCODER_CODECS_TRANSFORM_MEND_H

#include "codecs/transform/fit.h"

/* Fits the parts that do not hold of a track whose integers and rows are complete, with its present
 * steps. finely: these ends need not keep to their grid, nor those of faulty segments. Returns
 * false if that fails. Nothing else changes, so that what was built on it still holds. */
bool enc_transform_mend(enc_transform_fitter *fitter, bool finely);

#endif
